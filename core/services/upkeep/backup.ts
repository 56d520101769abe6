import { copyFileSync, existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { requireUnused } from '../../billing/live-owner.ts';
import { type VerifyReport, verifyLedger } from '../../billing/verify-ledger.ts';
import type { Config } from '../../config.ts';
import { copyDatabase, sha256 } from '../../database/backup.ts';
import { connect } from '../../database/connect.ts';
import { foreignSchema } from '../../database/foreign-schema.ts';
import { type Migration, migrationStatus } from '../../database/migrate.ts';
import { openSqlite } from '../../database/sqlite-connection.ts';
import { asDamage } from '../../database/sqlite-damage.ts';
import { AppError } from '../../errors/app-error.ts';
import { missingFile } from '../../errors/unreadable-file.ts';
import { nowSeconds } from '../../lib/clock.ts';
import { beginDraft } from '../../lib/draft.ts';
import { type SecretBox, SecretUnreadableError } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { coded } from '../../text/coded.ts';
import { version } from '../../version.ts';
import { requireRole } from '../actor.ts';
import { type AuditEvent, createAuditService } from '../audit.ts';
import { channelKeyPlace } from '../routing.ts';

/** What is known of a copy without opening it; stored beside it as `<file>.json`. */
const manifestSchema = z.object({
  tollgate: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  schema: z.string(),
  created_at: z.number(),
  bytes: z.number(),
  sha256: z.string(),
});
export type BackupManifest = z.output<typeof manifestSchema>;

export interface BackupRequest {
  config: Pick<Config, 'database' | 'dataDirectory'>;
  migrations: Migration[];
  file: string;
  /** A copy of that name may be replaced. */
  force: boolean;
  /** For the program that dumps PostgreSQL. */
  environment: Record<string, string | undefined>;
}

/** Copies the database while servers run. Secrets stay encrypted in it: what opens them is not in the copy. */
export async function backUp(
  actor: Actor,
  { config, migrations, file, force, environment }: BackupRequest,
): Promise<BackupManifest> {
  requireRole(actor, role.root);
  const { database } = config;
  if (!force && existsSync(file)) throw new AppError('backup.exists', { file });
  if (database.engine === 'sqlite') requireFile(database.file);
  const { executed } = await migrationStatus(database, migrations);
  const schema = executed.at(-1);
  if (schema === undefined) throw new AppError('backup.notOurs', { file: nameOf(database) });
  await copyDatabase(database, file, environment);
  const manifest: BackupManifest = {
    tollgate: version,
    engine: database.engine,
    schema,
    created_at: nowSeconds(),
    bytes: statSync(file).size,
    sha256: await sha256(file),
  };
  const draft = `${file}.json.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, `${file}.json`);
  await record(actor, database, { action: 'database.backup', id: file, after: { sha256: manifest.sha256 } });
  return manifest;
}

/** Puts the file that opens the copy's secrets beside it; undefined when they come from the environment. */
export function copyKey(
  { dataDirectory, sources }: Pick<Config, 'dataDirectory' | 'sources'>,
  file: string,
): string | undefined {
  if (sources.CRYPTO_SECRET !== 'default') return undefined;
  const target = `${file}.master.key`;
  writeFileSync(target, readFileSync(join(dataDirectory, 'master.key')), { mode: 0o600 });
  return target;
}

export interface RestoreRequest {
  database: Extract<Config['database'], { engine: 'sqlite' }>;
  /** As this installation opens stored secrets. */
  secretBox: Pick<SecretBox, 'decrypt'>;
  migrations: Migration[];
  file: string;
}

export interface CheckedBackup {
  report: VerifyReport;
  schema: string;
  /** Channel keys that this installation's master key does not open. */
  closedKeys: number;
  /** Something beside the copy says what it was when it was made. */
  hasSum: boolean;
  /** The checked copy in the folder of the database, ready to take its place. */
  draft: string;
}

/** Reads a copy to its end before anything is touched. Throws when it is damaged, foreign, or newer than this program. */
export async function checkBackup({ database, secretBox, migrations, file }: RestoreRequest): Promise<CheckedBackup> {
  requireFile(file);
  await requireUnused(database);
  const hasSum = await requireSum(file);
  const draft = beginDraft(`${database.file}.restoring-`);
  try {
    copyFileSync(file, draft);
    const schema = await checkFile({ file: draft, shownAs: file, migrations });
    const closedKeys = await countClosedKeys(draft, secretBox);
    return { draft, schema, closedKeys, hasSum, report: await verifyLedger({ engine: 'sqlite', file: draft }) };
  } catch (error) {
    removeDraft(draft);
    throw error;
  }
}

/** Returns where the former database lies now; undefined when there was none. */
export async function putInPlace(
  actor: Actor,
  { database, file }: RestoreRequest,
  { draft }: CheckedBackup,
): Promise<string | undefined> {
  requireRole(actor, role.root);
  await forgetProcesses(draft);
  await requireUnused(database);
  const aside = `${database.file}.before-restore-${stamp(nowSeconds())}`;
  const former = existsSync(database.file) ? aside : undefined;
  if (former) await keepAside(database.file, former);
  // The log beside a file belongs to it: left behind it would be taken for the log of the restored one.
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(`${database.file}${suffix}`)) renameSync(`${database.file}${suffix}`, `${aside}${suffix}`);
  }
  renameSync(draft, database.file);
  await record(actor, database, { action: 'database.restore', id: file, after: { former: former ?? '' } });
  return former;
}

/** Under a second name, so that there is a database at every moment: a server that finds none begins a new installation. */
async function keepAside(file: string, former: string): Promise<void> {
  // Writes the log into the file. A broken one keeps its log.
  const connection = await openSqlite(file).catch(() => undefined);
  await connection?.close();
  try {
    linkSync(file, former);
  } catch {
    renameSync(file, former); // a file system without links
  }
}

export function removeDraft(draft: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${draft}${suffix}`, { force: true });
}

