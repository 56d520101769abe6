import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { openSqlite } from './sqlite-connection.ts';

/** PostgreSQL's own; found on the PATH. */
const dumper = 'pg_dump';

type Environment = Record<string, string | undefined>;

/** A copy that is consistent while servers write; it appears under its name only once it is whole, readable by its owner alone. */
export async function copyDatabase(
  database: Config['database'],
  target: string,
  environment: Environment,
): Promise<void> {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const draft = `${target}.${process.pid}`;
  rmSync(draft, { force: true });
  try {
    if (database.engine === 'sqlite') await copySqlite(database.file, draft);
    else await dumpPostgres(database.url, draft, environment);
    chmodSync(draft, 0o600);
    flush(draft);
    renameSync(draft, target);
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
  if (!existsSync(file)) throw new AppError('cli.fileUnreadable', { path: file, reason: 'ENOENT' });
  const connection = await openSqlite(file);
  try {
    await connection.run('VACUUM INTO ?', [draft]);
  } finally {
    await connection.close();
  }
}

/** Sign-in data goes by the environment: every user of the machine can see a command line. */
async function dumpPostgres(url: string, draft: string, environment: Environment): Promise<void> {
  closeSync(openSync(draft, 'wx', 0o600));
  const said: string[] = [];
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(dumper, ['--format=custom', '--no-owner', '--no-privileges', `--file=${draft}`], {
      env: { ...environment, ...signInOf(url) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new AppError('backup.noTool', {}, { cause: error }) : error),
    );
    child.on('close', resolve);
  });
  if (code === 0) return;
  throw new AppError('backup.toolFailed', { reason: said.join('').trim().slice(0, 500) || `code ${code}` });
}

function signInOf(address: string): Environment {
  const url = new URL(address);
  const plain = (text: string) => decodeURIComponent(text);
  const values: Environment = {
    PGHOST: url.searchParams.get('host') ?? plain(url.hostname.replace(/^\[|\]$/g, '')),
    PGPORT: url.port,
    PGUSER: plain(url.username),
    PGPASSWORD: plain(url.password),
    PGDATABASE: plain(url.pathname.slice(1)),
    PGSSLMODE: url.searchParams.get('sslmode') ?? '',
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

function flush(file: string): void {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}
