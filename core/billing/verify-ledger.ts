import type { Config } from '../config.ts';
import '../database/postgres-types.ts';
import { openPostgresClient, sessionUrl } from '../database/postgres-client.ts';
import { openSqlite } from '../database/sqlite-connection.ts';
import { budgetChecks } from './verify-budget.ts';

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
}

const strayDays = 30;
const listLimit = 100;

interface Check {
  subject: VerifyDifference['subject'];
  rule: VerifyRule;
  /** Rows (id, expected, found) of everything that is checked. */
  sql: string;
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

function used(subject: 'user' | 'token' | 'channel'): string {
  return `SELECT CAST(rows.id AS TEXT) AS id, coalesce(logged.total, 0) + coalesce(unlogged.quota, 0) AS expected,
      rows.used_quota AS found
    FROM ${subject}s rows
    LEFT JOIN (SELECT ${subject}_id AS id, sum(quota) AS total FROM logs
      WHERE type = 2 GROUP BY ${subject}_id) logged ON logged.id = rows.id
    LEFT JOIN unlogged_sums unlogged ON unlogged.subject = '${subject}' AND unlogged.subject_id = rows.id`;
}

// Both sides may have cells that the other lacks. A job that failed took its charge out of its hour again.
const hourly = `SELECT CAST(user_id AS TEXT) || '/' || model_name || '/' || CAST(hour AS TEXT) AS id,
    sum(logged) AS expected, sum(summed) AS found
  FROM (
    SELECT user_id, model_name, created_at - created_at % 3600 AS hour, quota AS logged, 0 AS summed
      FROM logs WHERE type = 2
    UNION ALL
    SELECT refund.user_id, logs.model_name, logs.created_at - logs.created_at % 3600, 0 - refund.amount, 0
      FROM quota_entries refund JOIN logs ON logs.request_id = refund.ref
      JOIN usage_data ON usage_data.user_id = refund.user_id AND usage_data.model_name = logs.model_name
        AND usage_data.created_at = logs.created_at - logs.created_at % 3600
      WHERE refund.kind = 'task_refund' AND logs.type = 2
    UNION ALL
    SELECT user_id, model_name, created_at, 0, quota FROM usage_data
  ) cells
  WHERE hour >= coalesce((SELECT at FROM ledger_marks WHERE name = 'hourly'), 0)
  GROUP BY user_id, model_name, hour`;

const checks: Check[] = [
  { subject: 'user', rule: 'balance', sql: userBalance },
  { subject: 'token', rule: 'balance', sql: tokenBalance },
  { subject: 'user', rule: 'used', sql: used('user') },
  { subject: 'token', rule: 'used', sql: used('token') },
  { subject: 'channel', rule: 'used', sql: used('channel') },
  { subject: 'hour', rule: 'hourly', sql: hourly },
];

/**
 * Proves that balances, counters, log rows and hourly sums agree: reads everything in one read transaction, so it can run
 * beside the traffic. `onCheck` hears how many of its checks are done.
 */
export async function verifyLedger(
  database: Config['database'],
  onCheck?: (done: number, total: number) => void,
): Promise<VerifyReport> {
  const snapshot =
    database.engine === 'sqlite'
      ? await openSqliteSnapshot(database.file)
      : await openPostgresSnapshot(sessionUrl(database));
  try {
    const report: VerifyReport = {
      ok: true,
      checked: { users: 0, tokens: 0, channels: 0, hours: 0, budgets: 0 },
      differences: [],
      differenceCount: 0,
      strays: await countStrays(snapshot),
    };
    const wanted = await checksOf(snapshot, database.engine);
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
  } finally {
    await snapshot.close();
  }
}

/** A copy that was made before there were budgets has no table of them. */
async function checksOf(snapshot: Snapshot, engine: Config['database']['engine']): Promise<Check[]> {
  if (!(await snapshot.hasTable('limit_usage'))) return checks;
  return [...checks, ...budgetChecks(engine).map((check) => ({ subject: 'budget' as const, ...check }))];
}

/** None in a copy that was made before they were written down. */
async function countStrays(snapshot: Snapshot): Promise<VerifyReport['strays']> {
  const counts = { booked: 0, parked: 0 };
  if (!(await snapshot.hasTable('stray_settlements'))) return counts;
  const rows = await snapshot.all<{ state: string; count: number }>(
    `SELECT state, count(*) AS count FROM stray_settlements
     WHERE state = 'parked' OR (state = 'booked' AND found_at > ${snapshot.now} - ${strayDays} * 86400) GROUP BY state`,
  );
  for (const { state, count } of rows) counts[state as keyof typeof counts] = Number(count);
  return counts;
}

interface Snapshot {
  all<T>(sql: string): Promise<T[]>;
  hasTable(name: string): Promise<boolean>;
  /** SQL of unix seconds. */
  now: string;
  close(): Promise<void>;
}

async function openSqliteSnapshot(file: string): Promise<Snapshot> {
  const connection = await openSqlite(file, { readOnly: true });
  await connection.exec('BEGIN');
  return {
    all: (sql) => connection.all(sql),
    hasTable: async (name) => (await connection.all('SELECT 1 FROM sqlite_schema WHERE name = ?', [name])).length > 0,
    now: 'unixepoch()',
    close: () => connection.close(),
  };
}

async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = await openPostgresClient(url, 5000);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  return {
    all: async <T>(sql: string) => (await client.query(sql)).rows as T[],
    hasTable: async (name) =>
      (await client.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [name])).rows.length > 0,
    now: 'extract(epoch FROM now())::bigint',
    close: () => client.end(),
  };
}
