import type { Database } from '../../database/connect.ts';
import { type Clock, nowSeconds, secondsPerDay } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { auditListSchema } from '../../schemas/audit.ts';
import { logListSchema, logType } from '../../schemas/log.ts';
import type { OverviewQuery, OverviewSpan, OwnOverview, SystemOverview } from '../../schemas/overview.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import type { LogService } from '../log/log.ts';
import type { OptionService } from '../option/option.ts';
import { usageSums } from '../usage/usage-sums.ts';
import { readAttention } from './attention.ts';
import { readChannelHealth } from './channel-health.ts';
import { readLatency } from './latency.ts';
import { createReadingCache } from './reading-cache.ts';
import { readOwnTokens, readServed, readTopModels, readTopUsers, topTokens } from './top.ts';
import { readPace, readTotals } from './totals.ts';

interface OverviewServiceDependencies {
  database: Database;
  secretBox: SecretBox;
  audit: Pick<AuditService, 'list'>;
  options: Pick<OptionService, 'get'>;
  logs: Pick<LogService, 'list' | 'listOwn'>;
  now?: Clock;
}

export type OverviewService = ReturnType<typeof createOverviewService>;

const maxSpanSeconds = 400 * secondsPerDay;
const shownChanges = 6;
/** Of so many entries those are left out that change nothing: who signed in, what was exported. */
const readChanges = 100;
const unchanging = /^session\.|\.(reveal|export|clearRefused)$/;
const latestFailures = logListSchema.parse({ type: logType.error, page_size: 6 });
/** Spans that end now differ with every second; pages that ask within this many share a reading. */
const keyGridSeconds = 10;

/** Everything the first page of the console shows, in one reading that several pages share for a few seconds. */
export function createOverviewService({
  database,
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
      readCommon(query, at),
      readTopUsers(database, spans),
      readServed(database, at - secondsPerDay),
      audit.list(actor, auditListSchema.parse({ page_size: readChanges })),
      logs.list(actor, latestFailures),
    ]);
    const channels = await readChannelHealth({ database, secretBox }, served, at);
    return {
      ...common,
      failures: failures.items,
      top_users: users,
      top_tokens: topTokens(served),
      channels,
      attention: await readAttention(database, channels, { now: at, quotaPerUnit: options.get('QuotaPerUnit') }),
      changes: changes.items.filter(({ action }) => !unchanging.test(action)).slice(0, shownChanges),
    };
  }

  async function loadOwn(actor: Actor, query: OverviewQuery): Promise<OwnOverview> {
    const at = now();
    const { id: userId } = actor;
    const weekAgo = at - 7 * secondsPerDay;
    const [common, tokens, user, week, failures] = await Promise.all([
      readCommon(query, at, userId),
      readOwnTokens(database, userId, weekAgo),
      database.users.findOne({ attributes: ['quota'], where: { id: userId }, raw: true }),
      readTotals(database, { start: weekAgo, end: at }, userId),
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

  async function readCommon(query: OverviewQuery, at: number, userId?: number) {
    const spans = spansOf(query, at);
    const { start, end } = spans.span;
    const series = { start_timestamp: start, end_timestamp: end, unit: query.unit, utc_offset: query.utc_offset };
    const [current, previous, pace, latency, previousLatency, sums, models] = await Promise.all([
      readTotals(database, spans.span, userId),
      readTotals(database, spans.previous, userId),
      readPace(database, at, userId),
      readLatency(database, spans.span, userId),
      readLatency(database, spans.previous, userId),
      usageSums(database, series, { now: at, ...(userId !== undefined && { userId }) }),
      readTopModels(database, spans, userId),
    ]);
    return {
      computed_at: at,
      span: spans.span,
      previous_span: spans.previous,
      current,
      previous,
      pace,
      latency,
      previous_latency: previousLatency,
      series: sums.map(({ username: _, ...row }) => row),
      top_models: models,
    };
  }

  return { read, readOwn };
}

interface Spans {
  span: OverviewSpan;
  previous: OverviewSpan;
}

function spansOf(query: OverviewQuery, now: number): Spans {
  const end = query.end_timestamp || now;
  const start = Math.max(query.start_timestamp || end - secondsPerDay, end - maxSpanSeconds);
  const previousEnd = query.previous_end || start - 1;
  const previousStart = Math.max(query.previous_start || previousEnd - (end - start), previousEnd - maxSpanSeconds);
  return { span: { start, end }, previous: { start: previousStart, end: previousEnd } };
}

function keyOf(whose: string, query: OverviewQuery): string {
  const { start_timestamp, end_timestamp, previous_start, previous_end, unit, utc_offset } = query;
  const times = [start_timestamp, end_timestamp, previous_start, previous_end];
  return [whose, unit, utc_offset, ...times.map((time) => Math.floor(time / keyGridSeconds))].join(' ');
}
