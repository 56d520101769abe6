import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Config } from '../config.ts';
import { openPostgresClient, sessionUrl } from '../database/postgres-client.ts';
import { openSqlite } from '../database/sqlite-connection.ts';
import { asDamage } from '../database/sqlite-damage.ts';
import { AppError } from '../errors/app-error.ts';
import { runs } from '../lib/live-process.ts';
import type { Owner } from './ledger-store.ts';

interface OwnerRow {
  id: string;
  host: string;
  pid: number;
  key_ids?: string;
  silent: number;
}

const asOwner = ({ id, host, pid, key_ids = '' }: OwnerRow): Owner => ({
  id,
  host,
  pid: Number(pid),
  keyIds: key_ids.split(' '),
});

/** An owner on another machine that wrote within this time counts as alive. */
const seenSeconds = 60;

/** For what may not happen beside a server. */
export async function requireUnused(database: Config['database']): Promise<void> {
  if (database.engine === 'sqlite' && !existsSync(database.file)) return;
  // A broken file says nothing about who uses it, and a copy is put back in its place.
  const owners = await liveOwners(database).catch((error: unknown) => {
    if (isDamage(error, database)) return [];
    throw error;
  });
  if (owners.length === 0) return;
  throw new AppError('database.inUse', { names: owners.map(({ host, pid }) => `${pid} on ${host}`).join(', ') });
}

/** Whether a server, or a command for the moment, runs on it. */
export const isUsed = async (database: Config['database']): Promise<boolean> => (await liveOwners(database)).length > 0;

/** What is written with a key that a running process does not know would be closed to it. */
export async function requireKeyKnown(database: Config['database'], keyId: string): Promise<void> {
  const without = (await liveOwners(database)).filter(({ keyIds }) => !keyIds.includes(keyId));
  if (without.length === 0) return;
  const names = without.map(({ host, pid }) => `${pid} on ${host}`).join(', ');
  throw new AppError('secret.nodeLacksKey', { names });
}

function isDamage(error: unknown, database: Config['database']): boolean {
  if (error instanceof AppError) return error.code === 'database.damaged';
  return database.engine === 'sqlite' && asDamage(error, database.file) !== undefined;
}

/** The processes that hold quota on this database now: servers, and commands for the moment they run. */
async function liveOwners(database: Config['database']): Promise<Owner[]> {
  return database.engine === 'sqlite' ? sqliteOwners(database.file) : postgresOwners(sessionUrl(database));
}

async function sqliteOwners(file: string): Promise<Owner[]> {
  const connection = await openSqlite(file, { readOnly: true });
  try {
    const tables = await connection.all("SELECT 1 FROM sqlite_schema WHERE name = 'ledger_owners'");
    if (tables.length === 0) return [];
    // Whole rows: a database of an older version has no column for the keys.
    const rows = await connection.all<OwnerRow>('SELECT *, unixepoch() - seen_at AS silent FROM ledger_owners');
    const isLive = ({ host, pid, silent }: OwnerRow) => (host === hostname() ? runs(pid) : silent < seenSeconds);
    return rows.filter(isLive).map(asOwner);
  } finally {
    await connection.close();
  }
}

async function postgresOwners(url: string): Promise<Owner[]> {
  const client = await openPostgresClient(url, 5000);
  try {
    const { rows: tables } = await client.query("SELECT 1 WHERE to_regclass('ledger_owners') IS NOT NULL");
    if (tables.length === 0) return [];
    const { rows } = await client.query<OwnerRow>(
      `SELECT * FROM ledger_owners WHERE seen_at >= extract(epoch FROM now())::bigint - ${seenSeconds}`,
    );
    return rows.map(asOwner);
  } finally {
    await client.end();
  }
}
