import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { Log } from '../../schemas/log.ts';
import { shownRequestId } from './failure.ts';

type Names = ReadonlyMap<number, string>;

interface Attempt {
  channel: number;
  name?: string | undefined;
}

/** Rows as the actor may see them: `admin_info` and the names of channels, those that failed as well, are for admins. */
export function createLogView(database: Database) {
  // Not joined: rows of the log are read by statements that must follow one index (page.ts).
  async function channelNames(ids: Iterable<number>): Promise<Names> {
    const known = [...new Set(ids)].filter((id) => id > 0);
    if (known.length === 0) return new Map();
    const channels = await database.channels.findAll({ attributes: ['id', 'name'], where: { id: known }, raw: true });
    return new Map(channels.map(({ id, name }) => [id, name]));
  }

  return async (rows: LogRow[], actor: Actor): Promise<Log[]> => {
    const isAdmin = actor.role >= role.admin;
    const tried = rows.flatMap(({ channel_id, other }) => [channel_id, ...(isAdmin ? triedChannels(other) : [])]);
    const names: Names = isAdmin ? await channelNames(tried) : new Map();
    return rows.map(({ channel_id, is_stream, other, ...row }) => ({
      ...row,
      request_id: row.request_id && shownRequestId(row.request_id),
      // SQLite returns 0 and 1 for a plain query.
      is_stream: Boolean(is_stream),
      channel: channel_id,
      channel_name: names.get(channel_id) ?? '',
      other: isAdmin ? withNames(other, names) : withoutAdminInfo(other),
    }));
  };
}

const triedChannels = (other: string) => attemptsIn(readOther(other)).map(({ channel }) => channel);

/** Each attempt with the name that its channel has now. */
function withNames(other: string, names: Names): string {
  const read = readOther(other);
  const attempts = attemptsIn(read);
  if (attempts.length === 0) return other;
  for (const attempt of attempts) attempt.name = names.get(attempt.channel);
  return JSON.stringify(read);
}

function withoutAdminInfo(other: string): string {
  if (!other.includes('admin_info')) return other;
  const read = readOther(other);
  // An imported row that is not JSON: what cannot be separated is not shown.
  if (!read) return '';
  const { admin_info: _, ...rest } = read;
  return JSON.stringify(rest);
}

/** An imported row contains whatever its program wrote. */
function attemptsIn(other: ReturnType<typeof readOther>): Attempt[] {
  const attempts = other?.admin_info?.attempts;
  return Array.isArray(attempts) ? attempts.filter(isAttempt) : [];
}

const isAttempt = (value: unknown): value is Attempt =>
  Number.isSafeInteger((value as Partial<Attempt> | null)?.channel);

function readOther(other: string): { admin_info?: { attempts?: unknown } | null } | undefined {
  if (!other.includes('admin_info')) return undefined;
  try {
    return JSON.parse(other);
  } catch {
    return undefined;
  }
}
