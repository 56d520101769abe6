import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { leaveMs, waitAtMost } from '../lib/patience.ts';
import { connect, type Database } from './connect.ts';
import { type Migration, migrate } from './migrate.ts';
import { lockName } from './named-lock.ts';
import { asOutage } from './outage.ts';
import { isUnreachable } from './unreachable.ts';

/**
 * How far the log is on its way between the two databases, in the main one: `filling` = being copied, read here; `used` = read in the
 * log database, and what is written here is moved there; `returning` = being copied back, no server runs; `returned` = all is here
 * again, the log database is still to be emptied. No row: there is no log database.
 */
export type LogPhase = 'filling' | 'used' | 'returning' | 'returned';

export interface LogStoreRow {
  /** The same in both databases, so that no other one is taken for it. */
  id: string;
  phase: LogPhase;
  /** While filling: everything up to this id was copied; while returning, too. */
  copied_id: number;
  /** Seconds since the phase began, by the clock of the database. */
  age: number;
}

/** The log database, for the main database it belongs to. */
export interface LogStore {
  /** Where the log is read by someone who reads `from`. */
  homeOf(from: Database): Promise<Database>;
  /** Connected and of this installation; throws `logStore.away` while it cannot be reached. */
  open(): Promise<Database>;
  /** Takes an empty database into use. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

interface LogStoreDependencies {
  main: Database;
  target: Config['logDatabase'];
  migrations: Migration[];
}

/** Locked to take a log database into use, shared to delete rows in the main one. */
export const logStoreName = 'log-store';
const connections = 10;
/** How long a process without LOG_SQL_DSN believes that no other process uses one. */
const lookEveryMs = 5000;
const nowSql = { sqlite: 'unixepoch()', postgres: 'extract(epoch FROM now())::bigint' };

// SQL throughout: the tables have no models, because nothing else reads them.

export function createLogStore({ main, target, migrations }: LogStoreDependencies): LogStore {
  let opening: Promise<Database> | undefined;
  let isUsed = false;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  /** A database that could not be opened is tried again by the next one who asks. */
  function open(): Promise<Database> {
    opening ??= openChecked().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function openChecked(): Promise<Database> {
    if (!target) throw new AppError('logStore.notSet');
    await asAway(migrate(target, migrations));
    const logs = await asAway(connect(target, connections));
    try {
      const [own] = await logs.select<{ id: string }>('SELECT id FROM log_store');
      const state = await readLogStore(main);
      if (own && own.id !== state?.id) throw new AppError(state ? 'logStore.otherInstallation' : 'logStore.occupied');
      const isFresh = state?.phase === 'returned' || (state?.phase === 'filling' && state.copied_id === 0);
      if (!own && state && !isFresh) {
        throw new AppError('logStore.otherInstallation');
      }
      if (!own) await requireEmpty(logs);
      return logs;
    } catch (error) {
      await logs.close();
      throw awayOr(error);
    }
  }

  async function homeOf(from: Database): Promise<Database> {
    if (!isUsed) {
      // Without one there is nothing to learn but that another process was given one.
      if (!target && performance.now() - lookedAtMs < lookEveryMs) return from;
      const state = await readLogStore(main);
      lookedAtMs = performance.now();
      if (state?.phase !== 'used') return from;
      isUsed = target !== undefined;
    }
    const logs = await open();
    // Told apart from an outage of the main database, before anything is read.
    await asAway(logs.select('SELECT 1'));
    return logs;
  }

  async function begin(): Promise<void> {
    const logs = await open();
    const id = await main.transaction(async (transaction) => {
      await lockName(main, logStoreName, transaction);
      const state = await readLogStore(main, transaction);
      if (state) return state.phase === 'filling' ? state.id : undefined;
      const fresh = randomUUID();
      await setPhase(main, { id: fresh, phase: 'filling' }, transaction);
      return fresh;
    });
    if (id === undefined) return;
    await asAway(
      logs.sequelize.query(
        `INSERT INTO log_store (id, phase, changed_at) VALUES (:id, 'log', ${nowSql[logs.engine]}) ON CONFLICT DO NOTHING`,
        { replacements: { id } },
      ),
    );
  }

  return {
    homeOf,
    open,
    begin,
    async close() {
      const closing = opening?.then((opened) => opened.close()).catch(() => undefined);
      opening = undefined;
      if (closing) await waitAtMost(2 * leaveMs, closing);
    },
  };
}

export async function readLogStore(main: Database, transaction?: Transaction): Promise<LogStoreRow | undefined> {
  const [row] = await main.select<LogStoreRow>(
    `SELECT id, phase, copied_id, ${nowSql[main.engine]} - changed_at AS age FROM log_store`,
    {},
    transaction,
  );
  return row;
}

/** Undefined ends it. */
export async function setPhase(
  main: Database,
  { id, phase }: { id: string; phase: LogPhase | undefined },
  transaction?: Transaction,
): Promise<void> {
  await main.sequelize.query('DELETE FROM log_store WHERE id = :id', { replacements: { id }, transaction });
  if (phase === undefined) return;
  await main.sequelize.query(
    `INSERT INTO log_store (id, phase, changed_at) VALUES (:id, :phase, ${nowSql[main.engine]})`,
    { replacements: { id, phase }, transaction },
  );
}

/** Throws where a server must not start: with half of its log, or on what is no main database at all. */
export async function requireWholeLog(main: Database, target: Config['logDatabase']): Promise<void> {
  const state = (await readLogStore(main)) as { phase: LogPhase | 'log' } | undefined;
  if (state?.phase === 'log') throw new AppError('logStore.isLogDatabase');
  if (state?.phase === 'returning') throw new AppError('logStore.returning');
  if (state && state.phase !== 'returned' && !target) throw new AppError('logStore.notSet');
}

/** Nothing of an installation, which always has a user, and no row of a log. */
async function requireEmpty(logs: Database): Promise<void> {
  for (const table of ['users', 'logs']) {
    if ((await logs.select(`SELECT 1 FROM ${table} LIMIT 1`)).length > 0) throw new AppError('logStore.occupied');
  }
}

/**
 * Rows of the log database change only in a transaction that holds this lock, and that reads the main database only then: so no
 * row is copied that someone is removing. False when another process has it and `isPatient` is not.
 */
export async function lockLogs(logs: Database, transaction: Transaction, isPatient = true): Promise<boolean> {
  if (logs.engine === 'sqlite') return true; // it has one writer
  const wait = isPatient ? '' : ' SKIP LOCKED';
  return (await logs.select(`SELECT id FROM log_store FOR UPDATE${wait}`, {}, transaction)).length > 0;
}

export async function asAway<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw awayOr(error);
  }
}

function awayOr(error: unknown): unknown {
  const isAway = asOutage(error) !== undefined || isUnreachable(error);
  return isAway ? new AppError('logStore.away', {}, { retryAfterSeconds: 2, cause: error }) : error;
}
