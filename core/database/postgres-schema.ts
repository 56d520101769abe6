import pg from 'pg';
import { AppError } from '../errors/app-error.ts';
import type { Migration } from './migrate.ts';
import { migrationsTable } from './migrations-table.ts';
import { openPostgresClient } from './postgres-client.ts';

type Parts = Map<string, string>;

/** Always rolled back, so no other connection ever sees it. */
const modelSchema = 'tollgate_schema_model';

/**
 * As `foreignSchema`, for PostgreSQL: the migrations that ran are run once more, in a schema of its own and a transaction that is
 * rolled back, and the two catalogs are compared. Throws `database.compareRefused` where that is not allowed.
 */
export async function foreignPostgresSchema(url: string, migrations: Migration[]): Promise<string[]> {
  const client = await openPostgresClient(url, 10_000);
  try {
    await client.query('BEGIN');
    const place = await findPlace(client);
    const found = await readParts(client, place.home);
    const expected = await makeModel(client, migrations);
    const all = new Set([...found.keys(), ...expected.keys()]);
    const foreign = [...all].filter((name) => found.get(name) !== expected.get(name));
    return [...foreign, ...(await shadows(client, place.before, expected))].sort();
  } finally {
    // Ends the transaction with it.
    await client.end();
  }
}

/** The schema with our tables, and those that are searched before it. */
async function findPlace(client: pg.Client): Promise<{ home: string; before: string[] }> {
  const { rows } = await client.query<{ home: string; path: string[] }>(
    `SELECT nspname::text AS home, current_schemas(false)::text[] AS path
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE pg_class.oid = to_regclass('migrations')`,
  );
  const { home = 'public', path = [] } = rows[0] ?? {};
  return { home, before: path.slice(0, path.indexOf(home)) };
}

async function makeModel(client: pg.Client, migrations: Migration[]): Promise<Parts> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
  const executed = new Set(rows.map(({ name }) => name));
  try {
    await client.query(`CREATE SCHEMA ${modelSchema}`);
  } catch (error) {
    throw new AppError('database.compareRefused', { reason: (error as Error).message }, { cause: error });
  }
  await client.query(`SET LOCAL search_path TO ${modelSchema}`);
  await client.query(migrationsTable);
  const context = {
    engine: 'postgres' as const,
    run: async (sql: string) => void (await client.query(sql)),
    rows: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
  };
  for (const { name, up } of migrations) if (executed.has(name)) await up(context);
  return readParts(client, modelSchema);
}

