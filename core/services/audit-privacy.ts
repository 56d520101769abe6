import { Op } from 'sequelize';
import type { Database } from '../database/connect.ts';
import type { AuditRow } from '../database/models/audit.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { Audit } from '../schemas/audit.ts';

/** What an account says of the person behind it. */
const personal: ReadonlySet<string> = new Set([
  ...['email', 'notification_email', 'webhook_url', 'display_name'],
  ...['github_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'oidc_id'],
]);

/** The accounts among these rows that this reader may not open, of the same or a higher role, by their ids as the rows have them. */
export async function closedAccounts(
  database: Database,
  actor: Actor,
  rows: Pick<AuditRow, 'object_kind' | 'object_id'>[],
): Promise<ReadonlySet<string>> {
  const ids = rows.flatMap(({ object_kind: kind, object_id: id }) =>
    kind === 'user' && /^\d{1,15}$/.test(id) && Number(id) !== actor.id ? [Number(id)] : [],
  );
  if (actor.role >= role.root || ids.length === 0) return new Set();
  const where = { id: [...new Set(ids)], role: { [Op.gte]: actor.role } };
  const found = await database.users.findAll({ attributes: ['id'], where, raw: true });
  return new Set(found.map(({ id }) => String(id)));
}

/** That it was changed is for every reader; what it was, and is, is not. */
export function withoutPersonal(values: Audit['after']): Audit['after'] {
  if (!values) return values;
  const shown = (name: string, value: unknown) => (personal.has(name) && value ? '***' : value);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(name, value)]));
}
