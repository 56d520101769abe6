import { openSqlite, type SqliteConnection, type SqlValue } from '../../database/sqlite-connection.ts';
import { AppError } from '../../errors/app-error.ts';
import { type DumpEvent, readDump } from './mysql-dump.ts';

/** Values of one INSERT; SQLite allows 32,766. */
const maxValues = 900;

export interface StagedDump {
  /** Every table of the dump; without rows where only their number matters. */
  connection: SqliteConnection;
  /** Rows of the tables that were only counted. */
  counts: ReadonlyMap<string, number>;
}

/**
 * The tables of a dump in a SQLite database without a name: it lies in a temporary file that no other process can open and that is gone
 * with this one. The keys of an old installation are in it in plain text. Rows are then read in the order of their ids, as from any other source.
 */
export async function stageDump(file: string, isWanted: (table: string) => boolean): Promise<StagedDump> {
  const connection = await openSqlite('');
  const staging = createStaging(connection, file, isWanted);
  try {
    await connection.exec('BEGIN');
    for await (const events of readDump(file)) await staging.take(events);
    await staging.end();
    await connection.exec('COMMIT');
    return { connection, counts: staging.counts };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function createStaging(connection: SqliteConnection, file: string, isWanted: (table: string) => boolean) {
  const tables = new Map<string, string[]>();
  const counts = new Map<string, number>();
  let batch: { table: string; names: string[]; rows: SqlValue[][] } | undefined;

  async function flush(): Promise<void> {
    if (!batch) return;
    const { table, names, rows } = batch;
    batch = undefined;
    const tuple = `(${names.map(() => '?').join(', ')})`;
    const sql = `INSERT OR REPLACE INTO ${quoted(table)} (${names.map(quoted).join(', ')}) VALUES `;
    const size = sizeOf(names);
    for (let at = 0; at < rows.length; at += size) {
      const part = rows.slice(at, at + size);
      await connection.run(sql + part.map(() => tuple).join(', '), part.flat());
    }
  }

  async function create(table: string, columns: string[]): Promise<void> {
    if (tables.has(table)) return;
    tables.set(table, columns);
    // No types: a value stays what the dump says it is.
    const list = columns.map((name) => quoted(name) + (name === 'id' ? ' INTEGER PRIMARY KEY' : ''));
    await connection.exec(`CREATE TABLE ${quoted(table)} (${list.join(', ')})`);
    if (!isWanted(table)) counts.set(table, 0);
  }

  async function insert({ table, names, values }: Extract<DumpEvent, { values: unknown }>): Promise<void> {
    const columns = names ?? tables.get(table);
    if (names && !tables.has(table)) await create(table, names);
    if (columns?.length !== values.length) throw new AppError('takeover.dumpColumns', { file, table });
    const count = counts.get(table);
    if (count !== undefined) {
      counts.set(table, count + 1);
      return;
    }
    if (batch?.table !== table || batch.names.length !== columns.length) {
      await flush();
      batch = { table, names: columns, rows: [] };
    }
    batch.rows.push(values);
    if (batch.rows.length >= sizeOf(columns)) await flush();
  }

  return {
    counts,
    async take(events: DumpEvent[]): Promise<void> {
      for (const event of events) {
        if ('columns' in event) await create(event.table, event.columns);
        else await insert(event);
      }
    },
    end: flush,
  };
}

const sizeOf = (columns: string[]) => Math.max(1, Math.floor(maxValues / columns.length));

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
