import type { SqliteConnection } from '../database/sqlite-connection.ts';
import { AppError } from '../errors/app-error.ts';
import { type FailureKind, StoreError } from './ledger-store.ts';

export interface Transaction {
  work(): Promise<void>;
  beforeCommit?(): void;
  /** The work is one statement and a transaction by itself. */
  isOneStatement?: boolean;
}

/** Resolves once it is committed: every process sees it then, but a power cut may take it away until it is flushed. */
export type Transact = (transaction: Transaction) => Promise<void>;

export interface TransactDependencies {
  connection: SqliteConnection;
  flush(): Promise<void>;
  /** Opens the file again; with `isUnflushed`, brings what was committed to the disk in another way. */
  renew(isUnflushed: boolean): Promise<void>;
}

/**
 * Runs transactions on the one connection strictly one after the other. After a disk failure it is unknown what of the file is on it:
 * before the next transaction `renew` reopens it and reads it.
 */
export function createTransact({ connection, flush, renew }: TransactDependencies) {
  let last: Promise<unknown> = Promise.resolve();
  let isSuspect = false;
  let isUnflushed = false;

  async function run({ work, beforeCommit, isOneStatement }: Transaction): Promise<void> {
    let isCommitting = false;
    if (isSuspect) await again();
    try {
      if (isOneStatement) {
        beforeCommit?.();
        await work();
        return;
      }
      await connection.run('BEGIN IMMEDIATE');
      await work();
      beforeCommit?.();
      isCommitting = true;
      await connection.run('COMMIT');
    } catch (error) {
      if (error instanceof StoreError) throw error;
      isSuspect ||= isDiskFault(error);
      const kind = failureKind(error);
      // One statement undoes itself; only a disk that failed at its end leaves the question open.
      if (isOneStatement) throw new StoreError(kind, kind === 'outage', error);
      // Fails when SQLite has already rolled back by itself, as after a full disk: then nothing is left to undo.
      await connection.run('ROLLBACK').catch(() => {});
      throw new StoreError(kind, isCommitting, error);
    }
  }

  async function again(): Promise<void> {
    // A flush that fails meanwhile counts for the next time.
    const wasUnflushed = isUnflushed;
    isSuspect = false;
    isUnflushed = false;
    try {
      await renew(wasUnflushed);
    } catch (error) {
      isSuspect = true;
      isUnflushed ||= wasUnflushed;
      throw new StoreError('outage', false, error);
    }
  }

  return {
    transact: ((transaction) => {
      const current = last.then(() => run(transaction));
      last = current.catch(() => {});
      return current;
    }) satisfies Transact,
    /** What was committed by now survives power loss. Runs beside the next transactions. */
    async flush(): Promise<void> {
      try {
        await flush();
      } catch (error) {
        isSuspect = true;
        isUnflushed = true;
        throw new StoreError('outage', true, error);
      }
    },
  };
}

/** Reading, writing or flushing failed; a full disk does not count. */
function isDiskFault(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_IOERR');
}

function failureKind(error: unknown): FailureKind {
  const code = (error as { code?: unknown }).code;
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED') return 'busy';
  const rowAtFault = ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'SQLITE_RANGE', 'SQLITE_ERROR'];
  if (error instanceof AppError || (typeof code === 'string' && rowAtFault.includes(code))) return 'item';
  return typeof code === 'string' && code.startsWith('SQLITE_') ? 'outage' : 'item';
}
