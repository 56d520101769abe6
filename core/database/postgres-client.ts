import pg from 'pg';
import type { PostgresTarget } from '../config.ts';
import { AppError } from '../errors/app-error.ts';

/** For what needs a session: LISTEN, advisory locks, cursors, settings that outlast a transaction. */
export const sessionUrl = ({ url, directUrl }: PostgresTarget): string => directUrl ?? url;

/**
 * Connections to `url` may be shared by clients between two transactions: nothing may be left in them, and a setting in the
 * start-up message is refused.
 */
export const isPooled = ({ directUrl }: PostgresTarget): boolean => directUrl !== undefined;

/** One connection beside the pool, for what needs a session or a snapshot of its own. Throws `database.unreachable`. */
export async function openPostgresClient(url: string, connectLimitMs: number): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectLimitMs });
  // A link that breaks fails the query that runs, or the next one; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new AppError('database.unreachable', { reason: (error as Error).message }, { cause: error });
  }
  return client;
}
