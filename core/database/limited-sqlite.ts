import sqlite3 from 'sqlite3';

/** Short, because a process cannot end while a thread sleeps before a lock; a statement is tried again (connect.ts). */
const busyTimeoutMs = 1000;
/** As PostgreSQL's statement_timeout here: a list that takes longer ends with an error, and the log file can shrink again. */
const statementLimitMs = 30_000;

/** The connections of Sequelize, which has no hook for settings of a SQLite connection. */
export class LimitedSqlite extends sqlite3.Database {
  constructor(file: string, mode: number, callback: (error: Error | null) => void) {
    super(file, mode, callback);
    this.configure('busyTimeout', busyTimeoutMs);
    // SQLite runs one statement of a connection at a time; those that wait inside it would keep the threads of the pool.
    this.serialize();
    // What is acknowledged is on the disk: a payment, a code, credit. A commit waits some tenths of a millisecond for it on an SSD. A file
    // that cannot be opened says so in its callback.
    this.exec('PRAGMA synchronous = FULL', () => {});
    limitStatements(this, statementLimitMs);
  }
}

type Method = (...words: unknown[]) => unknown;

/** Interrupts a statement that has run for so long. They run in order, so the first unfinished statement is the one that runs. */
export function limitStatements(connection: sqlite3.Database, limitMs: number): void {
  let unfinished = 0;
  let watch: NodeJS.Timeout | undefined;

  function watchNext(): void {
    clearInterval(watch);
    if (unfinished === 0) return;
    // One that is still being opened, or was closed meanwhile, has nothing to interrupt and would throw.
    watch = setInterval(() => isOpen(connection) && connection.interrupt(), limitMs);
    watch.unref();
  }

  function finished(): void {
    unfinished -= 1;
    watchNext();
  }

  function limit(method: Method): Method {
    return (...words) => {
      const callback = typeof words.at(-1) === 'function' ? (words.pop() as Method) : undefined;
      // Before it starts: a closed connection answers at once.
      unfinished += 1;
      if (unfinished === 1) watchNext();
      return method.call(connection, ...words, function (this: unknown, ...results: unknown[]) {
        finished();
        return callback?.apply(this, results);
      });
    };
  }

  const methods = connection as unknown as Record<'all' | 'run' | 'exec', Method>;
  methods.all = limit(methods.all);
  methods.run = limit(methods.run);
  methods.exec = limit(methods.exec);
}

const isOpen = (connection: sqlite3.Database) => (connection as { open?: boolean }).open === true;