/** What is in the place of a part of ours, because its schema is searched first. */
async function shadows(client: pg.Client, schemas: string[], expected: Parts): Promise<string[]> {
  const names = [...expected.keys()].map((part) => part.replace(/^[a-z ]+ |\(.*$/g, ''));
  const { rows } = await client.query<{ name: string }>(
    `SELECT nspname || '.' || name AS name
     FROM (SELECT relnamespace, relname AS name FROM pg_class UNION SELECT pronamespace, proname FROM pg_proc) AS part
     JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = ANY ($1) AND name = ANY ($2)`,
    [schemas, names],
  );
  return rows.map(({ name }) => name);
}

async function readParts(client: pg.Client, schema: string): Promise<Parts> {
  // Names of this schema are written without it, and all others with theirs.
  await client.query(`SET LOCAL search_path TO ${pg.escapeIdentifier(schema)}`);
  const parts: Parts = new Map();
  for (const sql of catalog) {
    const { rows } = await client.query<{ part: string; definition: string }>(sql, [schema]);
    for (const { part, definition } of rows) parts.set(part, definition);
  }
  return parts;
}

const inSchema = (column: string) => `${column} = (SELECT oid FROM pg_namespace WHERE nspname = $1)`;
/** What an extension brought is its own. */
const notOfExtension = (table: string) =>
  `NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = '${table}'::regclass AND objid = ${table}.oid AND deptype = 'e')`;
/** The months of the log (migration 0029): which there are depends on the day, and a log with rows is split up only later. */
const partOfLog = `relispartition AND relname ~ '^logs_(before|rest|[0-9]{4}_[0-9]{2})$'`;
const ownRelation = `${inSchema('relnamespace')} AND ${notOfExtension('pg_class')}`;
const ownTable = `${ownRelation} AND NOT (${partOfLog})`;
/** Each month has its own. */
const uniqueOfLog = "'logs_pkey', 'logs_request_id_key', 'logs_before_until'";

const catalog = [
  `SELECT CASE CASE relname WHEN 'logs' THEN replace(relkind::text, 'p', 'r') ELSE relkind::text END
      WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' WHEN 'f' THEN 'foreign table' WHEN 'v' THEN 'view'
      WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' ELSE 'type' END || ' ' || relname AS part,
    concat_ws(' ', relpersistence, relrowsecurity, relforcerowsecurity,
      CASE WHEN relkind IN ('v', 'm') THEN pg_get_viewdef(oid, true) END) AS definition
   FROM pg_class WHERE relkind IN ('r', 'p', 'f', 'v', 'm', 'S', 'c') AND ${ownTable}`,
  `SELECT 'column ' || relname || '.' || attname AS part,
    concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attcollation,
      pg_get_expr(adbin, adrelid)) AS definition
   FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
   WHERE attnum > 0 AND NOT attisdropped AND relkind IN ('r', 'p', 'f') AND ${ownTable}`,
  // From PostgreSQL 18 on, NOT NULL is a constraint with a name, too; it is told with the column.
  `SELECT 'constraint ' || relname || '.' || conname AS part,
    concat_ws(' ', pg_get_constraintdef(pg_constraint.oid, true), convalidated) AS definition
   FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid WHERE contype <> 'n' AND ${ownRelation}
     AND NOT (relname LIKE 'logs%' AND conname IN (${uniqueOfLog})) AND NOT (${partOfLog} AND contype IN ('p', 'u'))`,
  `SELECT 'index ' || relname AS part,
    concat_ws(' ', replace(pg_get_indexdef(indexrelid, 0, true), ' ON ONLY logs ', ' ON logs '), indisvalid) AS definition
   FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
   WHERE ${ownRelation} AND relname NOT IN (${uniqueOfLog})
     AND NOT EXISTS (SELECT 1 FROM pg_class part WHERE part.oid = indrelid AND ${partOfLog.replaceAll('rel', 'part.rel')}
       AND (pg_class.relispartition OR indisunique AND indexprs IS NULL AND indpred IS NULL))`,
  `SELECT 'trigger ' || relname || '.' || tgname AS part,
    concat_ws(' ', pg_get_triggerdef(pg_trigger.oid, true), tgenabled) AS definition
   FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE NOT tgisinternal AND ${ownRelation}`,
  `SELECT 'rule ' || relname || '.' || rulename AS part, pg_get_ruledef(pg_rewrite.oid, true) AS definition
   FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class WHERE rulename <> '_RETURN' AND ${ownRelation}`,
  `SELECT 'policy ' || relname || '.' || polname AS part, '' AS definition
   FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid WHERE ${ownRelation}`,
  // A table that inherits from ours adds its rows to every result, in whichever schema it is.
  `SELECT 'child ' || inhrelid::regclass || ' of ' || relname AS part, '' AS definition
   FROM pg_inherits JOIN pg_class ON pg_class.oid = inhparent WHERE relkind IN ('r', 'p', 'f') AND ${ownRelation}
     AND NOT EXISTS (SELECT 1 FROM pg_class WHERE oid = inhrelid AND ${partOfLog} AND ${inSchema('relnamespace')})`,
  `SELECT 'function ' || proname || '(' || pg_get_function_identity_arguments(pg_proc.oid) || ')' AS part,
    concat_ws(' ', prokind, lanname, prosecdef, proisstrict, provolatile, proconfig,
      pg_get_function_arguments(pg_proc.oid), pg_get_function_result(pg_proc.oid), prosrc) AS definition
   FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
   WHERE ${inSchema('pronamespace')} AND ${notOfExtension('pg_proc')}`,
  `SELECT 'type ' || typname AS part, '' AS definition FROM pg_type
   WHERE typtype IN ('d', 'e', 'r') AND ${inSchema('typnamespace')} AND ${notOfExtension('pg_type')}`,
];
