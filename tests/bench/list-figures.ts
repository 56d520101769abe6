import pg from 'pg';
import type { MigrationContext } from '../../core/database/migrate.ts';
import { openSqlite } from '../../core/database/sqlite-connection.ts';
import { createRollUp } from '../../core/services/rolled-hour/roll-up.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';
import type { Engine } from '../support/temporary-database.ts';
import { addOldMonths, rareChannel, rareGroup, rareModel, rareUser, seedDays, seedLogs } from './list-seed.ts';

/** Milliseconds of one list, requested over HTTP by a signed-in user. */
export interface ListFigure {
  name: string;
  median: number;
  p95: number;
}

/** The promise of the reliability sheet (D6). */
export const listLimitMs = 200;

const daySeconds = 86_400;

/** Seeds an installation of its own and reads its lists as a console does. */
export async function listFigures(
  { engine, rows, rounds }: { engine: Engine; rows: number; rounds: number },
  progress: (text: string) => void,
): Promise<{ figures: ListFigure[]; bytes: number }> {
  const gateway = await startGateway(engine, { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' });
  try {
    const until = Math.floor(Date.now() / 1000);
    progress(`${rows} log rows on ${engine}`);
    await withSql(gateway, async (context) => {
      await addOldMonths(context, until);
      await seedLogs(context, { rows, until });
    });
    await rollUpAll(gateway, progress);
    progress('reading lists');
    return { figures: await readLists(gateway, until, rounds), bytes: await databaseBytes(gateway) };
  } finally {
    await gateway.stop();
  }
}

/** What a job does in the background over the first hours after an upgrade, in one go. */
export async function rollUpAll({ app }: TestGateway, progress: (text: string) => void): Promise<void> {
  const startedAt = performance.now();
  const { hours } = await createRollUp({ database: app.database, maxMs: Number.POSITIVE_INFINITY })(
    new AbortController().signal,
  );
  progress(`${hours} hours rolled up in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** Each list so many times, over HTTP by a signed-in administrator. */
export async function readLists(gateway: TestGateway, until: number, rounds: number): Promise<ListFigure[]> {
  const headers = await signIn(gateway.url);
  const figures: ListFigure[] = [];
  const plain = Object.entries(lists(until)).map(([name, path]) => [name, () => path] as const);
  for (const [name, path] of [...plain, ...Object.entries(reports(until))]) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await timeOf(`${gateway.url}${path(round)}`, headers));
    figures.push({ name, median: quantile(times, 0.5), p95: quantile(times, 0.95) });
  }
  return figures;
}

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Common and rare values, short and long ranges, first and deep pages. */
function lists(until: number): Record<string, string> {
  const ago = (days: number) => until - days * daySeconds;
  const today = `start_timestamp=${ago(1)}&end_timestamp=${until + 3600}`;
  const oldMonth = `start_timestamp=${ago(80)}&end_timestamp=${ago(50)}`;
  const whole = `start_timestamp=${ago(seedDays)}&end_timestamp=${until}`;
  const log = '/api/log/?page_size=100';
  return {
    'all, first page': log,
    'all, page 100': `${log}&p=100`,
    'all, today': `${log}&${today}`,
    'all, an old month, page 50': `${log}&${oldMonth}&p=50`,
    'type consumption, page 100': `${log}&type=2&p=100`,
    'type top-up': `${log}&type=1`,
    'user with half of all rows': `${log}&username=root`,
    'user with half of all rows, an old month, page 50': `${log}&username=root&${oldMonth}&p=50`,
    'user with thirty rows': `${log}&user_id=${rareUser}`,
    'channel, page 100': `${log}&channel=7&p=100`,
    'channel with thirty rows': `${log}&channel=${rareChannel}`,
    model: `${log}&model_name=model-7`,
    'model with thirty rows': `${log}&model_name=${rareModel}`,
    'models by pattern': `${log}&model_name=model-1%25`,
    'group, page 100': `${log}&group=vip&p=100`,
    'group with thirty rows': `${log}&group=${rareGroup}`,
    'token name, today': `${log}&token_name=token-77&${today}`,
    'token name with thirty rows': `${log}&token_name=rare-token`,
    'user and model': `${log}&username=root&model_name=model-7&p=20`,
    'user and model with thirty rows': `${log}&username=root&model_name=${rareModel}`,
    'user, channel, model, group, today': `${log}&username=root&channel=7&model_name=model-7&group=vip&${today}`,
    'own rows': '/api/log/self?page_size=100',
    'own rows, today, one token': `/api/log/self?page_size=100&token_name=token-77&${today}`,
    'search by type': '/api/log/search?keyword=4',
    'search by content': '/api/log/search?keyword=Note%2012',
    'search among own rows': '/api/log/self/search?keyword=2',
    'sums, today': `/api/log/stat?${today}`,
    'sums, an old month': `/api/log/stat?${oldMonth}`,
    'sums, 90 days': `/api/log/stat?${whole}`,
    'sums of a user, 90 days': `/api/log/stat?username=root&${whole}`,
    'sums of a channel, today': `/api/log/stat?channel=7&${today}`,
    'sums of a channel, 90 days': `/api/log/stat?channel=7&${whole}`,
    'own sums, 90 days': `/api/log/self/stat?${whole}`,
    'hourly sums of a user, 7 days': `/api/data/?username=root&start_timestamp=${ago(7)}&end_timestamp=${until}`,
    'own hourly sums, a day': `/api/data/self?start_timestamp=${ago(1)}&end_timestamp=${until}`,
  };
}

/** A report is read once for all who ask for the same range, so each round asks for another one. */
function reports(until: number): Record<string, (round: number) => string> {
  const start = until - 30 * daySeconds;
  const report = (by: string) => (round: number) =>
    `/api/data/report?by=${by}&start_timestamp=${start + round * 60}&end_timestamp=${until}`;
  return {
    'usage by model, 30 days': report('model'),
    'usage by day, 30 days': report('day'),
    'usage by channel, 30 days': report('channel'),
  };
}

/** What the rows take on the disk, indexes included. */
export async function databaseBytes({ app }: TestGateway): Promise<number> {
  const sql =
    app.database.engine === 'sqlite'
      ? 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()'
      : 'SELECT pg_database_size(current_database()) AS bytes';
  const [row] = await app.database.select<{ bytes: number }>(sql);
  return row?.bytes ?? 0;
}

export async function withSql(gateway: TestGateway, work: (context: MigrationContext) => Promise<void>): Promise<void> {
  const { database } = gateway.app.config;
  if (database.engine === 'sqlite') {
    const connection = await openSqlite(database.file);
    // What is filled here may be filled again: it needs memory, and no disk to wait for.
    await connection.exec('PRAGMA cache_size = -2000000');
    await connection.exec('PRAGMA synchronous = OFF');
    await work({ engine: 'sqlite', run: (sql) => connection.exec(sql), rows: (sql) => connection.all(sql) });
    return connection.close();
  }
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await work({
    engine: 'postgres',
    run: async (sql) => void (await client.query(sql)),
    rows: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
  });
  await client.end();
}

async function signIn(url: string): Promise<Record<string, string>> {
  const response = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: 'correct horse battery' }),
  });
  const { data } = (await response.json()) as { data: { id: number } };
  const cookie = (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  return { cookie, 'new-api-user': String(data.id) };
}

async function timeOf(url: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const response = (await (await fetch(url, { headers })).json()) as { success: boolean; message: string };
  if (!response.success) throw new Error(`${url}: ${response.message}`);
  return performance.now() - startedAt;
}

export function renderLists(figures: ListFigure[], { machine, title }: { machine: string; title: string }): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const line = ({ name, median, p95 }: ListFigure) =>
    `${name.padEnd(width)}  ${median.toFixed(1).padStart(8)}  ${p95.toFixed(1).padStart(8)}  ${p95 <= listLimitMs ? 'met' : 'MISSED'}`;
  const head = `${'list'.padEnd(width)}    median       p95  ≤ ${listLimitMs} ms`;
  return [machine, title, '', head, ...figures.map(line), ''].join('\n');
}
