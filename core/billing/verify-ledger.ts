import type { Config } from '../config.ts';
import '../database/postgres-types.ts';
import { openPostgresClient, sessionUrl } from '../database/postgres-client.ts';
import { openSqlite } from '../database/sqlite-connection.ts';
import { budgetChecks } from './verify-budget.ts';
import {
  type LedgerSnapshot,
  loadMoved,
  makeMovedTables,
  type movedTables,
  openStillLogs,
  type StillLogs,
  type VerifyMarks,
} from './verify-moved.ts';

export type VerifyRule = 'balance' | 'used' | 'hourly' | 'held';

export interface VerifyDifference {
  subject: 'user' | 'token' | 'channel' | 'hour' | 'budget';
  /** The row's id; for an hour `user/model/unix seconds`, for a budget `limit/subject/start of its window`. */
  id: string;
  rule: VerifyRule;
  expected: number;
  found: number;
}

export interface VerifyReport {
  ok: boolean;
  checked: { users: number; tokens: number; channels: number; hours: number; budgets: number };
  /** The first ones, at most `listLimit`. */
  differences: VerifyDifference[];
  differenceCount: number;
  /** Settlements without a hold: booked in full in the last 30 days, and those that wait for a decision, which is never ok. */
  strays: { booked: number; parked: number };
  /** True where the log is in a database that was not given: then nothing was compared with its rows. */
  withoutLogs: boolean;
}

export interface VerifyOptions {
  /** Where the rows of the log are when they are not in the database itself. */
  logDatabase?: Config['logDatabase'];
  /** Hears how many of the checks are done. */
  onCheck?: ((done: number, total: number) => void) | undefined;
}

const strayDays = 30;
const listLimit = 100;

interface Check {
  subject: VerifyDifference['subject'];
  rule: VerifyRule;
  /** Rows (id, expected, found) of everything that is checked. */
  sql: string;
  needsLogs?: boolean;
}

const userBalance = `SELECT CAST(users.id AS TEXT) AS id, coalesce(entries.total, 0) AS expected,
    users.quota + users.used_quota + coalesce(holds.total, 0) AS found
  FROM users
  LEFT JOIN (SELECT user_id, sum(amount) AS total FROM quota_entries
    WHERE kind NOT IN ('token_grant', 'task_refund') GROUP BY user_id) entries ON entries.user_id = users.id
  LEFT JOIN (SELECT user_id, sum(amount) AS total FROM quota_holds
    WHERE state = 0 GROUP BY user_id) holds ON holds.user_id = users.id`;

const tokenBalance = `SELECT CAST(tokens.id AS TEXT) AS id, coalesce(entries.total, 0) AS expected,
    tokens.remain_quota + tokens.used_quota + coalesce(holds.total, 0) AS found
  FROM tokens
  LEFT JOIN (SELECT token_id, sum(amount) AS total FROM quota_entries
    WHERE kind = 'token_grant' GROUP BY token_id) entries ON entries.token_id = tokens.id
  LEFT JOIN (SELECT token_id, sum(amount) AS total FROM quota_holds
    WHERE state = 0 GROUP BY token_id) holds ON holds.token_id = tokens.id`;

/** Where the log rows are read, and what of them is in another database. */
interface LogSources {
  rows: string;
  /** SQL that follows the rows of the database itself. */
  moved(table: keyof typeof movedTables, columns: string, where?: string): string;
  /** SQL of the moments from which on sums are compared. */
  hourly: string;
  cleared: string;
}

const markOf = (name: string) => `coalesce((SELECT at FROM ledger_marks WHERE name = '${name}'), 0)`;

const ownLogs: LogSources = { rows: 'logs', moved: () => '', hourly: markOf('hourly'), cleared: markOf('cleared') };

const bothLogs = ({ hourly, cleared }: VerifyMarks): LogSources => ({
  rows: '(SELECT * FROM logs WHERE id NOT IN (SELECT id FROM copied_logs)) AS logs',
  moved: (table, columns, where = '') => ` UNION ALL SELECT ${columns} FROM ${table} ${where}`,
  hourly: String(hourly),
  cleared: String(cleared),
});

