import pg from 'pg';
import type { PostgresTarget } from '../config/database.ts';
import { unreachable } from './unreachable.ts';

/** For what needs a session: LISTEN, advisory locks, cursors, settings that outlast a transaction. */
export const sessionUrl = ({ url, directUrl }: PostgresTarget): string => directUrl ?? url;

/**
 * Connections to `url` may be shared by clients between two transactions: nothing may be left in them, and a setting in the
 * start-up message is refused.
 */
export const isPooled = ({ directUrl }: PostgresTarget): boolean => directUrl !== undefined;

/**
 * The address as the driver is told it. It treats these three modes as `verify-full` (and says so at length, on standard error of
 * each command), because anything less would accept the certificate of another server.
 */
export function driverUrl(url: string): string {
  return /[?&]uselibpqcompat=true(&|$)/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

/** How long a link may be silent before the system asks whether its other end is still there. */
const silentMs = 10_000;

/** One connection beside the pool, for what needs a session or a snapshot of its own. Throws as `unreachable` does. */
export async function openPostgresClient(url: string, connectLimitMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: driverUrl(url),
    connectionTimeoutMillis: connectLimitMs,
    // A statement may take as long as it needs. One whose server is gone without a word, or whose silent link a firewall has
    // forgotten, would take forever, and the job that waits for it would never run again.
    keepAlive: true,
    keepAliveInitialDelayMillis: silentMs,
  });
  // A link that breaks fails the query that runs, or the next one; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw unreachable(error as Error);
  }
  return client;
}
