import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { openSqlite, type SqliteConnection } from '../database/sqlite-connection.ts';
import { asDamage } from '../database/sqlite-damage.ts';
import { AppError } from '../errors/app-error.ts';
import { coded } from '../text/coded.ts';
import { hasLiveOwner } from './sqlite-owner.ts';

/** Reading this much takes a fraction of a second, so it is always read. */
const smallBytes = 64 * 1024 * 1024;
/** Another process that makes the file at this moment writes its first page soon. */
const birthMs = 2000;

/**
 * Throws `database.damaged` before anything is written to a broken file. A large one is read only after an unclean stop:
 * the last process that closes a file removes the log beside it, so one that is left says that none came to close it.
 */
export async function checkSqliteFile(file: string, place: DataPlace): Promise<void> {
  const { dataDirectory } = place;
  const traces = tracesOf(file, place);
  // Looked for behind its traces: a process that makes it at this moment makes it before them.
  if (!existsSync(file)) {
    if (traces.length > 0) throw new AppError('database.gone', { file, traces: traces.join(', ') });
    return;
  }
  await refuseEmptied(file, dataDirectory);
  const isUnclean = existsSync(`${file}-wal`);
  if (!isUnclean && statSync(file).size > smallBytes) return;
  const connection = await openSqlite(file);
  try {
    if (await isServed(connection)) return;
    const [first] = await connection.all<{ quick_check: string }>('PRAGMA quick_check(1)');
    const reason = first?.quick_check ?? 'ok';
    if (reason !== 'ok') throw new AppError('database.damaged', { file, reason: reason.replaceAll('\n', ' ') });
  } catch (error) {
    throw asDamage(error, file) ?? error;
  } finally {
    await connection.close();
  }
}

export type DataPlace = Pick<Config, 'dataDirectory' | 'sources'>;

/** What says that there was a database: its log, the ledger's spool, the key of its secrets, copies. */
function tracesOf(file: string, { dataDirectory, sources }: DataPlace): string[] {
  const beside = [`${file}-wal`, join(dataDirectory, 'spool')];
  if (sources.CRYPTO_SECRET === 'default') beside.push(join(dataDirectory, 'master.key'));
  const copies = [
    ...namesIn(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.before-`)),
    ...namesIn(join(dataDirectory, 'backups')).filter((name) => name.endsWith('.db')),
  ];
  return [...beside.filter((path) => existsSync(path)), ...copies.slice(-3)];
}

const namesIn = (directory: string) => (existsSync(directory) ? readdirSync(directory).sort() : []);

/** For a new database in the same place: the old write-ahead log would be applied to it. */
export function putLogAside(file: string, suffix: string): void {
  for (const ending of ['-wal', '-shm']) {
    if (existsSync(`${file}${ending}`)) renameSync(`${file}${ending}`, `${file}.former-${suffix}${ending}`);
  }
}

/** Also for commands that only look: one page written to such a file, and nothing says any more that it was emptied. */
export async function refuseEmptied(file: string, dataDirectory: string): Promise<void> {
  if (await isEmptied(file, dataDirectory))
    throw new AppError('database.damaged', { file, reason: coded('database.emptied') });
}

/** SQLite takes an empty file for a new database: balances would start again without a word. */
async function isEmptied(file: string, dataDirectory: string): Promise<boolean> {
  const untilMs = performance.now() + birthMs;
  const isUsedDirectory = existsSync(join(dataDirectory, 'spool'));
  while (isUsedDirectory && statSync(file).size === 0) {
    if (performance.now() > untilMs) return true;
    await wait(50);
  }
  return false;
}

/** A running server has already checked this file; a command beside it does not read it all again. */
async function isServed(connection: SqliteConnection): Promise<boolean> {
  const tables = await connection.all("SELECT 1 FROM sqlite_schema WHERE name = 'ledger_owners'");
  return tables.length > 0 && (await hasLiveOwner(connection, { id: '', host: hostname(), pid: process.pid }));
}
