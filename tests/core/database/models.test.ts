import type { Model, ModelAttributeColumnOptions, ModelStatic } from 'sequelize';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../core/database/connect.ts';
import {
  createTemporaryDatabase,
  type Engine,
  engines,
  type TemporaryDatabase,
} from '../../support/temporary-database.ts';

interface ColumnShape {
  family: string;
  isNullable: boolean;
  default: string | undefined;
  isKey: boolean;
}

interface TableShape {
  columns: Record<string, ColumnShape>;
  /** Columns of each unique index besides the primary key; `?` = of some rows only. */
  unique: string[];
}

/** What the ledger reads and writes with statements of its own (core/billing). */
const ledgerTables = [
  'quota_holds',
  'quota_entries',
  'ledger_owners',
  'ledger_marks',
  'unlogged_sums',
  'ended_calls',
  'stray_settlements',
  'moved_calls',
];
/** What the driver's own connections keep: the change feed, the record of migrations, that of a move, and how far the log is on its way to a database of its own (core/database). */
const driverTables = ['changes', 'migrations', 'move_marks', 'log_store', 'log_changes'];

const families: Record<string, string> = {
  text: 'text',
  integer: 'whole',
  bigint: 'whole',
  boolean: 'flag',
  // What Sequelize calls a boolean of SQLite.
  'tinyint(1)': 'flag',
  'double precision': 'real',
};

const familyOf = (type: string) => families[type.toLowerCase()] ?? `unknown: ${type}`;

/** `'default'::text`, `'-1'::integer`, `FALSE` and `0` as the values they stand for. */
function defaultOf(sql: string | null): string | undefined {
  if (sql === null) return undefined;
  const bare = sql.replace(/::[a-z ]+$/, '').replace(/^\((.*)\)$/, '$1');
  return bare.replace(/^'(.*)'$/, '$1').toLowerCase();
}

const modelsOf = (database: Database) => Object.values(database.sequelize.models) as ModelStatic<Model>[];

function shapeOfModel(model: ModelStatic<Model>): TableShape {
  const attributes = Object.entries<ModelAttributeColumnOptions>(model.getAttributes());
  const columns = attributes.map(([name, { type, allowNull, defaultValue, primaryKey }]) => [
    name,
    {
      family: familyOf(String(type)),
      isNullable: allowNull === true,
      default: defaultValue === undefined ? undefined : String(defaultValue),
      isKey: primaryKey === true,
    },
  ]);
  const indexes = (model.options.indexes ?? []).map(({ fields, where }) => `${fields?.join()}${where ? '?' : ''}`);
  const unique = attributes.filter(([, { unique }]) => unique === true).map(([name]) => name);
  return { columns: Object.fromEntries(columns), unique: [...unique, ...indexes].sort() };
}

async function tablesOf({ engine, select }: Database): Promise<string[]> {
  const rows = await select<{ name: string }>(
    engine === 'sqlite'
      ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      : `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
          AND NOT relispartition`,
  );
  return rows.map(({ name }) => name);
}

interface FoundColumn {
  name: string;
  type: string;
  required: boolean | number;
  fallback: string | null;
  key: boolean | number;
  /** PostgreSQL's own numbering of rows. */
  numbered?: boolean;
}

interface FoundIndex {
  name: string;
  partial: boolean | number;
  column: string;
}

const columnSql = {
  sqlite: `SELECT name, type, "notnull" AS required, dflt_value AS fallback, pk AS key FROM pragma_table_info(:table)`,
  postgres: `SELECT attname AS name, format_type(atttypid, NULL) AS type, attnotnull AS required,
      pg_get_expr(adbin, adrelid) AS fallback,
      EXISTS (SELECT 1 FROM pg_index WHERE indrelid = attrelid AND indisprimary AND attnum = ANY (indkey)) AS key
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = CAST(:table AS regclass) AND attnum > 0 AND NOT attisdropped`,
};

const indexSql = {
  sqlite: `SELECT list.name, list.partial, info.name AS column
    FROM pragma_index_list(:table) AS list, pragma_index_info(list.name) AS info
    WHERE list."unique" = 1 AND list.origin <> 'pk' ORDER BY list.name, info.seqno`,
  postgres: `SELECT indexrelid::text AS name, indpred IS NOT NULL AS partial, attname AS column
    FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
    WHERE indrelid = CAST(:table AS regclass) AND indisunique AND NOT indisprimary
    ORDER BY indexrelid, array_position(indkey::int2[], attnum)`,
};

async function shapeOfTable({ engine, select }: Database, named: string): Promise<TableShape> {
  // No index spans the months of the log: each has its own.
  const table = engine === 'postgres' && named === 'logs' ? 'logs_rest' : named;
  const columns = await select<FoundColumn>(columnSql[engine], { table });
  const unique = new Map<string, string>();
  for (const { name, partial, column } of await select<FoundIndex>(indexSql[engine], { table })) {
    const before = unique.get(name)?.replace('?', '');
    unique.set(name, `${before === undefined ? '' : `${before},`}${column}${partial ? '?' : ''}`);
  }
  return {
    columns: Object.fromEntries(
      columns.map(({ name, type, required, fallback, key }) => [
        name,
        // SQLite does not say of a primary key that it is never null.
        { family: familyOf(type), isNullable: !required && !key, default: defaultOf(fallback), isKey: Boolean(key) },
      ]),
    ),
    unique: [...unique.values()].sort(),
  };
}

describe.each(engines)('the models on %s', (engine: Engine) => {
  let bed: TemporaryDatabase;
  beforeAll(async () => {
    bed = await createTemporaryDatabase(engine);
  });
  afterAll(() => bed.remove());

  it('every table is a model, of the ledger, or of the driver', async () => {
    const models = modelsOf(bed.database).map(({ tableName }) => tableName);
    expect([...models, ...ledgerTables, ...driverTables].sort()).toEqual((await tablesOf(bed.database)).sort());
  });

  it('every model has the columns, types, defaults, keys and unique indexes of its table', async () => {
    const models = modelsOf(bed.database);
    const stated = Object.fromEntries(models.map((model) => [model.tableName, shapeOfModel(model)]));
    const migrated: Record<string, TableShape> = {};
    for (const { tableName } of models) migrated[tableName] = await shapeOfTable(bed.database, tableName);
    expect(stated).toEqual(migrated);
  });

  it('a row that brings only what has no default can be read back as the model says', async () => {
    const { database } = bed;
    const { id } = await database.tasks.create({ user_id: 7 });
    const row = await database.tasks.findByPk(id, { raw: true });
    expect(row).toMatchObject({ user_id: 7, request_id: null, hidden: 0, status: '', group: '' });
  });
});
