import type { Database } from '../database/connect.ts';
import { AppError } from '../errors/app-error.ts';
import { type Clock, nowSeconds } from '../lib/clock.ts';
import { type Actor, role } from '../schemas/actor.ts';
import type { UsageData, UsageDataFilter, UsageDataRange, UserUsage } from '../schemas/usage-data.ts';
import { usernameKey } from '../schemas/user.ts';
import { requireRole } from './actor.ts';

interface UsageDataServiceDependencies {
  database: Database;
  now?: Clock;
}

export type UsageDataService = ReturnType<typeof createUsageDataService>;

const monthSeconds = 2_592_000;
/** A page draws a few thousand at most; a year of a busy installation would be a hundred megabytes. */
const mostRows = 50_000;
/** Those who spent most; nobody reads a chart of more. */
const mostUsers = 100;

/** The hourly sums that the settlement of each call keeps. */
export function createUsageDataService({ database, now = nowSeconds }: UsageDataServiceDependencies) {
  async function list(actor: Actor, { username, ...range }: UsageDataFilter): Promise<UsageData[]> {
    requireRole(actor, role.admin);
    const bounds = boundsOf(range, now());
    if (username === '') return sumsOfAll(bounds);
    const user = await database.users.findOne({
      attributes: ['id'],
      where: { username_key: usernameKey(username) },
      raw: true,
    });
    return user ? rowsOf(user.id, bounds) : [];
  }

  async function listOwn(actor: Actor, range: UsageDataRange): Promise<UsageData[]> {
    const bounds = boundsOf(range, now());
    if (bounds.end - bounds.start > monthSeconds) throw new AppError('usageData.spanTooLong');
    return rowsOf(actor.id, bounds);
  }

  async function rowsOf(userId: number, bounds: Bounds): Promise<UsageData[]> {
    const rows = await database.select<Omit<UsageData, 'id'>>(
      `SELECT user_id, username, model_name, created_at, token_used, count, quota FROM usage_data
        WHERE user_id = :userId AND created_at >= :start AND created_at <= :end
        ORDER BY created_at, model_name LIMIT ${mostRows + 1}`,
      { userId, ...bounds },
    );
    return bounded(rows).map((row, index) => ({ id: index + 1, ...row }));
  }

  async function sumsOfAll(bounds: Bounds): Promise<UsageData[]> {
    const rows = await database.select<Pick<UsageData, 'model_name' | 'created_at' | 'token_used' | 'count' | 'quota'>>(
      // Summed as decimals PostgreSQL would answer with text.
      `SELECT model_name, created_at, CAST(sum(token_used) AS BIGINT) AS token_used,
          CAST(sum(count) AS BIGINT) AS count, CAST(sum(quota) AS BIGINT) AS quota
        FROM usage_data WHERE created_at >= :start AND created_at <= :end
        GROUP BY created_at, model_name ORDER BY created_at, model_name LIMIT ${mostRows + 1}`,
      { ...bounds },
    );
    return bounded(rows).map((row) => ({ id: 0, user_id: 0, username: '', ...row }));
  }

  /** Who spent most in the range, the largest first. */
  async function listUsers(actor: Actor, range: UsageDataRange): Promise<UserUsage[]> {
    requireRole(actor, role.admin);
    // A name may have changed within the range: the latest in the alphabet stands for all.
    return database.select<UserUsage>(
      `SELECT user_id, max(username) AS username, CAST(sum(token_used) AS BIGINT) AS token_used,
          CAST(sum(count) AS BIGINT) AS count, CAST(sum(quota) AS BIGINT) AS quota
        FROM usage_data WHERE created_at >= :start AND created_at <= :end
        GROUP BY user_id ORDER BY sum(quota) DESC, user_id LIMIT ${mostUsers}`,
      { ...boundsOf(range, now()) },
    );
  }

  return { list, listOwn, listUsers };
}

interface Bounds {
  start: number;
  end: number;
}

function boundsOf({ start_timestamp, end_timestamp }: UsageDataRange, now: number): Bounds {
  const isOpen = start_timestamp === 0 && end_timestamp === 0;
  return { start: isOpen ? now - monthSeconds : start_timestamp, end: end_timestamp || now };
}

/** Cut short, the sums drawn from it would be wrong without anybody noticing. */
function bounded<T>(rows: T[]): T[] {
  if (rows.length > mostRows) throw new AppError('usageData.tooMany', { most: mostRows });
  return rows;
}
