import { asDamage } from '../../database/sqlite-damage.ts';
import { AppError } from '../../errors/app-error.ts';
import { isFamily } from './family.ts';
import { openReader, type SourceReader, type SourceRow } from './source-reader.ts';

/** The programs whose installations are read. */
export type SourceKind = 'one-api' | 'new-api' | 'one-hub';

/** A table of the source that is left out, with its rows. */
export interface LeftTable {
  table: string;
  rows: number;
}

/** The database of an old installation, read as it stood when it was opened. */
export interface TakeoverSource {
  kind: SourceKind;
  /** A dump in which nothing says whether it is whole: rows may be missing. */
  isEndUnknown: boolean;
  /** Empty for a table that does not exist. */
  columnsOf(table: string): ReadonlySet<string>;
  count(table: string): Promise<number>;
  /** In order of their ids, a page at a time. */
  rows(table: string): AsyncGenerator<SourceRow[]>;
  /** What is not among them: rows with an id of 0 or below, or with none. */
  unnumbered(table: string): Promise<SourceRow[]>;
  /** A table without ids, whole. */
  all(table: string): Promise<SourceRow[]>;
  /** Tables with rows that have no place here: passkeys, subscriptions, drawings. */
  left(): Promise<LeftTable[]>;
  close(): Promise<void>;
}

const pageSize = 1000;

const taken = ['users', 'tokens', 'channels', 'options', 'redemptions', 'top_ups', 'quota_data', 'logs'];
const takenOfOneHub = ['orders', 'user_groups', 'prices'];
/** Made again here, or about the old program itself. */
const derived = ['abilities', 'setups', 'migrations', 'schema_migrations', 'options_backup'];

/** `place` is a file of SQLite, a dump of MySQL, or the address of a PostgreSQL database. */
export async function openSource(place: string, { logs = true } = {}): Promise<TakeoverSource> {
  const isWanted = (table: string) => [...taken, ...takenOfOneHub].includes(table) && (logs || table !== 'logs');
  const reader = await openReader(place, isWanted).catch((error: unknown) => {
    throw asDamage(error, place) ?? error;
  });
  try {
    const columns = new Map<string, Set<string>>();
    for (const { table, name } of await reader.columns()) {
      columns.set(table, (columns.get(table) ?? new Set()).add(name));
    }
    const source = createSource(reader, columns, place);
    // Each of the family makes root at its first start.
    if ((await source.count('users')) === 0) throw new AppError('takeover.noUsers', { place: shownPlace(place) });
    return source;
  } catch (error) {
    await reader.close();
    throw asDamage(error, place) ?? error;
  }
}

type Tables = ReadonlyMap<string, ReadonlySet<string>>;

function createSource(reader: SourceReader, columns: Tables, place: string): TakeoverSource {
  const columnsOf = (table: string) => columns.get(table) ?? new Set<string>();
  if (columns.has('quota_entries')) throw new AppError('takeover.ownFormat');
  if (!isFamily(columns)) throw new AppError('takeover.foreign', { place: shownPlace(place) });
  const kind = kindOf(columns);

  async function* rows(table: string): AsyncGenerator<SourceRow[]> {
    if (!columns.has(table)) return;
    for (let after = 0; ; ) {
      const page = await reader.query(`SELECT * FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${pageSize}`, after);
      if (page.length > 0) yield page;
      if (page.length < pageSize) return;
      after = Number(page.at(-1)?.id);
    }
  }

  async function left(): Promise<LeftTable[]> {
    const known = [...taken, ...derived, ...(kind === 'one-hub' ? takenOfOneHub : [])];
    const tables = [...columns.keys()].filter((table) => !known.includes(table)).sort();
    const counted: LeftTable[] = [];
    for (const table of tables) counted.push({ table, rows: await reader.count(table) });
    return counted.filter(({ rows }) => rows > 0);
  }

  return {
    kind,
    isEndUnknown: reader.isEndUnknown,
    columnsOf,
    count: async (table) => (columns.has(table) ? reader.count(table) : 0),
    rows,
    unnumbered: async (table) =>
      columnsOf(table).has('id') ? reader.query(`SELECT * FROM ${table} WHERE id <= 0 OR id IS NULL`) : [],
    all: async (table) => (columns.has(table) ? reader.query(`SELECT * FROM ${table}`) : []),
    left,
    close: reader.close,
  };
}

/** Each of the family keeps something that the others do not have. */
function kindOf(columns: Tables): SourceKind {
  const has = (table: string, column: string) => columns.get(table)?.has(column) === true;
  if (columns.has('user_groups') && has('channels', 'proxy')) return 'one-hub';
  return has('channels', 'tag') || columns.has('midjourneys') ? 'new-api' : 'one-api';
}

/** Without what opens it. */
function shownPlace(place: string): string {
  return /^postgres(ql)?:/.test(place) && URL.canParse(place) ? `PostgreSQL ${new URL(place).host}` : place;
}
