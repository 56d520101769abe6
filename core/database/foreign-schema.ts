import type { Migration } from './migrate.ts';
import { migrationsTable } from './migrations-table.ts';
import { openSqlite, type SqliteConnection } from './sqlite-connection.ts';

/** What SQLite keeps for itself: sequences and statistics. */
const ownTables = ['sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'];

/**
 * What of a schema the migrations did not make, or made otherwise: `trigger pay_me`, `table users`. A trigger, a view or an index
 * over an expression runs code of the file's author, with every change of a balance.
 */
export async function foreignSchema(connection: SqliteConnection, migrations: Migration[]): Promise<string[]> {
  const executed = await connection.all<{ name: string }>('SELECT name FROM migrations');
  const names = new Set(executed.map(({ name }) => name));
  const model = await openSqlite(':memory:');
  try {
    await model.exec(migrationsTable);
    const context = {
      engine: 'sqlite' as const,
      run: (sql: string) => model.exec(sql),
      rows: <Row>(sql: string) => model.all<Row>(sql),
    };
    for (const { name, up } of migrations) if (names.has(name)) await up(context);
    const [found, expected] = [await readSchema(connection), await readSchema(model)];
    const all = new Set([...found.keys(), ...expected.keys()]);
    return [...all].filter((name) => found.get(name) !== expected.get(name)).sort();
  } finally {
    await model.close();
  }
}

async function readSchema(connection: SqliteConnection): Promise<Map<string, string>> {
  const rows = await connection.all<{ type: string; name: string; tbl_name: string; sql: string | null }>(
    'SELECT type, name, tbl_name, sql FROM sqlite_schema',
  );
  const own = rows.filter(({ name, sql }) => sql !== null && !ownTables.includes(name));
  return new Map(
    own.map(({ type, name, tbl_name, sql }) => [`${type} ${name}`, `${tbl_name} ${sql?.replace(/\s+/g, ' ').trim()}`]),
  );
}
