import type pg from 'pg';
import type { Clock } from '../lib/clock.ts';
import { type LogPart, logPartsSql, monthStart, partsFrom, shortLockMs, withShortLock } from './log-part.ts';
import { openPostgresClient } from './postgres-client.ts';

export interface LogPartsReport {
  /** The log became a table of months now. */
  converted: boolean;
  /** How long the longest of the locks was held that keep calls waiting. */
  lockMs: number;
  months: number;
  /** What keeps the log as it is: someone's view or trigger would not come along. */
  obstacles: string[];
}

/** Calls that end in the next days must fit into the former table, however long the work takes. */
const marginSeconds = 7 * 86_400;
/** Rows that are dated later than this are a mistake of a clock or of an import. */
const furthestSeconds = 400 * 86_400;
const monthsAhead = 2;

/**
 * Makes the log a table of months, if it is not yet, and the months that come next. Calls go on: what reads the whole table takes no
 * lock that writers wait for, and what needs one only changes the catalog. Wherever it is stopped, the next run goes on.
 */
export async function keepLogParts(url: string, now: Clock, signal: AbortSignal): Promise<LogPartsReport> {
  const client = await openPostgresClient(url, 10_000);
  const report: LogPartsReport = { converted: false, lockMs: 0, months: 0, obstacles: [] };
  try {
    if (!(await isPartitioned(client))) await convert(client, now, report, signal);
    if (await isPartitioned(client)) await addMonths(client, now, report, signal);
    // The server keeps statistics of the months by itself, but not of all together.
    if (report.converted || report.months > 0) await client.query('ANALYZE logs');
    return report;
  } finally {
    await client.end();
  }
}

async function isPartitioned(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT 1 FROM pg_class WHERE oid = 'logs'::regclass AND relkind = 'p'");
  return rows.length > 0;
}

/**
 * The former table takes all rows up to `until`. A constraint says so first, which is checked without keeping anyone waiting; with it,
 * PostgreSQL takes the table as a part without reading it.
 */
async function convert(client: pg.Client, now: Clock, report: LogPartsReport, signal: AbortSignal): Promise<void> {
  report.obstacles = await findObstacles(client);
  const until = report.obstacles.length > 0 ? undefined : await findUntil(client, now());
  if (until === undefined) return;
  const isPrepared = await locked(
    client,
    [
      'ALTER TABLE logs DROP CONSTRAINT IF EXISTS logs_before_until',
      `ALTER TABLE logs ADD CONSTRAINT logs_before_until CHECK (created_at < ${until}) NOT VALID`,
    ],
    { report, signal },
  );
  if (!isPrepared) return;
  try {
    await client.query('ALTER TABLE logs VALIDATE CONSTRAINT logs_before_until');
    report.converted = await locked(client, [`SELECT logs_become_partitioned(${until})`], { report, signal });
  } finally {
    // It would refuse the first call behind `until`.
    if (!report.converted) {
      await locked(client, ['ALTER TABLE logs DROP CONSTRAINT IF EXISTS logs_before_until'], { report });
    }
  }
}

/** The beginning of a month that no row reaches yet. */
async function findUntil(client: pg.Client, now: number): Promise<number | undefined> {
  const { rows } = await client.query<{ newest: number | null }>('SELECT max(created_at) AS newest FROM logs');
  const newest = Math.max(now + marginSeconds, rows[0]?.newest ?? 0);
  if (newest < now + furthestSeconds) return monthStart(newest, 1);
  throw new Error(`the log has a row dated ${newest}, far in the future: correct its created_at or delete it`);
}

const obstacles = `SELECT 'view ' || pg_describe_object('pg_class'::regclass, ev_class, 0) AS name
  FROM pg_depend JOIN pg_rewrite ON pg_rewrite.oid = objid
  WHERE classid = 'pg_rewrite'::regclass AND refclassid = 'pg_class'::regclass AND refobjid = 'logs'::regclass
  UNION SELECT 'trigger ' || tgname FROM pg_trigger WHERE tgrelid = 'logs'::regclass AND NOT tgisinternal
  UNION SELECT 'constraint ' || conname FROM pg_constraint WHERE confrelid = 'logs'::regclass AND contype = 'f'
  UNION SELECT 'policy ' || polname FROM pg_policy WHERE polrelid = 'logs'::regclass
  UNION SELECT 'publication ' || pubname FROM pg_publication_rel JOIN pg_publication ON pg_publication.oid = prpubid
    WHERE prrelid = 'logs'::regclass
  UNION SELECT 'child ' || inhrelid::regclass FROM pg_inherits WHERE inhparent = 'logs'::regclass
  ORDER BY name`;

async function findObstacles(client: pg.Client): Promise<string[]> {
  return (await client.query<{ name: string }>(obstacles)).rows.map(({ name }) => name);
}

async function addMonths(client: pg.Client, now: Clock, report: LogPartsReport, signal: AbortSignal): Promise<void> {
  const parts = partsFrom((await client.query<{ name: string; bound: string }>(logPartsSql)).rows);
  for (let ahead = 0; ahead <= monthsAhead; ahead++) {
    const month = monthStart(now(), ahead);
    if (isCovered(parts, month)) continue;
    const isMade = await locked(client, [`SELECT logs_add_month(${month})`], { report, signal });
    if (isMade) report.months++;
  }
}

const isCovered = (parts: LogPart[], month: number) =>
  parts.some(({ from = Number.NEGATIVE_INFINITY, until = 0 }) => from <= month && month < until);

interface LockRun {
  report: LogPartsReport;
  signal?: AbortSignal;
}

/** The statements in one transaction, once its locks are free. */
function locked(client: pg.Client, statements: string[], { report, signal }: LockRun): Promise<boolean> {
  return withShortLock(async () => {
    const startedAt = performance.now();
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${shortLockMs}; ${statements.join('; ')}; COMMIT`);
      report.lockMs = Math.max(report.lockMs, Math.ceil(performance.now() - startedAt));
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  }, signal);
}
