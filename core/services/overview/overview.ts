import type { Database } from '../../database/connect.ts';
import type { ReportDatabase } from '../../database/report-database.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { auditListSchema } from '../../schemas/audit.ts';
import { logListSchema } from '../../schemas/log.ts';
import { logType } from '../../schemas/log-type.ts';
import type { OverviewQuery, OwnOverview, SystemOverview } from '../../schemas/overview.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { LogService } from '../log/log.ts';
import type { OptionService } from '../option/option.ts';
import { readAttention } from './attention.ts';
import { listedChannels, readChannelConditions } from './channel-condition.ts';
import { readFigures } from './figures.ts';
import { createObjectOverview } from './object-overview.ts';
import { createReadingCache } from './reading-cache.ts';
import { keyOf, spansOf } from './spans.ts';
import { readOwnTokens, readServed, readTopUsers, topTokens } from './top.ts';
import { readTotals } from './totals.ts';

interface OverviewServiceDependencies {
  database: Database;
  /** Figures and charts; what objects are and have comes from the primary. */
  reports: Pick<ReportDatabase, 'read'>;
  secretBox: SecretBox;
  audit: Pick<AuditService, 'list'>;
  options: Pick<OptionService, 'get'>;
  logs: Pick<LogService, 'list' | 'listOwn'>;
  now?: Clock;
}

export type OverviewService = ReturnType<typeof createOverviewService>;

const shownChanges = 6;
/** Of so many entries those are left out that change nothing: who signed in, what was exported. */
const readChanges = 100;
const unchanging = /^session\.|\.(reveal|export|clearRefused)$/;
const latestFailures = logListSchema.parse({ type: logType.error, page_size: 6 });

/** Everything the first page of the console shows, in one reading that several pages share for a few seconds. */
export function createOverviewService({
  database,
  reports,
  secretBox,
  audit,
  options,
  logs,
  now = nowSeconds,
}: OverviewServiceDependencies) {
  const cached = createReadingCache();

  /** Of the whole installation. Reasons are coded texts. */
  async function read(actor: Actor, query: OverviewQuery): Promise<SystemOverview> {
    requireRole(actor, role.admin);
    return cached(keyOf('all', query), () => load(actor, query));
  }

  /** Of the own account, whatever the role. */
  function readOwn(actor: Actor, query: OverviewQuery): Promise<OwnOverview> {
    return cached(keyOf(`user ${actor.id}`, query), () => loadOwn(actor, query));
  }

  async function load(actor: Actor, query: OverviewQuery): Promise<SystemOverview> {
    const at = now();
    const spans = spansOf(query, at);
    const [common, users, served, changes, failures] = await Promise.all([
      reports.read((from) => readFigures(from, query, at)),
      reports.read((from) => readTopUsers(from, spans)),
      reports.read((from) => readServed(from, at - secondsPerDay)),
      audit.list(actor, auditListSchema.parse({ page_size: readChanges })),
      logs.list(actor, latestFailures),
    ]);
    const channels = await readChannelConditions({ database, reports, secretBox }, { now: at, served });
    return {
      ...common,
      failures: failures.items,
      top_users: users,
      top_tokens: topTokens(served),
      ...listedChannels(channels),
      attention: await readAttention(database, channels, { now: at, quotaPerUnit: options.get('QuotaPerUnit') }),
      changes: changes.items.filter(({ action }) => !unchanging.test(action)).slice(0, shownChanges),
    };
  }

  async function loadOwn(actor: Actor, query: OverviewQuery): Promise<OwnOverview> {
    const at = now();
    const { id: userId } = actor;
    const weekAgo = at - 7 * secondsPerDay;
    const [common, tokens, user, week, failures] = await Promise.all([
      reports.read((from) => readFigures(from, query, at, { userId })),
      reports.read((from) => readOwnTokens(from, userId, weekAgo)),
      database.users.findOne({ attributes: ['quota'], where: { id: userId }, raw: true }),
      reports.read((from) => readTotals(from, { start: weekAgo, end: at }, { userId })),
      logs.listOwn(actor, latestFailures),
    ]);
    return {
      ...common,
      failures: failures.items,
      top_tokens: tokens,
      balance: user?.quota ?? 0,
      spent_in_week: week.quota,
    };
  }

  return { read, readOwn, ...createObjectOverview({ database, reports, secretBox, logs, cached, now }) };
}