/** `20261121-164700`, in local time as people look for it. */
export function stamp(seconds: number): string {
  const at = new Date(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`;
  return `${day}-${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
}

async function checkFile({
  file,
  shownAs,
  migrations,
}: {
  file: string;
  shownAs: string;
  migrations: Migration[];
}): Promise<string> {
  try {
    const connection = await openSqlite(file);
    try {
      const [row] = await connection.all<{ integrity_check: string }>('PRAGMA integrity_check(1)');
      const reason = row?.integrity_check ?? 'ok';
      if (reason !== 'ok')
        throw new AppError('backup.damaged', { file: shownAs, reason: reason.replaceAll('\n', ' ') });
      const tables = await connection.all("SELECT 1 FROM sqlite_schema WHERE name IN ('migrations', 'quota_entries')");
      if (tables.length < 2) throw new AppError('backup.notOurs', { file: shownAs });
      const rows = await connection.all<{ name: string }>('SELECT name FROM migrations ORDER BY name');
      const known = new Set(migrations.map(({ name }) => name));
      const stranger = rows.find(({ name }) => !known.has(name));
      if (stranger) throw new AppError('database.tooNew', { version: stranger.name });
      const foreign = await foreignSchema(connection, migrations);
      if (foreign.length > 0) {
        throw new AppError('backup.foreignSchema', { file: shownAs, names: foreign.slice(0, 5).join(', ') });
      }
      return rows.at(-1)?.name ?? '';
    } finally {
      await connection.close();
    }
  } catch (error) {
    const damage = error instanceof AppError && error.code === 'database.damaged' ? error : asDamage(error, shownAs);
    if (!damage) throw error;
    throw new AppError('backup.damaged', { file: shownAs, reason: String(damage.details.reason) }, { cause: error });
  }
}

async function countClosedKeys(file: string, secretBox: RestoreRequest['secretBox']): Promise<number> {
  const connection = await openSqlite(file, { readOnly: true });
  try {
    const rows = await connection.all<{ id: number; text: string }>(
      "SELECT id, key_encrypted AS text FROM channels WHERE key_encrypted <> ''",
    );
    return rows.filter(({ id, text }) => !opens(secretBox, text, channelKeyPlace(id))).length;
  } finally {
    await connection.close();
  }
}

export function opens(secretBox: RestoreRequest['secretBox'], text: string, place: string): boolean {
  try {
    secretBox.decrypt(text, place);
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadableError) return false;
    throw error;
  }
}

/** False where there is nothing to compare with. */
export async function requireSum(file: string): Promise<boolean> {
  if (!existsSync(`${file}.json`)) return false;
  requireFile(`${file}.json`);
  const manifest = manifestSchema.safeParse(readJson(`${file}.json`));
  if (!manifest.success)
    throw new AppError('backup.damaged', { file: `${file}.json`, reason: coded('backup.notManifest') });
  if (manifest.data.sha256 === (await sha256(file))) return true;
  throw new AppError('backup.damaged', { file, reason: coded('backup.otherHash', { file: `${file}.json` }) });
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // the schema says what is wrong
  }
}

/** The processes that held quota when the copy was made are gone in any case; their holds are returned at the next start. */
async function forgetProcesses(file: string): Promise<void> {
  const connection = await openSqlite(file);
  try {
    await connection.exec("DELETE FROM ledger_owners; UPDATE job_locks SET owner = ''");
  } finally {
    await connection.close();
  }
}

async function record(actor: Actor, target: Config['database'], event: AuditEvent): Promise<void> {
  const database = await connect(target, 1);
  try {
    await createAuditService({ database }).record(actor, event);
  } finally {
    await database.close();
  }
}

export function requireFile(path: string): void {
  if (!existsSync(path)) throw missingFile(path);
  // A pipe would be read forever.
  if (!statSync(path).isFile()) throw new AppError('backup.noFile', { file: path });
}

const nameOf = (database: Config['database']) => (database.engine === 'sqlite' ? database.file : 'PostgreSQL');
