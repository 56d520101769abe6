import type { Config } from '../config.ts';
import '../database/postgres-types.ts';
import { openPostgresClient, sessionUrl } from '../database/postgres-client.ts';
import { openSqlite } from '../database/sqlite-connection.ts';
import { AppError } from '../errors/app-error.ts';
import { hourAtOrAfter } from '../lib/clock.ts';
import { endedBudgets } from './verify-budget.ts';

type Target = Config['database'];

/** One read transaction of the main database, with temporary tables. */
export interface LedgerSnapshot {
  all<T>(sql: string, parameter?: string): Promise<T[]>;
  hasTable(name: string): Promise<boolean>;
  /** SQL of unix seconds. */
  now: string;
  engine: Target['engine'];
  close(): Promise<void>;
}

/** The log database, which does not change until it is closed. */
export interface StillLogs {
  engine: Target['engine'];
  all<T>(sql: string): Promise<T[]>;
  close(): Promise<void>;
}

/** From which moments on sums are compared. */
export interface VerifyMarks {
  hourly: number;
  cleared: number;
}

/** What the log database has, in tables of the main one's snapshot. `copied_logs` are rows that are in both. */
export const movedTables = {
  copied_logs: ['id BIGINT'],
  moved_sums: ['subject TEXT', 'id BIGINT', 'total BIGINT'],
  moved_hours: ['user_id BIGINT', 'model_name TEXT', 'hour BIGINT', 'total BIGINT'],
  moved_refunds: ['request_id TEXT', 'model_name TEXT', 'created_at BIGINT'],
  moved_budgets: ['limit_id BIGINT', 'subject TEXT', 'window_start BIGINT', 'total BIGINT'],
} as const;

type MovedTable = keyof typeof movedTables;

const idsAtOnce = 5000;
const rowsAtOnce = 5000;

export async function openStillLogs(target: Target): Promise<StillLogs> {
  if (target.engine === 'sqlite') {
    const connection = await openSqlite(target.file, { busyTimeoutMs: 30_000 });
    await connection.exec('BEGIN IMMEDIATE');
    return {
      engine: 'sqlite',
      all: (sql) => connection.all(sql),
      close: () => connection.close(),
    };
  }
  const client = await openPostgresClient(sessionUrl(target), 5000);
  await client.query('BEGIN');
  await client.query('SELECT id FROM log_store FOR UPDATE');
  return {
    engine: 'postgres',
    all: async <T>(sql: string) => (await client.query(sql)).rows as T[],
    close: () => client.end(),
  };
}

/** Fills the tables; the snapshot was begun once the log database had come to a standstill. */
export async function loadMoved(snapshot: LedgerSnapshot, logs: StillLogs): Promise<VerifyMarks> {
  await requireOwn(snapshot, logs);
  const pending = await pendingChanges(snapshot, logs);
  const marks = await marksOf(snapshot, pending);
  await loadCopied(snapshot, logs);
  const sums = pending.flatMap((change) => change.sums);
  await load(
    snapshot,
    'moved_sums',
    sums.map(({ subject, id, quota }) => [subject, id, quota]),
  );
  for (const subject of ['user', 'token', 'channel']) {
    const rows = await logs.all<{ id: number; total: number }>(
      `SELECT ${subject}_id AS id, CAST(sum(quota) AS BIGINT) AS total FROM logs WHERE type = 2 GROUP BY ${subject}_id`,
    );
    await load(
      snapshot,
      'moved_sums',
      rows.map(({ id, total }) => [subject, id, total]),
    );
  }
  const hours = await logs.all<{ user_id: number; model_name: string; hour: number; total: number }>(
    `SELECT user_id, model_name, created_at - created_at % 3600 AS hour, CAST(sum(quota) AS BIGINT) AS total
      FROM logs WHERE type = 2 AND created_at >= ${marks.hourly} GROUP BY user_id, model_name, created_at - created_at % 3600`,
  );
  await load(
    snapshot,
    'moved_hours',
    hours.map(({ user_id, model_name, hour, total }) => [user_id, model_name, hour, total]),
  );
  await loadRefunds(snapshot, logs, marks.hourly);
  await loadBudgets(snapshot, logs);
  return marks;
}

async function requireOwn(snapshot: LedgerSnapshot, logs: StillLogs): Promise<void> {
  const read = 'SELECT id FROM log_store';
  const [[own], [other]] = [await snapshot.all<{ id: string }>(read), await logs.all<{ id: string }>(read)];
  if (!own || own.id !== other?.id) throw new AppError('logStore.otherInstallation');
}

