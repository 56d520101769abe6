import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Actor } from '../../schemas/actor.ts';
import { coded } from '../../text/coded.ts';
import type { AbilityService } from '../ability.ts';
import { type AuditService, changedFields } from '../audit.ts';

export interface ChannelStoreDependencies {
  database: Database;
  abilities: AbilityService;
  audit: Pick<AuditService, 'record'>;
}

export type ChannelStore = ReturnType<typeof createChannelStore>;

/** Which abilities there are, and what is in each of them. */
const abilityNames = ['models', 'group'];
const abilitySettings = ['status', 'priority', 'weight', 'tag'];

/** How the channel services read and change rows. */
export function createChannelStore({ database, abilities, audit }: ChannelStoreDependencies) {
  async function findRow(id: number, transaction?: Transaction): Promise<ChannelRow> {
    const lock = transaction ? transaction.LOCK.UPDATE : undefined;
    const row = await database.channels.findByPk(id, { raw: true, transaction, lock });
    if (!row) throw channelNotFound(id);
    return readRow(row);
  }

  /** In the order of their ids, so that two edits of many rows never wait for each other in a circle. */
  async function findRows(where: { id: number[] } | { tag: string }, transaction: Transaction): Promise<ChannelRow[]> {
    const order: [string, string][] = [['id', 'ASC']];
    const lock = transaction.LOCK.UPDATE;
    return (await database.channels.findAll({ where, order, raw: true, transaction, lock })).map(readRow);
  }

  /** Changed columns only: counters belong to the ledger, and a test result may be saved at the same moment. */
  async function save(
    actor: Actor,
    row: ChannelRow,
    fields: Partial<ChannelRow>,
    action: string,
    transaction: Transaction,
  ): Promise<ChannelRow> {
    const { before, after } = changedFields(row, fields);
    if (Object.keys(after).length === 0) return row;
    await database.channels.update(after, { where: { id: row.id }, transaction });
    const changed = { ...row, ...fields };
    if (abilityNames.some((name) => name in after)) await abilities.rebuild(changed, transaction);
    else if (abilitySettings.some((name) => name in after)) await abilities.update(changed, transaction);
    await audit.record(actor, { action, id: row.id, before, after }, transaction);
    return changed;
  }

  return { findRow, findRows, save };
}

export const channelNotFound = (id: number | string) =>
  new AppError('object.notFound', { what: coded('noun.channel'), id, noun: 'channel' });

// SQLite returns 0 and 1 for a plain query.
const readRow = (row: ChannelRow): ChannelRow => ({ ...row, private_allowed: Boolean(row.private_allowed) });
