import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';

const pageSize = 1000;

/** The rows between two moments, by time and then by id, a page at a time. */
export async function* readMonth(
  database: Database,
  { from, until }: { from: number; until: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<LogRow[]> {
  for (let last: Pick<LogRow, 'created_at' | 'id'> = { created_at: from, id: 0 }; !signal?.aborted; ) {
    // SQL: the page must follow the index of the times.
    const page = await database.select<LogRow>(
      `SELECT * FROM logs WHERE created_at >= :at AND created_at < :until AND (created_at > :at OR id > :id)
        ORDER BY created_at, id LIMIT ${pageSize}`,
      { at: last.created_at, id: last.id, until },
    );
    // SQLite returns 0 and 1 for a plain query.
    if (page.length > 0) yield page.map((row) => ({ ...row, is_stream: Boolean(row.is_stream) }));
    const end = page.at(-1);
    if (!end || page.length < pageSize) return;
    last = end;
  }
}