function used(subject: 'user' | 'token' | 'channel', { rows, moved }: LogSources): string {
  return `SELECT CAST(rows.id AS TEXT) AS id, coalesce(logged.total, 0) + coalesce(unlogged.quota, 0) AS expected,
      rows.used_quota AS found
    FROM ${subject}s rows
    LEFT JOIN (SELECT id, sum(quota) AS total FROM (SELECT ${subject}_id AS id, quota FROM ${rows} WHERE type = 2
        ${moved('moved_sums', 'id, total', `WHERE subject = '${subject}'`)}) counted GROUP BY id) logged ON logged.id = rows.id
    LEFT JOIN unlogged_sums unlogged ON unlogged.subject = '${subject}' AND unlogged.subject_id = rows.id`;
}

// Both sides may have cells that the other lacks. A job that failed took its charge out of its hour again.
const hourlySums = ({
  rows,
  moved,
  hourly,
}: LogSources) => `SELECT CAST(user_id AS TEXT) || '/' || model_name || '/' || CAST(hour AS TEXT) AS id,
    sum(logged) AS expected, sum(summed) AS found
  FROM (
    SELECT user_id, model_name, created_at - created_at % 3600 AS hour, quota AS logged, 0 AS summed
      FROM ${rows} WHERE type = 2
    ${moved('moved_hours', 'user_id, model_name, hour, total, 0')}
    UNION ALL
    SELECT refund.user_id, logs.model_name, logs.created_at - logs.created_at % 3600, 0 - refund.amount, 0
      FROM quota_entries refund JOIN (SELECT request_id, model_name, created_at FROM ${rows} WHERE type = 2
        ${moved('moved_refunds', 'request_id, model_name, created_at')}) logs ON logs.request_id = refund.ref
      JOIN usage_data ON usage_data.user_id = refund.user_id AND usage_data.model_name = logs.model_name
        AND usage_data.created_at = logs.created_at - logs.created_at % 3600
      WHERE refund.kind = 'task_refund'
    UNION ALL
    SELECT user_id, model_name, created_at, 0, quota FROM usage_data
  ) cells
  WHERE hour >= ${hourly}
  GROUP BY user_id, model_name, hour`;

const checksWith = (logs: LogSources): Check[] => [
  { subject: 'user', rule: 'balance', sql: userBalance },
  { subject: 'token', rule: 'balance', sql: tokenBalance },
  { subject: 'user', rule: 'used', sql: used('user', logs), needsLogs: true },
  { subject: 'token', rule: 'used', sql: used('token', logs), needsLogs: true },
  { subject: 'channel', rule: 'used', sql: used('channel', logs), needsLogs: true },
  { subject: 'hour', rule: 'hourly', sql: hourlySums(logs), needsLogs: true },
];

/**
 * Proves that balances, counters, log rows and hourly sums agree: reads everything in one read transaction, so it can run beside the
 * traffic. Rows that are in a log database stand still meanwhile; what is settled goes on, into the main one.
 */
export async function verifyLedger(
  database: Config['database'],
  { logDatabase, onCheck }: VerifyOptions = {},
): Promise<VerifyReport> {
  const logs = logDatabase && (await areElsewhere(database)) ? await openStillLogs(logDatabase) : undefined;
  try {
    const snapshot = await openSnapshot(database, logs !== undefined);
    try {
      return await verifySnapshot(snapshot, logs, onCheck);
    } finally {
      await snapshot.close();
    }
  } finally {
    await logs?.close();
  }
}

async function verifySnapshot(
  snapshot: LedgerSnapshot,
  logs: StillLogs | undefined,
  onCheck: VerifyOptions['onCheck'],
): Promise<VerifyReport> {
  const withoutLogs = !logs && (await hasMoved(snapshot));
  const sources = logs ? bothLogs(await loadMoved(snapshot, logs)) : ownLogs;
  const report: VerifyReport = {
    ok: true,
    checked: { users: 0, tokens: 0, channels: 0, hours: 0, budgets: 0 },
    differences: [],
    differenceCount: 0,
    strays: await countStrays(snapshot),
    withoutLogs,
  };
  const all = await checksOf(snapshot, sources);
  const wanted = all.filter(({ needsLogs }) => !(needsLogs && withoutLogs));
  for (const [index, { subject, rule, sql }] of wanted.entries()) {
    onCheck?.(index, wanted.length);
    const [sums] = await snapshot.all<{ rows: number; wrong: number }>(
      `SELECT count(*) AS rows, coalesce(sum(CASE WHEN expected <> found THEN 1 ELSE 0 END), 0) AS wrong FROM (${sql}) checked`,
    );
    report.checked[`${subject}s`] = Number(sums?.rows ?? 0);
    const wrong = Number(sums?.wrong ?? 0);
    report.differenceCount += wrong;
    const room = listLimit - report.differences.length;
    if (wrong === 0 || room <= 0) continue;
    const rows = await snapshot.all<{ id: string; expected: number; found: number }>(
      `SELECT id, expected, found FROM (${sql}) checked WHERE expected <> found ORDER BY id LIMIT ${room}`,
    );
    for (const { id, expected, found } of rows) {
      report.differences.push({ subject, id, rule, expected: Number(expected), found: Number(found) });
    }
  }
  report.ok = report.differenceCount === 0 && report.strays.parked === 0;
  return report;
}

