import type { Sequelize } from 'sequelize';
import type { LimitedSqlite } from './limited-sqlite.ts';

/** What Sequelize makes for each statement; its types leave it out. */
interface Query {
  connection: LimitedSqlite;
  sql: string;
  options: { raw?: boolean; type?: string };
  run(sql: string, parameters?: unknown): Promise<unknown>;
  _handleQueryResponse(statement: unknown, types: object, error: Error | null, rows: unknown, stack?: string): unknown;
}
type QueryClass = new (...words: unknown[]) => Query;

/**
 * Before each SELECT Sequelize asks SQLite for the types of the table's columns, and behind it writes out the call stack; raw rows need neither.
 * Together they were more than half of what a small read costs.
 */
export function readRawRowsDirectly(sequelize: Sequelize): void {
  const { dialect } = sequelize as unknown as { dialect: { Query: QueryClass } };
  dialect.Query = class extends dialect.Query {
    override run(sql: string, parameters?: unknown): Promise<unknown> {
      const { raw, type } = this.options;
      if (!raw || type !== 'SELECT' || parameters !== undefined) return super.run(sql, parameters);
      this.sql = sql;
      // Where the statement came from, for the trace of an error.
      const begin = new Error();
      return new Promise((resolve, reject) => {
        this.connection.all(sql, [], (error: Error | null, rows: unknown[]) => {
          try {
            resolve(this._handleQueryResponse(undefined, {}, error, rows, error ? begin.stack : undefined));
          } catch (failure) {
            reject(failure);
          }
        });
      });
    }
  };
}
