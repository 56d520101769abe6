import pg from 'pg';
import { AppError } from '../errors/app-error.ts';

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
