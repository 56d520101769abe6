import { sumOfQuota } from '../../database/quota-sum.ts';
import type { ReportDatabase } from '../../database/report-database.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { UsageData, UsageDataFilter, UsageDataRange, UsageDataSpan, UserUsage } from '../../schemas/usage-data.ts';
import { usernameKey } from '../../schemas/user.ts';
import { requireRole } from '../actor.ts';
import { boundsOf, monthSeconds, usageSums } from './usage-sums.ts';

interface UsageDataServiceDependencies {
  reports: Pick<ReportDatabase, 'read'>;
  now?: Clock;
}

export type UsageDataService = ReturnType<typeof createUsageDataService>;

/** The users who spent most; a chart with more is unreadable. */
const maxUsers = 100;

/** The hourly sums that the settlement of each call keeps. */
export function createUsageDataService({ reports, now = nowSeconds }: UsageDataServiceDependencies) {
  async function list(actor: Actor, { username, ...range }: UsageDataFilter): Promise<UsageData[]> {
    requireRole(actor, role.admin);
    if (username === '') return sumsOfAll(range);
    const where = { username_key: usernameKey(username) };
    const user = await reports.read(({ users }) => users.findOne({ attributes: ['id'], where, raw: true }));
    return user ? rowsOf(user.id, range) : [];
  }

  async function listOwn(actor: Actor, range: UsageDataSpan): Promise<UsageData[]> {
    const bounds = boundsOf(range, now());
    if (bounds.end - bounds.start > monthSeconds) throw new AppError('usageData.spanTooLong');
    return rowsOf(actor.id, range);
  }

  async function rowsOf(userId: number, span: UsageDataSpan): Promise<UsageData[]> {
    const rows = await reports.read((from) => usageSums(from, span, { now: now(), userId }));
    return rows.map(({ username, ...row }, index) => ({ id: index + 1, user_id: userId, username, ...row }));
  }

  async function sumsOfAll(span: UsageDataSpan): Promise<UsageData[]> {
    const rows = await reports.read((from) => usageSums(from, span, { now: now() }));
    return rows.map((row) => ({ ...row, id: 0, user_id: 0, username: '' }));
  }

  /** Who spent most in the range, the largest first. */
  async function listUsers(actor: Actor, range: UsageDataRange): Promise<UserUsage[]> {
    requireRole(actor, role.admin);
    // A name may have changed within the range: the latest in the alphabet stands for all.
    return reports.read((from) =>
      from.select<UserUsage>(
        `SELECT user_id, max(username) AS username, CAST(sum(token_used) AS BIGINT) AS token_used,
          CAST(sum(count) AS BIGINT) AS count, ${sumOfQuota()} AS quota
        FROM usage_data WHERE created_at >= :start AND created_at <= :end
        GROUP BY user_id ORDER BY ${sumOfQuota()} DESC, user_id LIMIT ${maxUsers}`,
        { ...boundsOf(range, now()) },
      ),
    );
  }

  return { list, listOwn, listUsers };
}
