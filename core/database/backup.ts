import { createHash } from 'node:crypto';
import { chmodSync, closeSync, createReadStream, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { missingFile } from '../errors/unreadable-file.ts';
import { beginDraft } from '../lib/draft.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { sessionUrl } from './postgres-client.ts';
import { runPostgresTool } from './postgres-tool.ts';
import { openSqlite } from './sqlite-connection.ts';

/** What a restore has put aside begins with this, and is in no further copy. */
export const formerSchemas = 'before_restore_';

type Environment = Record<string, string | undefined>;

/** A copy that is consistent while servers write; it appears under its name only once it is whole, readable by its owner alone. */
export async function copyDatabase(
  database: Config['database'],
  target: string,
  environment: Environment,
): Promise<void> {
  makeFolder(dirname(target));
  const draft = beginDraft(join(dirname(target), 'unfinished-copy-'));
  rmSync(draft, { force: true });
  try {
    if (database.engine === 'sqlite') await copySqlite(database.file, draft);
    else await dumpPostgres(sessionUrl(database), draft, environment);
    chmodSync(draft, 0o600);
    flush(draft);
    // It describes the copy that is replaced.
    rmSync(`${target}.json`, { force: true });
    renameSync(draft, target);
  } catch (error) {
    // SQLite names the file that is read, which has nothing to do with it.
    const isFull = (error as NodeJS.ErrnoException).code === 'SQLITE_FULL';
    throw isFull ? Object.assign(error as Error, { path: target }) : error;
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${suffix}`, { force: true });
  }
}

export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** SQLite's own copy: one read transaction, so that writers go on beside it. */
async function copySqlite(file: string, draft: string): Promise<void> {
  // SQLite fills an empty file that no other user can read.
  closeSync(openSync(draft, 'wx', 0o600));
  if (!existsSync(file)) throw missingFile(file);
  const connection = await openSqlite(file);
  try {
    await connection.run('VACUUM INTO ?', [draft]);
  } finally {
    await connection.close();
  }
}

async function dumpPostgres(url: string, draft: string, environment: Environment): Promise<void> {
  closeSync(openSync(draft, 'wx', 0o600));
  const shape = ['--format=custom', '--no-owner', '--no-privileges', `--exclude-schema=${formerSchemas}*`];
  const { code, said } = await runPostgresTool('pg_dump', [...shape, `--file=${draft}`], { url, environment });
  if (code === undefined) throw new AppError('backup.noTool');
  if (code !== 0)
    throw new AppError('backup.toolFailed', { tool: 'pg_dump', reason: said.slice(0, 500) || `code ${code}` });
}

function flush(file: string): void {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}
