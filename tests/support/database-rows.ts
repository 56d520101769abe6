import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqlite } from '../../core/database/sqlite-connection.ts';

/** The hash of each table's rows. */
export type Snapshot = Map<string, string>;

export interface DatabaseRows {
  read(): Promise<Snapshot>;
  /** Once nothing moves any more: a test of all channels goes on after its response. */
  settled(): Promise<Snapshot>;
  close(): Promise<void>;
}

export const changedTables = (before: Snapshot, after: Snapshot) =>
  [...after].flatMap(([name, hash]) => (before.get(name) === hash ? [] : [name])).join(', ');

/** What is in the database, but for the times at which something was seen and for who is at work. */
export async function openRows(file: string): Promise<DatabaseRows> {
  const connection = await openSqlite(file, { readOnly: true });
  const tables = await connection.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
       AND name NOT IN ('changes', 'ledger_owners', 'job_locks')`,
  );
  const statements = new Map<string, string>();
  for (const { name } of tables) statements.set(name, await textOf(name));
  let last: { version: number; snapshot: Snapshot } | undefined;

  /** All rows of a table as one text, put together by the database: thousands of row objects would cost a hundred times as much. */
  async function textOf(table: string): Promise<string> {
    const columns = await connection.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`);
    const values = columns.filter(({ name }) => name !== 'seen_at').map(({ name }) => `quote("${name}")`);
    return `SELECT group_concat(${values.join(" || ',' || ")}, char(10)) AS text FROM "${table}"`;
  }

  async function read(): Promise<Snapshot> {
    // Another number whenever another connection has committed.
    const [{ data_version: version } = { data_version: 0 }] = await connection.all<{ data_version: number }>(
      'PRAGMA data_version',
    );
    if (last?.version === version) return last.snapshot;
    const snapshot: Snapshot = new Map();
    for (const [name, statement] of statements) {
      const [{ text } = { text: null }] = await connection.all<{ text: string | null }>(statement);
      snapshot.set(
        name,
        createHash('sha256')
          .update(text ?? '')
          .digest('hex'),
      );
    }
    last = { version, snapshot };
    return snapshot;
  }

  return {
    read,
    async settled(): Promise<Snapshot> {
      for (let before = await read(); ; ) {
        const next = await read();
        if (!changedTables(before, next)) return next;
        before = next;
        await wait(100);
      }
    },
    close: () => connection.close(),
  };
}
