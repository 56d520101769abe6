import { existsSync, readdirSync } from 'node:fs';
import { requireUnused } from '../../../billing/live-owner.ts';
import { type Migration, migrationStatus } from '../../../database/migrate.ts';
import { dayOf, moveMark } from '../../../database/move-mark.ts';
import { openPostgresClient, sessionUrl } from '../../../database/postgres-client.ts';
import { openSqlite } from '../../../database/sqlite-connection.ts';
import { AppError } from '../../../errors/app-error.ts';
import { missingFile } from '../../../errors/unreadable-file.ts';
import { type DatabasePlace, shownPlace } from './place.ts';

interface Mark {
  name: string;
  value: string;
  at: number;
}

/** A database that no other process can begin to use. Nothing in it is changed before `leave`. */
export interface LockedSource {
  /** Notes where its rows are now, and unlocks it. */
  leave(place: string): Promise<void>;
  /** Unlocks it, if it was not left. */
  close(): Promise<void>;
}

/** One connection, for a question or for a lock. */
interface Link {
  all<Row>(sql: string): Promise<Row[]>;
  lock(): Promise<void>;
  mark(place: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Throws where there is nothing to move, or it is not ready to be moved. `place` is where it is to go; the response is the error for
 * the case that all of it is there already.
 */
export async function checkSource(
  source: DatabasePlace,
  migrations: Migration[],
  place: string,
): Promise<AppError | undefined> {
  if (source.engine === 'sqlite' && !existsSync(source.file)) {
    throw missingFile(source.file);
  }
  const { pending } = await migrationStatus(source, migrations);
  if (pending.length > 0) throw new AppError('database.schemaOld', { count: pending.length });
  const marks = await onLink(source, ({ all }) => all<Mark>('SELECT name, value, at FROM move_marks'));
  const moved = marks.find(({ name }) => name === moveMark.movedTo);
  const isDone = moved && new AppError('database.moved', { place: moved.value, date: dayOf(moved.at) });
  if (moved && moved.value !== place) throw isDone;
  const half = marks.find(({ name }) => name === moveMark.movingFrom);
  if (half) throw new AppError('database.halfMoved', { place: half.value });
  return isDone;
}

/** Quota of calls that a stopped server had begun comes back when it starts; settlements in the spool are booked then, too. */
export async function requireSettled(source: DatabasePlace, spoolDirectory: string): Promise<void> {
  const [row] = await onLink(source, ({ all }) =>
    all<{ count: number }>('SELECT count(*) AS count FROM quota_holds WHERE state = 0'),
  );
  const count = Number(row?.count);
  if (count > 0) throw new AppError('move.openHolds', { count });
  const spooled = existsSync(spoolDirectory) ? readdirSync(spoolDirectory) : [];
  const waiting = spooled.filter((name) => name.endsWith('.jsonl') || name.endsWith('.replay'));
  if (waiting.length > 0) throw new AppError('move.spoolWaits', { folder: spoolDirectory });
}

/** Keeps every server and command out until the move is over, also where this process is killed: the lock ends with it. */
export async function lockSource(source: DatabasePlace): Promise<LockedSource> {
  const link = await openLink(source);
  try {
    await link.lock();
    // Behind the lock: a server that started a moment ago is in the list of those that run.
    await requireUnused(source);
  } catch (error) {
    await link.close();
    if (error instanceof AppError) throw error;
    throw new AppError('move.sourceBusy', { place: shownPlace(source) }, { cause: error });
  }
  return { leave: link.mark, close: link.close };
}

/** Where a database has been moved to, and on which day. */
export async function movedTo(
  source: DatabasePlace,
  migrations: Migration[],
): Promise<{ place: string; date: string } | undefined> {
  const { pending } = await migrationStatus(source, migrations);
  // Of an older version, or not there at all.
  if (pending.length > 0) return undefined;
  return onLink(source, async ({ all }) => {
    const [mark] = await all<Mark>(`SELECT name, value, at FROM move_marks WHERE name = '${moveMark.movedTo}'`);
    return mark && { place: mark.value, date: dayOf(mark.at) };
  });
}

/** Makes a database that was moved usable again. */
export async function takeBack(source: DatabasePlace): Promise<void> {
  await onLink(source, ({ all }) => all(`DELETE FROM move_marks WHERE name = '${moveMark.movedTo}'`));
}

async function onLink<T>(source: DatabasePlace, work: (link: Link) => Promise<T>): Promise<T> {
  const link = await openLink(source);
  try {
    return await work(link);
  } finally {
    await link.close();
  }
}

const openLink = (source: DatabasePlace): Promise<Link> =>
  source.engine === 'sqlite' ? openSqliteLink(source.file) : openPostgresLink(sessionUrl(source));

async function openSqliteLink(file: string): Promise<Link> {
  const connection = await openSqlite(file);
  return {
    all: (sql) => connection.all(sql),
    // Readers go on; a writer, as each server is before its first call, waits and gives up.
    lock: () => connection.exec('BEGIN IMMEDIATE'),
    async mark(place) {
      await connection.run('INSERT OR REPLACE INTO move_marks VALUES (?, ?, unixepoch())', [moveMark.movedTo, place]);
      await connection.exec('COMMIT');
    },
    close: () => connection.close(),
  };
}

async function openPostgresLink(url: string): Promise<Link> {
  const client = await openPostgresClient(url, 10_000);
  return {
    all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
    async lock() {
      // It waits for the rows to be copied, longer than any limit for idle transactions.
      await client.query("SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '5s'");
      // A server enters itself in this table before its first call.
      await client.query('BEGIN; LOCK TABLE ledger_owners IN EXCLUSIVE MODE');
    },
    async mark(place) {
      await client.query(
        `INSERT INTO move_marks VALUES ($1, $2, extract(epoch FROM now())::bigint)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        [moveMark.movedTo, place],
      );
      await client.query('COMMIT');
    },
    close: () => client.end(),
  };
}
