import { dirname } from 'node:path';
import pg from 'pg';
import { Sequelize, Transaction } from 'sequelize';
import sqlite3 from 'sqlite3';
import type { PostgresTarget } from '../config/database.ts';
import type { Config } from '../config.ts';
import { leaveMs, waitAtMost } from '../lib/patience.ts';
import type { Change } from '../schemas/audit.ts';
import { limitsSql } from './limited-query.ts';
import { LimitedSqlite } from './limited-sqlite.ts';
import { againAfterConflict } from './lock-order.ts';
import { defineModels, type Models } from './models/models.ts';
import { driverUrl, isPooled } from './postgres-client.ts';
import './postgres-types.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { keepTransactionsQuiet } from './quiet-transaction.ts';
import { createRehearsals, type Rehearsal } from './rehearsal.ts';
import { spareSqliteQueries } from './sqlite-query.ts';
import { forgetUnopened } from './sqlite-readers.ts';

/** Everything but the ledger's hot path reads and writes through this. */
export interface Database extends Models {
  engine: 'sqlite' | 'postgres';
  sequelize: Sequelize;
  /** The work is done again when PostgreSQL chose this transaction to end a deadlock: it must not change anything else. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Does the work and takes back whatever it wrote; throws `database.rehearsalTooLong` before others give up waiting. */
  rehearse<T>(work: () => Promise<T>, limitMs?: number): Promise<{ result: T; changes: Change[] }>;
  /** Of the work that asks; undefined in earnest. */
  rehearsal(): Rehearsal | undefined;
  /** Raw rows of one SELECT, with `:name` replacements. */
  select<T extends object>(
    sql: string,
    replacements?: Record<string, unknown>,
    transaction?: Transaction,
  ): Promise<T[]>;
  /** Where the rows of the log are read: here, or in a database of their own (log-store.ts). Throws while that cannot be reached. */
  logHome(): Promise<Database>;
  close(): Promise<void>;
}

/** The same database, whose log is read where `find` says. */
export function withLogHome(database: Database, find: (from: Database) => Promise<Database>): Database {
  const joined: Database = { ...database, logHome: () => find(joined) };
  return joined;
}

keepTransactionsQuiet();

/** `connections` is the most that PostgreSQL is asked for at a time. */
export async function connect(target: Config['database'], connections = 10): Promise<Database> {
  const sequelize = target.engine === 'sqlite' ? openSqlite(target.file) : openPostgres(target, connections);
  const hasShared = target.engine === 'postgres' && isPooled(target);
  // IMMEDIATE: a deferred SQLite transaction that reads first fails with SQLITE_BUSY instead of waiting.
  const transact: Database['transaction'] = (work) =>
    againAfterConflict(() =>
      sequelize.transaction({ type: Transaction.TYPES.IMMEDIATE }, async (transaction) => {
        if (hasShared) await sequelize.query(limitsSql(limits), { transaction });
        return work(transaction);
      }),
    );
  const rehearsals = createRehearsals(sequelize, target.engine === 'sqlite' ? oneAfterTheOther(transact) : transact);
  const database: Database = {
    engine: target.engine,
    sequelize,
    ...defineModels(sequelize),
    transaction: rehearsals.transaction,
    rehearse: rehearsals.rehearse,
    rehearsal: rehearsals.current,
    select: async <T extends object>(
      sql: string,
      replacements: Record<string, unknown> = {},
      transaction?: Transaction,
    ) =>
      (await sequelize.query(sql, {
        replacements,
        raw: true,
        type: 'SELECT',
        transaction,
      })) as T[],
    logHome: async () => database,
    close: () => (target.engine === 'sqlite' ? sequelize.close() : waitAtMost(leaveMs, sequelize.close())),
  };
  return database;
}

/**
 * SQLite has one writer. Each transaction that waits for it sleeps in a thread of the pool, and a few of them would leave none
 * for the one that has the lock: so they wait here instead. Work must not open a second transaction while it is in one.
 */
function oneAfterTheOther(transact: Database['transaction']): Database['transaction'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(() => transact(work));
    // The next one starts whatever became of this one; its caller hears of it.
    last = result.catch(() => {});
    return result;
  };
}

function openSqlite(file: string): Sequelize {
  makeFolder(dirname(file));
  const sequelize = new Sequelize({
    dialect: 'sqlite',
    storage: file,
    dialectModule: { ...sqlite3, Database: LimitedSqlite },
    logging: false,
    // Another program's lock is waited for 25 times, each for a second (limited-sqlite.ts).
    retry: { max: 25, match: ['SQLITE_BUSY: database is locked'], backoffBase: 10 },
  });
  forgetUnopened(sequelize);
  spareSqliteQueries(sequelize);
  return sequelize;
}

/**
 * Sequelize listens for errors of a link only once it has set it up; a link that breaks before would end the process.
 * A user of the link learns of it from the query that fails.
 */
class QuietClient extends pg.Client {
  constructor(settings?: pg.ClientConfig) {
    super(settings);
    this.on('error', () => {});
  }
}

const limits = { statementMs: 30_000, lockMs: 5000 };

function openPostgres(target: PostgresTarget, connections: number): Sequelize {
  return new Sequelize(driverUrl(target.url), {
    dialect: 'postgres',
    dialectModule: { ...pg, Client: QuietClient },
    logging: false,
    pool: { max: connections, min: 0, idle: 10_000, acquire: 5000 },
    // Settings of a session would stay in a shared connection; there each transaction brings its own limits.
    ...(isPooled(target) && { keepDefaultTimezone: true }),
    dialectOptions: {
      ...(isPooled(target)
        ? { clientMinMessages: 'ignore' }
        : { statement_timeout: limits.statementMs, lock_timeout: limits.lockMs }),
      // The server's own limit comes first; these two are for a link that drops the reply.
      query_timeout: 31_000,
      connectionTimeoutMillis: 4000,
      keepAlive: true,
      application_name: 'tollgate',
    },
  });
}
