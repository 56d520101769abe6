import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type pg from 'pg';
import { requireUnused } from '../../../billing/live-owner.ts';
import { type Migration, migrationStatus } from '../../../database/migrate.ts';
import { moveMark } from '../../../database/move-mark.ts';
import { openPostgresClient } from '../../../database/postgres-client.ts';
import { openSqlite } from '../../../database/sqlite-connection.ts';
import { AppError } from '../../../errors/app-error.ts';
import { isLoopback } from '../../../integrations/outbound/ip-class.ts';
import { coded } from '../../../text/coded.ts';
import { requireEmpty } from '../load.ts';
import { openWriter } from '../writer.ts';
import { type DatabasePlace, shownPlace } from './place.ts';

/** `fresh`: without our tables. `begun`: holds a part of this very move. `unused`: an installation with nothing but root. */
export type TargetState = 'fresh' | 'begun' | 'unused';

export interface TargetNeeds {
  migrations: Migration[];
  /** The place the rows come from. */
  from: string;
  bytes: number | undefined;
}

const minVersion = 130_000;

/** Throws where a move to it could not come to its end, or would mix with other data. Changes nothing. */
export async function checkTarget(target: DatabasePlace, needs: TargetNeeds): Promise<TargetState> {
  const room = target.engine === 'sqlite' ? roomAt(dirname(target.file)) : await checkPostgres(target.url);
  if (target.engine === 'sqlite' && !existsSync(target.file)) {
    requireRoom(target, room, needs.bytes);
    return 'fresh';
  }
  const state = await stateOf(target, needs);
  if (state !== 'begun') requireRoom(target, room, needs.bytes);
  return state;
}

async function stateOf(target: DatabasePlace, { migrations, from }: TargetNeeds): Promise<TargetState> {
  if (!(await hasMigrations(target))) return 'fresh';
  const { executed, pending } = await migrationStatus(target, migrations);
  const known = new Set(migrations.map(({ name }) => name));
  const stranger = executed.find((name) => !known.has(name));
  if (stranger) throw new AppError('database.tooNew', { version: stranger });
  // A move that was killed before its first row.
  if (executed.length === 0) return 'fresh';
  await requireUnused(target);
  const place = shownPlace(target);
  const writer = await openWriter(target);
  try {
    if (pending.length > 0) {
      const count = await writer.count('users');
      if (count > 0) throw new AppError('move.targetFull', { place, table: 'users', count });
      return 'fresh';
    }
    const begun = (await writer.marks()).get(moveMark.movingFrom);
    if (begun === from) return 'begun';
    if (begun !== undefined) throw new AppError('move.otherBegun', { place, from: begun });
    await requireEmpty(writer);
    return 'unused';
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'move.notEmpty') throw error;
    throw new AppError('move.targetFull', { place, ...error.details });
  } finally {
    await writer.close();
  }
}

/** Throws where others have tables in the place. */
async function hasMigrations(target: DatabasePlace): Promise<boolean> {
  const names = target.engine === 'sqlite' ? await sqliteTables(target.file) : await postgresTables(target.url);
  if (names.includes('migrations')) return true;
  if (names.length === 0) return false;
  const reason = coded('move.strangers', { names: names.slice(0, 5).join(', ') });
  throw new AppError('move.targetUnfit', { place: shownPlace(target), reason });
}

async function sqliteTables(file: string): Promise<string[]> {
  const connection = await openSqlite(file, { readOnly: true });
  try {
    const rows = await connection.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')",
    );
    return rows.map(({ name }) => name);
  } finally {
    await connection.close();
  }
}

async function postgresTables(url: string): Promise<string[]> {
  const client = await openPostgresClient(url, 10_000);
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm')
         AND relnamespace = current_schema()::regnamespace
         AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e') ORDER BY relname`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** What the server says of itself, and the free bytes of its disk where those can be known. */
async function checkPostgres(url: string): Promise<number | undefined> {
  const client = await openPostgresClient(url, 10_000);
  try {
    const unfit = await reasonAgainst(client);
    if (unfit)
      throw new AppError('move.targetUnfit', { place: shownPlace({ engine: 'postgres', url }), reason: unfit });
    return await roomOf(client, url);
  } finally {
    await client.end();
  }
}

interface ServerFacts {
  version: number;
  version_text: string;
  encoding: string;
  standby: boolean;
  schema: string | null;
  may_create: boolean | null;
}

async function reasonAgainst(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<ServerFacts>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS version_text,
       current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS standby, current_schema()::text AS schema,
       has_schema_privilege(current_schema(), 'CREATE') AS may_create`,
  );
  const facts = rows[0] as ServerFacts;
  if (facts.version < minVersion) return coded('move.version', { version: facts.version_text });
  if (facts.encoding !== 'UTF8') return coded('move.encoding', { encoding: facts.encoding });
  if (facts.standby) return coded('move.standby');
  if (facts.schema === null) return coded('move.noSchema');
  if (!facts.may_create) return coded('move.noRight', { schema: facts.schema });
  return undefined;
}

/** Only where the server is on this machine, and lets this role know where its files are. */
async function roomOf(client: pg.Client, url: string): Promise<number | undefined> {
  const { hostname } = new URL(url);
  if (hostname !== 'localhost' && !isLoopback(hostname)) return undefined;
  try {
    const { rows } = await client.query<{ folder: string }>("SELECT current_setting('data_directory') AS folder");
    return rows[0] && roomAt(rows[0].folder);
  } catch {
    return undefined; // not allowed to know
  }
}

function roomAt(folder: string): number | undefined {
  for (let place = folder; ; place = dirname(place)) {
    if (existsSync(place)) {
      const { bavail, bsize } = statfsSync(place);
      return bavail * bsize;
    }
    if (dirname(place) === place) return undefined;
  }
}

function requireRoom(target: DatabasePlace, room: number | undefined, bytes: number | undefined): void {
  if (room === undefined || bytes === undefined || room >= bytes) return;
  const inMiB = (value: number) => Math.ceil(value / 1024 ** 2);
  throw new AppError('move.noRoom', { place: shownPlace(target), free: inMiB(room), needed: inMiB(bytes) });
}
