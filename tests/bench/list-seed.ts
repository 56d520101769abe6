import { monthStart } from '../../core/database/log-part.ts';
import type { MigrationContext } from '../../core/database/migrate.ts';

/** A log as a busy installation has it after three months: few heavy users, many small ones, and values that are rare. */
export interface SeedPlan {
  rows: number;
  /** Unix seconds of the newest row. */
  until: number;
  /** Only this part of the rows, by number: a log that grows is filled a part at a time. */
  from?: number;
  to?: number;
}

export const seedDays = 90;
/** Half of all rows are the first user's; the last one has thirty rows, all of them old. */
export const heavyUser = 1;
export const rareUser = 1001;
export const rareToken = 3001;
export const rareChannel = 41;
export const rareModel = 'rare-model';
export const rareGroup = 'rare';
export const rareToKeep = 30;

/** SQLite has one writer: a server beside it waits for one statement at most. */
const rowsPerStatement = 50_000;

export const bill =
  '{"model_ratio":0.075,"group_ratio":1,"completion_ratio":4,"model_price":-1,"frt":412,"usage_source":"upstream","outcome":"complete","duration_ms":2410,"protocol":"openai-chat","bill":{"rates":{"modelRatio":0.075,"completionRatio":4,"groupRatio":1,"quotaPerUnit":500000,"source":"list"},"usage":{"prompt":38,"completion":42}},"admin_info":{"use_channel":["5"],"attempts":[{"channel":5,"outcome":"served","ms":2410}]}}';

/** On PostgreSQL, the months that an installation of that age has; nothing is older than the first of them. */
export async function addOldMonths({ engine, run }: MigrationContext, until: number): Promise<void> {
  if (engine === 'sqlite') return;
  const first = monthStart(until - seedDays * 86_400);
  await run(`DROP TABLE logs_before`);
  await run(`SELECT logs_add_before(${first})`);
  for (let month = first; month < monthStart(until); month = monthStart(month, 1))
    await run(`SELECT logs_add_month(${month})`);
}

/** Fills `logs` and the hourly sums, in plain SQL so that five million rows take a few minutes. */
export async function seedLogs(
  context: MigrationContext,
  { rows, until, from = 0, to = rows }: SeedPlan,
): Promise<void> {
  const secondsPerRow = (seedDays * 86_400) / rows;
  for (let start = from; start < to; start += rowsPerStatement) {
    const end = Math.min(to, start + rowsPerStatement);
    await context.run(insertRows(context, { start, end, rows, until, secondsPerRow }));
    await context.run(addHours(start, end));
  }
  // As the database keeps itself over months: statistics and, on PostgreSQL, the visibility map.
  await context.run(context.engine === 'postgres' ? 'VACUUM ANALYZE logs' : 'PRAGMA wal_checkpoint(TRUNCATE)');
}

function addHours(start: number, end: number): string {
  return `INSERT INTO usage_data (user_id, model_name, created_at, username, token_used, count, quota)
    SELECT user_id, model_name, created_at - created_at % 3600, max(username), sum(prompt_tokens + completion_tokens),
      count(*), sum(quota)
    FROM logs WHERE type = 2 AND request_id >= '${requestId(start)}' AND request_id < '${requestId(end)}'
    GROUP BY user_id, model_name, created_at - created_at % 3600
    ON CONFLICT (user_id, model_name, created_at) DO UPDATE SET token_used = usage_data.token_used + excluded.token_used,
      count = usage_data.count + excluded.count, quota = usage_data.quota + excluded.quota`;
}

/** In the order of the rows, as real ids are. */
const requestId = (n: number) => `bench-${String(n).padStart(20, '0')}`;

interface Span {
  start: number;
  end: number;
  rows: number;
  until: number;
  secondsPerRow: number;
}

function insertRows({ engine }: MigrationContext, { start, end, rows, until, secondsPerRow }: Span): string {
  const numbers =
    engine === 'postgres'
      ? `SELECT n FROM generate_series(${start}::bigint, ${end - 1}) AS series(n)`
      : `WITH RECURSIVE series(n) AS (SELECT ${start} UNION ALL SELECT n + 1 FROM series WHERE n + 1 < ${end}) SELECT n FROM series`;
  // A multiplicative hash instead of a random number: every run has the same rows.
  const hash = (salt: number) => `((n * 2654435761 + ${salt} * 97003) % 4294967296 / 64)`;
  const rowsPerHour = Math.max(1, Math.floor(3600 / secondsPerRow));
  const rare = `n % ${Math.floor(rows / 3 / rareToKeep)} = 7 AND n < ${Math.floor(rows / 3)}`;
  const isNote = `(n % 100 = 3)`;
  const pick = (common: string, exception: string) => `CASE WHEN ${rare} THEN ${exception} ELSE ${common} END`;
  // In each hour some forty users work, each with three models of their own.
  const worker = `(n / ${rowsPerHour} * 40 + ${hash(2)} % 40)`;
  const user = `CASE WHEN ${hash(1)} % 1000 < 500 THEN ${heavyUser} ELSE 2 + ${worker} * 7919 % 999 END`;
  const model = `'model-' || ((${worker} * 31 + ${hash(5)} % 3) % 60)`;
  const group = `CASE WHEN n % 20 = 0 THEN 'vip' ELSE 'default' END`;
  const columns = [
    `'bench-' || ${engine === 'postgres' ? "lpad(n::text, 20, '0')" : "printf('%020d', n)"}`,
    pick(user, String(rareUser)),
    `${Math.round(until - seedDays * 86_400)} + CAST(n * ${secondsPerRow} AS BIGINT)`,
    `CASE WHEN ${isNote} THEN 1 + n / 100 % 4 ELSE 2 END`,
    `CASE WHEN ${isNote} THEN 'Note ' || n ELSE '' END`,
    pick(`'user' || (${hash(3)} % 1000)`, `'rare'`),
    pick(`1 + ${hash(4)} % 3000`, String(rareToken)),
    pick(`'token-' || (${hash(4)} % 3000)`, `'rare-token'`),
    pick(model, `'${rareModel}'`),
    `${hash(6)} % 5000`,
    '38',
    '42',
    '3',
    engine === 'postgres' ? 'n % 2 = 0' : 'n % 2',
    pick(`1 + ${hash(7)} % 40`, String(rareChannel)),
    pick(group, `'${rareGroup}'`),
    `'${bill}'`,
  ];
  return `INSERT INTO logs (request_id, user_id, created_at, type, content, username, token_id, token_name, model_name,
      quota, prompt_tokens, completion_tokens, use_time, is_stream, channel_id, "group", other)
    SELECT ${columns.join(', ')} FROM (${numbers}) AS numbered`;
}
