import { openSqlite, type SqliteConnection, type SqlValue } from '../../database/sqlite-connection.ts';
import { AppError } from '../../errors/app-error.ts';
import { isFamily } from './family.ts';
import { type DumpEvent, readDump } from './mysql-dump.ts';
import type { MadeTable, NamedTable } from './mysql-text.ts';

/** Values of one INSERT; SQLite allows 32,766. */
const maxValues = 900;

export interface StagedDump {
  /** Every table of the old installation; without rows where only their number matters. */
  connection: SqliteConnection;
  /** Rows of the tables that were only counted. */
  counts: ReadonlyMap<string, number>;
  /** Nothing in the dump says whether it is whole. */
  isEndUnknown: boolean;
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
    const staged = await staging.end();
    await connection.exec('COMMIT');
    return { connection, ...staged };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

interface StagedTable {
  database: string;
  table: string;
  /** Its name until the whole dump was read: two databases may have a table of one name. */
  staged: string;
  columns: string[];
  rows: number;
  isCounted: boolean;
}

function createStaging(connection: SqliteConnection, file: string, isWanted: (table: string) => boolean) {
  const tables = new Map<string, StagedTable>();
  let inUse = '';
  let isEndUnknown = true;
  let batch: { to: StagedTable; names: string[]; rows: SqlValue[][] } | undefined;

  const keyOf = (database: string, table: string) => JSON.stringify([database, table]);
  const find = ({ database = inUse, table }: NamedTable) =>
    tables.get(keyOf(database, table)) ?? tables.get(keyOf(inUse, table));

  async function flush(): Promise<void> {
    if (!batch) return;
    const { to, names, rows } = batch;
    batch = undefined;
    const tuple = `(${names.map(() => '?').join(', ')})`;
    const sql = `INSERT OR REPLACE INTO ${to.staged} (${names.map(quoted).join(', ')}) VALUES `;
    const size = sizeOf(names);
    for (let at = 0; at < rows.length; at += size) {
      const part = rows.slice(at, at + size);
      await connection.run(sql + part.map(() => tuple).join(', '), part.flat());
    }
  }

  async function create({ database = inUse, table, columns, isOptional }: MadeTable): Promise<StagedTable> {
    const known = tables.get(keyOf(database, table));
    // Two dumps in one file: their rows would be mixed.
    if (known && known.rows > 0 && !isOptional) throw new AppError('takeover.dumpTwice', { file, table });
    if (known) return known;
    const [staged, isCounted] = [`staged_${tables.size}`, !isWanted(table)];
    const made: StagedTable = { database, table, staged, columns, rows: 0, isCounted };
    tables.set(keyOf(database, table), made);
    // No types: a value stays what the dump says it is.
    const list = columns.map((name) => quoted(name) + (name === 'id' ? ' INTEGER PRIMARY KEY' : ''));
    await connection.exec(`CREATE TABLE ${staged} (${list.join(', ')})`);
    return made;
  }

  async function insert({ names, values, ...named }: Extract<DumpEvent, { values: unknown }>): Promise<void> {
    const to = find(named) ?? (names && (await create({ ...named, columns: names })));
    const columns = names ?? to?.columns;
    if (!to || columns?.length !== values.length)
      throw new AppError('takeover.dumpColumns', { file, table: named.table });
    to.rows++;
    if (to.isCounted) return;
    if (batch?.to !== to || batch.names.length !== columns.length) {
      await flush();
      batch = { to, names: columns, rows: [] };
    }
    batch.rows.push(values);
    if (batch.rows.length >= sizeOf(columns)) await flush();
  }

  /** Keeps the tables of one database, by their own names. */
  async function end(): Promise<Omit<StagedDump, 'connection'>> {
    await flush();
    const database = installationIn([...tables.values()], file);
    const counts = new Map<string, number>();
    for (const { table, staged, rows, isCounted, ...of } of tables.values()) {
      const isKept = of.database === database;
      await connection.exec(isKept ? `ALTER TABLE ${staged} RENAME TO ${quoted(table)}` : `DROP TABLE ${staged}`);
      if (isKept && isCounted) counts.set(table, rows);
    }
    return { counts, isEndUnknown };
  }

  return {
    async take(events: DumpEvent[]): Promise<void> {
      for (const event of events) {
        if ('use' in event) inUse = event.use;
        else if ('end' in event) isEndUnknown = event.end === 'unknown';
        else if ('columns' in event) await create(event);
        else await insert(event);
      }
    },
    end,
  };
}

/** The one database that is of an old installation. Of several, only the operator knows which is meant. */
function installationIn(tables: StagedTable[], file: string): string | undefined {
  const databases = [...new Set(tables.map(({ database }) => database))];
  const found = databases.filter((database) => {
    const rows = new Map(tables.filter((one) => one.database === database).map((one) => [one.table, one.rows]));
    return isFamily(rows) && (rows.get('users') ?? 0) > 0;
  });
  if (found.length > 1) throw new AppError('takeover.dumpSeveral', { file, names: found.join(', ') });
  return found[0] ?? databases[0];
}

const sizeOf = (columns: string[]) => Math.max(1, Math.floor(maxValues / columns.length));

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