interface PendingChange {
  sums: { subject: string; id: number; quota: number }[];
  before?: number;
}

/** What removed rows had counted and the main database has not booked yet. */
async function pendingChanges(snapshot: LedgerSnapshot, logs: StillLogs): Promise<PendingChange[]> {
  const [mark] = await snapshot.all<{ at: number }>("SELECT at FROM ledger_marks WHERE name = 'log_change'");
  const rows = await logs.all<{ change: string }>(
    `SELECT change FROM log_changes WHERE seq > ${Number(mark?.at ?? 0)}`,
  );
  return rows.map(({ change }) => JSON.parse(change) as PendingChange);
}

async function marksOf(snapshot: LedgerSnapshot, pending: PendingChange[]): Promise<VerifyMarks> {
  const rows = await snapshot.all<{ name: string; at: number }>(
    "SELECT name, at FROM ledger_marks WHERE name IN ('hourly', 'cleared')",
  );
  const at = (name: string) => Number(rows.find((row) => row.name === name)?.at ?? 0);
  const cleared = Math.max(at('cleared'), ...pending.map(({ before = 0 }) => before));
  const hourly = Math.max(at('hourly'), ...pending.map(({ before = 0 }) => hourAtOrAfter(before)));
  return { hourly, cleared };
}

async function loadCopied(snapshot: LedgerSnapshot, logs: StillLogs): Promise<void> {
  for (let after = 0; ; ) {
    const waiting = await snapshot.all<{ id: number }>(
      `SELECT id FROM logs WHERE id > ${after} ORDER BY id LIMIT ${idsAtOnce}`,
    );
    if (waiting.length === 0) return;
    const ids = waiting.map(({ id }) => Number(id));
    const copied = await logs.all<{ id: number }>(`SELECT id FROM logs WHERE id IN (${ids.join(', ')})`);
    await load(
      snapshot,
      'copied_logs',
      copied.map(({ id }) => [id]),
    );
    after = ids.at(-1) ?? after;
  }
}

/** Rows of jobs whose charge went back, of hours that are compared. */
async function loadRefunds(snapshot: LedgerSnapshot, logs: StillLogs, since: number): Promise<void> {
  const refunds = await snapshot.all<{ ref: string }>(
    `SELECT ref FROM quota_entries WHERE kind = 'task_refund' AND created_at >= ${since}`,
  );
  for (let at = 0; at < refunds.length; at += idsAtOnce) {
    const refs = refunds.slice(at, at + idsAtOnce).map(({ ref }) => `'${ref.replaceAll("'", "''")}'`);
    const rows = await logs.all<{ request_id: string; model_name: string; created_at: number }>(
      `SELECT request_id, model_name, created_at FROM logs WHERE type = 2 AND request_id IN (${refs.join(', ')})`,
    );
    await load(
      snapshot,
      'moved_refunds',
      rows.map(({ request_id, model_name, created_at }) => [request_id, model_name, created_at]),
    );
  }
}

async function loadBudgets(snapshot: LedgerSnapshot, logs: StillLogs): Promise<void> {
  const [first] = await snapshot.all<{ at: number | null }>('SELECT min(window_start) AS at FROM limit_usage');
  if (first?.at == null) return;
  const rows = await logs.all<{ limit_id: number; subject: string; window_start: number; total: number }>(
    `SELECT limit_id, subject, window_start, CAST(sum(quota) AS BIGINT) AS total
      FROM (${endedBudgets(logs.engine, 'logs', String(first.at))}) ended GROUP BY limit_id, subject, window_start`,
  );
  await load(
    snapshot,
    'moved_budgets',
    rows.map(({ limit_id, subject, window_start, total }) => [limit_id, subject, window_start, total]),
  );
}

async function load(snapshot: LedgerSnapshot, table: MovedTable, rows: (string | number)[][]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const values = movedTables[table].map((column, place) => {
      const value = `value ->> ${place}`;
      return snapshot.engine === 'sqlite' ? value : `(${value})::${column.split(' ')[1]}`;
    });
    const from = snapshot.engine === 'sqlite' ? 'json_each(?)' : 'json_array_elements($1::json) AS each(value)';
    await snapshot.all(
      `INSERT INTO ${table} SELECT ${values.join(', ')} FROM ${from}`,
      JSON.stringify(rows.slice(at, at + rowsAtOnce)),
    );
  }
}

/** The tables, for a connection on which no transaction is open yet. */
export const makeMovedTables: string = Object.entries(movedTables)
  .map(([name, columns]) => `CREATE TEMP TABLE ${name} (${columns.join(', ')});`)
  .join('\n');
