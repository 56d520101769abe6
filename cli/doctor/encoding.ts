import type { PostgresTarget } from '../../core/config/database.ts';
import type { Speak } from '../text.ts';
import { type Finding, finding } from './finding.ts';

/** A database from before a start refused such an encoding. Undefined where all is well, and where it cannot be reached. */
export async function checkEncoding(
  { url }: PostgresTarget,
  variable: 'SQL_DSN' | 'LOG_SQL_DSN',
  speak: Speak,
): Promise<Finding | undefined> {
  const encoding = await readEncoding(url).catch(() => undefined);
  if (encoding === undefined || encoding === 'UTF8') return undefined;
  const wayOut = variable === 'SQL_DSN' ? 'tollgate db move --to <dsn>' : 'tollgate log bring-back';
  return finding('encoding', 'warn', speak('doctor.encoding', { variable, encoding, wayOut }));
}

async function readEncoding(url: string): Promise<string | undefined> {
  const { openPostgresClient } = await import('../../core/database/postgres-client.ts');
  const client = await openPostgresClient(url, 5000);
  try {
    const { rows } = await client.query<{ encoding: string }>(`SELECT current_setting('server_encoding') AS encoding`);
    return rows[0]?.encoding;
  } finally {
    await client.end();
  }
}
