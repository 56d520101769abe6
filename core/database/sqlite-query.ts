import type { Sequelize } from 'sequelize';
import type { LimitedSqlite } from './limited-sqlite.ts';

/** What Sequelize makes for each statement; its types leave it out. */
interface Query {
  connection: LimitedSqlite;
  sql: string;
  options: { raw?: boolean; type?: string };
  run(sql: string, parameters?: unknown): Promise<unknown>;
  _handleQueryResponse(statement: unknown, types: object, error: Error | null, rows: unknown): unknown;
}
type QueryClass = new (...words: unknown[]) => Query;

/**
 * Before each SELECT Sequelize asks SQLite for the types of the table's columns, which raw rows do not need, and behind each statement it
 * writes out the call stack, which only an error needs. Together they were more than half of what a small read costs.
 */
export function spareSqliteQueries(sequelize: Sequelize): void {
  const { dialect } = sequelize as unknown as { dialect: { Query: QueryClass } };
  dialect.Query = class extends dialect.Query {
    override async run(sql: string, parameters?: unknown): Promise<unknown> {
      const begin = new Error();
      const isRawRead = this.options.raw && this.options.type === 'SELECT' && parameters === undefined;
      try {
        return await (isRawRead ? readRows(this, sql) : withoutStack(() => super.run(sql, parameters)));
      } catch (error) {
        if (error instanceof Error) error.stack = begin.stack;
        throw error;
      }
    }
  };
}

function readRows(query: Query, sql: string): Promise<unknown> {
  query.sql = sql;
  return new Promise((resolve, reject) => {
    query.connection.all(sql, [], (error: Error | null, rows: unknown[]) => {
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
