import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import {
  otherModels,
  type UsageData,
  type UsageDataFilter,
  type UsageDataRange,
  type UsageDataSpan,
  type UserUsage,
} from '../../schemas/usage-data.ts';
import { usernameKey } from '../../schemas/user.ts';
import { requireRole } from '../actor.ts';

interface UsageDataServiceDependencies {
  database: Database;
  now?: Clock;
}

export type UsageDataService = ReturnType<typeof createUsageDataService>;

const monthSeconds = 2_592_000;
/** A page draws a few thousand at most; a year of a busy installation would be a hundred megabytes. */
const maxRows = 50_000;
/** So many are told apart in any case. */
const fewestModels = 10;
const hourSeconds = 3600;
/** The users who spent most; a chart with more is unreadable. */
const maxUsers = 100;

/** The hourly sums that the settlement of each call keeps. */
export function createUsageDataService({ database, now = nowSeconds }: UsageDataServiceDependencies) {
  async function list(actor: Actor, { username, ...range }: UsageDataFilter): Promise<UsageData[]> {
    requireRole(actor, role.admin);
    if (username === '') return sumsOfAll(range);
    const user = await database.users.findOne({
      attributes: ['id'],
      where: { username_key: usernameKey(username) },
      raw: true,
    });
    return user ? rowsOf(user.id, range) : [];
  }

  async function listOwn(actor: Actor, range: UsageDataSpan): Promise<UsageData[]> {
    const bounds = boundsOf(range, now());
    if (bounds.end - bounds.start > monthSeconds) throw new AppError('usageData.spanTooLong');
    return rowsOf(actor.id, range);
  }

  async function rowsOf(userId: number, span: UsageDataSpan): Promise<UsageData[]> {
    const rows = await sums(span, { userId });
    return rows.map(({ username, ...row }, index) => ({ id: index + 1, user_id: userId, username, ...row }));
  }

  async function sumsOfAll(span: UsageDataSpan): Promise<UsageData[]> {
    const rows = await sums(span, {});
    return rows.map((row) => ({ ...row, id: 0, user_id: 0, username: '' }));
  }

  /** One row per model and hour or day. Models that would make too many rows are summed as one, those that cost least first. */
  async function sums(span: UsageDataSpan, { userId }: { userId?: number }): Promise<Sum[]> {
    const { start, end } = boundsOf(span, now());
    const seconds = secondsOf(span, { start, end });
    const offset = seconds === hourSeconds ? 0 : (span.utc_offset ?? 0) * 60;
    const where = `created_at >= :start AND created_at <= :end${userId === undefined ? '' : ' AND user_id = :userId'}`;
    const slot = `(created_at + :offset) - (created_at + :offset) % ${seconds} - :offset`;
    const slots = Math.ceil((end - start) / seconds) + 1;
    const models = Math.max(fewestModels, Math.floor(maxRows / slots) - 1);
    // SQL, here and below: grouped sums.
    const rows = await database.select<Sum>(
      // PostgreSQL returns sums of decimals as text.
      `WITH shown AS (
          SELECT model_name FROM usage_data WHERE ${where} GROUP BY model_name ORDER BY sum(quota) DESC, model_name LIMIT :models
        ), named AS (
          SELECT username, ${slot} AS slot, token_used, count, quota,
            CASE WHEN model_name IN (SELECT model_name FROM shown) THEN model_name ELSE :other END AS model
          FROM usage_data WHERE ${where}
        )
        SELECT max(username) AS username, model AS model_name, slot AS created_at, CAST(sum(token_used) AS BIGINT) AS token_used,
          CAST(sum(count) AS BIGINT) AS count, CAST(sum(quota) AS BIGINT) AS quota
        FROM named GROUP BY slot, model ORDER BY slot, model LIMIT ${maxRows + 1}`,
      { start, end, offset, models, other: otherModels, userId },
    );
    return bounded(rows);
  }

  /** Who spent most in the range, the largest first. */
  async function listUsers(actor: Actor, range: UsageDataRange): Promise<UserUsage[]> {
    requireRole(actor, role.admin);
    // A name may have changed within the range: the latest in the alphabet stands for all.
    return database.select<UserUsage>(
      `SELECT user_id, max(username) AS username, CAST(sum(token_used) AS BIGINT) AS token_used,
          CAST(sum(count) AS BIGINT) AS count, CAST(sum(quota) AS BIGINT) AS quota
        FROM usage_data WHERE created_at >= :start AND created_at <= :end
        GROUP BY user_id ORDER BY sum(quota) DESC, user_id LIMIT ${maxUsers}`,
      { ...boundsOf(range, now()) },
    );
  }

  return { list, listOwn, listUsers };
}

type Sum = Omit<UsageData, 'id' | 'user_id'>;

interface Bounds {
  start: number;
  end: number;
}

function secondsOf({ unit }: UsageDataSpan, { start, end }: Bounds): number {
  const defaultValue = end - start > 31 * secondsPerDay ? 'day' : 'hour';
  return (unit ?? defaultValue) === 'day' ? secondsPerDay : hourSeconds;
}

function boundsOf({ start_timestamp, end_timestamp }: UsageDataRange, now: number): Bounds {
  const isOpen = start_timestamp === 0 && end_timestamp === 0;
  return { start: isOpen ? now - monthSeconds : start_timestamp, end: end_timestamp || now };
}

/** Cut short, the sums drawn from it would be wrong unnoticed. */
function bounded<T>(rows: T[]): T[] {
  if (rows.length > maxRows) throw new AppError('usageData.tooMany', { max: maxRows });
  return rows;
}
