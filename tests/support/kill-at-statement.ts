import pg from 'pg';
import sqlite3 from 'sqlite3';

/** What changes the books, or locks a row for it, or begins and ends a transaction. */
const work = /^\s*(BEGIN|START|COMMIT|INSERT|UPDATE|DELETE|WITH|SELECT.*(FOR UPDATE|ledger_))/is;
/** What a process does all the time beside its work. */
const background = /ledger_owners|job_locks|heartbeat/i;

type Method = (this: unknown, ...words: unknown[]) => unknown;

/** Ends this process with SIGKILL in place of its n-th statement from now on, whichever connection it is for. */
export function killAtStatement(turn: number): void {
  let left = turn;
  hearStatements((statement) => {
    if (!work.test(statement) || background.test(statement)) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  });
}

/** The same in place of the first statement that has these words. */
export function killAtWords(words: string): void {
  hearStatements((statement) => {
    if (statement.includes(words)) process.kill(process.pid, 'SIGKILL');
  });
}

function hearStatements(hear: (statement: string) => void): void {
  const count = (statement: unknown) => {
    if (typeof statement === 'string') hear(statement);
  };
  // A connection of sqlite3 runs everything but `exec` through a statement.
  watch(sqlite3.Database.prototype, ['exec'], (_owner, sql) => count(sql));
  watch(sqlite3.Statement.prototype, ['run', 'all', 'get', 'each'], (statement) =>
    count((statement as { sql?: string }).sql),
  );
  watch(pg.Client.prototype, ['query'], (_client, query) =>
    count(typeof query === 'string' ? query : (query as { text?: string } | undefined)?.text),
  );
}

function watch(prototype: object, names: string[], look: (owner: unknown, word: unknown) => void): void {
  const methods = prototype as Record<string, Method>;
  for (const name of names) {
    const original = methods[name];
    if (!original) throw new Error(`there is no ${name}`);
    methods[name] = function (...words) {
      look(this, words[0]);
      return original.apply(this, words);
    };
  }
}
