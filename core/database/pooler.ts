import pg from 'pg';
import type { PostgresTarget } from '../config/database.ts';
import { AppError } from '../errors/app-error.ts';
import { driverUrl, openPostgresClient, sessionUrl } from './postgres-client.ts';

const connectLimitMs = 10_000;
const looks = 5;

/**
 * Throws `database.pooler` when the connection is not one to PostgreSQL itself and cannot serve as a session. A pooler makes up
 * the process id that a client is told at its start, so without one this costs a single query.
 */
export async function requireSession(client: pg.Client, database: PostgresTarget): Promise<void> {
  const { processID } = client as unknown as { processID: number | null };
  if (processID === (await backendOf(client))) return;
  const url = sessionUrl(database);
  if ((await isShared(client, url)) || (await refusesSettings(url))) {
    throw new AppError(database.directUrl === undefined ? 'database.pooler' : 'database.directPooler');
  }
}

/** Throws `database.directElsewhere` when the two addresses lead to two databases: one would be migrated and the other one served. */
export async function requireOneDatabase({ url, directUrl }: PostgresTarget): Promise<void> {
  if (directUrl === undefined || directUrl === url) return;
  const [shared, direct] = [await identityOf(url), await identityOf(directUrl)];
  if (shared !== direct) throw new AppError('database.directElsewhere');
}

/**
 * Whether statements outside a transaction end at some time, too: a connection that others use gets no limits from us, only from
 * its role, its database or the pooler.
 */
export async function hasLimits({ url }: PostgresTarget): Promise<boolean> {
  const client = await openPostgresClient(url, connectLimitMs);
  try {
    const { rows } = await client.query<{ limited: boolean }>(
      `SELECT current_setting('statement_timeout') <> '0' AND current_setting('lock_timeout') <> '0' AS limited`,
    );
    return rows[0]?.limited === true;
  } finally {
    await client.end();
  }
}

async function identityOf(url: string): Promise<string> {
  const client = await openPostgresClient(url, connectLimitMs);
  try {
    const { rows } = await client.query<{ identity: string }>(
      `SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()), oid) AS identity
       FROM pg_database WHERE datname = current_database()`,
    );
    return rows[0]?.identity ?? '';
  } finally {
    await client.end();
  }
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

/** Two clients that are connected at the same time are served by one backend: in session mode that cannot be. */
async function isShared(client: pg.Client, url: string): Promise<boolean> {
  const other = await openPostgresClient(url, connectLimitMs);
  try {
    const backends = [new Set<unknown>(), new Set<unknown>()] as const;
    for (let look = 0; look < looks; look++) {
      backends[0].add(await backendOf(client));
      backends[1].add(await backendOf(other));
    }
    return backends[0].size > 1 || [...backends[0]].some((pid) => backends[1].has(pid));
  } finally {
    await other.end();
  }
}

/** As PgBouncer does unless it is told to ignore them. */
async function refusesSettings(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: driverUrl(url),
    connectionTimeoutMillis: connectLimitMs,
    lock_timeout: 5000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return false;
  } catch (error) {
    if (/startup parameter/.test((error as Error).message)) return true;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
