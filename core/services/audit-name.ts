import type { Database } from '../database/connect.ts';
import type { AuditRow } from '../database/models/audit.ts';

/** By kind and id, as the audit log writes them. */
export type ObjectNames = Map<string, Map<string, string>>;

/** What the users, channels and tokens of these rows are called today; a kind of object is read at once. */
export async function namesOf(
  database: Database,
  rows: Pick<AuditRow, 'object_kind' | 'object_id'>[],
): Promise<ObjectNames> {
  const idsOf = (...kinds: string[]) => [
    ...new Set(
      rows
        .filter(({ object_kind, object_id }) => kinds.includes(object_kind) && /^\d{1,15}$/.test(object_id))
        .map(({ object_id }) => Number(object_id)),
    ),
  ];
  const [users, channels, tokens] = await Promise.all([
    database.users.findAll({ attributes: ['id', 'username'], where: { id: idsOf('user', 'twoFactor') }, raw: true }),
    database.channels.findAll({ attributes: ['id', 'name'], where: { id: idsOf('channel') }, raw: true }),
    database.tokens.findAll({ attributes: ['id', 'name'], where: { id: idsOf('token') }, raw: true }),
  ]);
  const userNames = new Map(users.map(({ id, username }) => [String(id), username]));
  const named = (found: { id: number; name: string }[]) => new Map(found.map(({ id, name }) => [String(id), name]));
  return new Map([
    ['user', userNames],
    ['twoFactor', userNames],
    ['channel', named(channels)],
    ['token', named(tokens)],
  ]);
}