async function areElsewhere(database: Config['database']): Promise<boolean> {
  const snapshot = await openSnapshot(database);
  try {
    return await hasMoved(snapshot);
  } finally {
    await snapshot.close();
  }
}

/** Whether the log is in a database of its own, in whole or in part. */
async function hasMoved(snapshot: LedgerSnapshot): Promise<boolean> {
  if (!(await snapshot.hasTable('log_store'))) return false;
  return (await snapshot.all("SELECT 1 AS one FROM log_store WHERE phase IN ('used', 'returning')")).length > 0;
}

/** A copy that was made before there were budgets has no table of them. */
async function checksOf(snapshot: LedgerSnapshot, logs: LogSources): Promise<Check[]> {
  const checks = checksWith(logs);
  if (!(await snapshot.hasTable('limit_usage'))) return checks;
  const moved = logs.moved('moved_budgets', 'limit_id, subject, window_start, total');
  const budgets = budgetChecks(snapshot.engine, { rows: logs.rows, moved, cleared: logs.cleared });
  return [
    ...checks,
    ...budgets.map((check) => ({ subject: 'budget' as const, ...check, needsLogs: check.rule === 'used' })),
  ];
}

/** None in a copy that was made before they were written down. */
async function countStrays(snapshot: LedgerSnapshot): Promise<VerifyReport['strays']> {
  const counts = { booked: 0, parked: 0 };
  if (!(await snapshot.hasTable('stray_settlements'))) return counts;
  const rows = await snapshot.all<{ state: string; count: number }>(
    `SELECT state, count(*) AS count FROM stray_settlements
     WHERE state = 'parked' OR (state = 'booked' AND found_at > ${snapshot.now} - ${strayDays} * 86400) GROUP BY state`,
  );
  for (const { state, count } of rows) counts[state as keyof typeof counts] = Number(count);
  return counts;
}

/** With tables for what another database has, of this session alone. */
const openSnapshot = (database: Config['database'], hasTables = false): Promise<LedgerSnapshot> =>
  database.engine === 'sqlite'
    ? openSqliteSnapshot(database.file, hasTables)
    : openPostgresSnapshot(sessionUrl(database), hasTables);

async function openSqliteSnapshot(file: string, hasTables: boolean): Promise<LedgerSnapshot> {
  const connection = await openSqlite(file, { readOnly: true });
  // The file itself stays open for reading only.
  if (hasTables) await connection.exec(`PRAGMA query_only = OFF; ${makeMovedTables}`);
  await connection.exec('BEGIN');
  return {
    engine: 'sqlite',
    all: (sql, parameter) => connection.all(sql, parameter === undefined ? [] : [parameter]),
    hasTable: async (name) => (await connection.all('SELECT 1 FROM sqlite_schema WHERE name = ?', [name])).length > 0,
    now: 'unixepoch()',
    close: () => connection.close(),
  };
}

async function openPostgresSnapshot(url: string, hasTables: boolean): Promise<LedgerSnapshot> {
  const client = await openPostgresClient(url, 5000);
  if (hasTables) await client.query(makeMovedTables);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  return {
    engine: 'postgres',
    all: async <T>(sql: string, parameter?: string) =>
      (await client.query(sql, parameter === undefined ? [] : [parameter])).rows as T[],
    hasTable: async (name) =>
      (await client.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [name])).rows.length > 0,
    now: 'extract(epoch FROM now())::bigint',
    close: () => client.end(),
  };
}
