import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { Log } from '../../schemas/log.ts';
import { shownRequestId } from './failure.ts';

/** Rows as the actor may see them: `admin_info` and the names of channels are for admins. */
export function createLogView(database: Database) {
  // Not joined: rows of the log are read by statements that must follow one index (page.ts).
  async function channelNames(rows: LogRow[]): Promise<Map<number, string>> {
    const ids = [...new Set(rows.map(({ channel_id }) => channel_id))].filter((id) => id > 0);
    if (ids.length === 0) return new Map();
    const channels = await database.channels.findAll({ attributes: ['id', 'name'], where: { id: ids }, raw: true });
    return new Map(channels.map(({ id, name }) => [id, name]));
  }

  return async (rows: LogRow[], actor: Actor): Promise<Log[]> => {
    const isAdmin = actor.role >= role.admin;
    const names = isAdmin ? await channelNames(rows) : new Map<number, string>();
    return rows.map(({ channel_id, is_stream, other, ...row }) => ({
      ...row,
      request_id: row.request_id && shownRequestId(row.request_id),
      // SQLite returns 0 and 1 for a plain query.
      is_stream: Boolean(is_stream),
      channel: channel_id,
      channel_name: names.get(channel_id) ?? '',
      other: isAdmin ? other : withoutAdminInfo(other),
    }));
  };
}

function withoutAdminInfo(other: string): string {
  if (!other.includes('admin_info')) return other;
  try {
    const { admin_info: _, ...rest } = JSON.parse(other) as Record<string, unknown>;
    return JSON.stringify(rest);
  } catch {
    // An imported row that is not JSON: what cannot be separated is not shown.
    return '';
  }
}
