import type { Sequelize } from 'sequelize';
import type { LimitedSqlite } from './limited-sqlite.ts';
import { createSqliteReaders } from './sqlite-readers.ts';

/** What Sequelize makes for each statement; its types leave it out. */
interface Query {
  connection: LimitedSqlite;
  sql: string;
  options: { raw?: boolean; type?: string; transaction?: unknown };
  run(sql: string, parameters?: unknown): Promise<unknown>;
  _handleQueryResponse(statement: unknown, types: object, error: Error | null, rows: unknown): unknown;
}
type QueryClass = new (...words: unknown[]) => Query;

/**
 * Before each SELECT Sequelize asks SQLite for the types of the table's columns, which raw rows do not need, and behind each statement it
 * writes out the call stack, which only an error needs. Together they were more than half of what a small read costs. Raw reads have
 * connections of their own.
 */
export function spareSqliteQueries(sequelize: Sequelize): void {
  const { dialect } = sequelize as unknown as { dialect: { Query: QueryClass } };
  const read = createSqliteReaders(sequelize);
  dialect.Query = class extends dialect.Query {
    override async run(sql: string, parameters?: unknown): Promise<unknown> {
      const begin = new Error();
      const isRawRead = this.options.raw && this.options.type === 'SELECT' && parameters === undefined;
      try {
        if (!isRawRead) return await withoutStack(() => super.run(sql, parameters));
        // A transaction sees what it has written.
        if (this.options.transaction || !onlyReads(sql)) return await readRows(this, this.connection, sql);
        return await read((connection) => readRows(this, connection, sql));
      } catch (error) {
        if (error instanceof Error) error.stack = begin.stack;
        throw error;
      }
    }
  };
}

/** Statements that change rows return some as well. */
function onlyReads(sql: string): boolean {
  return /^\s*SELECT\b/i.test(sql) || (/^\s*WITH\b/i.test(sql) && !/\b(INSERT|UPDATE|DELETE)\b/i.test(sql));
}

function readRows(query: Query, connection: LimitedSqlite, sql: string): Promise<unknown> {
  query.sql = sql;
  return new Promise((resolve, reject) => {
    connection.all(sql, [], (error: Error | null, rows: unknown[]) => {
      try {
        resolve(query._handleQueryResponse(undefined, {}, error, rows));
      } catch (failure) {
        reject(failure);
      }
    });
  });
}

/** Errors that are made before the first `await` of the work have no stack to write out. */
function withoutStack<T>(work: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
