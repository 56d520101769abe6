import type { Database } from '../database/connect.ts';
import { type Actor, role } from '../schemas/actor.ts';
import { requireRole } from './actor.ts';

/** What users and channels are called today, by id. What is gone has no name, and a deleted account keeps its own. */
export function createObjectNameService({ database }: { database: Database }) {
  async function ofUsers(actor: Actor, ids: readonly number[]): Promise<Map<number, string>> {
    requireRole(actor, role.admin);
    const where = { id: distinct(ids) };
    if (where.id.length === 0) return new Map();
    const found = await database.users.findAll({ attributes: ['id', 'username'], where, raw: true });
    return new Map(found.map(({ id, username }) => [id, username]));
  }

  async function ofChannels(actor: Actor, ids: readonly number[]): Promise<Map<number, string>> {
    requireRole(actor, role.admin);
    const where = { id: distinct(ids) };
    if (where.id.length === 0) return new Map();
    const found = await database.channels.findAll({ attributes: ['id', 'name'], where, raw: true });
    return new Map(found.map(({ id, name }) => [id, name]));
  }

  return { ofUsers, ofChannels };
}

const distinct = (ids: readonly number[]) => [...new Set(ids)].filter((id) => id > 0);
