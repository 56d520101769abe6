import { createHash } from 'node:crypto';
import { chmodSync, closeSync, copyFileSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { type Migration, migrationStatus } from '../../database/migrate.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { writeAll } from '../../lib/write-all.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { version } from '../../version.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import { type ExportedTable, type ExportManifest, exportFormat, manifestFile } from './manifest.ts';
import { openSnapshot, type PortableRow, type PortableTable, type Snapshot } from './table.ts';

export interface ExportDependencies {
  target: Config['database'];
  migrations: Migration[];
  secretBox: Pick<SecretBox, 'keyIds'>;
  audit: Pick<AuditService, 'record'>;
  now: Clock;
}

export interface ExportRequest {
  /** A new or empty one. */
  folder: string;
  onRows(count: number): void;
}

/**
 * Writes every table as lines of JSON, while servers run: one read transaction, a page of rows in memory. Secrets stay encrypted, and
 * passwords and access tokens hashed, as they are stored.
 */
export async function exportAll(
  actor: Actor,
  { target, migrations, secretBox, audit, now }: ExportDependencies,
  { folder, onRows }: ExportRequest,
): Promise<ExportManifest> {
  requireRole(actor, role.root);
  requireFree(folder);
  makeFolder(folder);
  const { executed } = await migrationStatus(target, migrations);
  // Before the snapshot, so that the copy says of itself that it was made.
  await audit.record(actor, { action: 'database.export', id: folder });
  const snapshot = await openSnapshot(target);
  try {
    const tables: ExportedTable[] = [];
    for (const table of await snapshot.tables()) tables.push(await writeTable(snapshot, table, folder, onRows));
    const manifest: ExportManifest = {
      format: exportFormat,
      tollgate: version,
      engine: target.engine,
      created_at: now(),
      migrations: executed,
      master_keys: [...secretBox.keyIds],
      tables,
    };
    writeWhole(join(folder, manifestFile), `${JSON.stringify(manifest, undefined, 2)}\n`);
    return manifest;
  } finally {
    await snapshot.close();
  }
}

function requireFree(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === false) throw new AppError('move.notFolder', { folder });
  if (found && readdirSync(folder).length > 0) throw new AppError('move.folderNotEmpty', { folder });
}

async function writeTable(
  snapshot: Snapshot,
  table: PortableTable,
  folder: string,
  onRows: (count: number) => void,
): Promise<ExportedTable> {
  const { name, lastId } = table;
  const file = `${name}.jsonl`;
  const hash = createHash('sha256');
  const path = join(folder, file);
  const handle = openSync(path, 'wx', 0o600);
  let [rows, bytes] = [0, 0];
  try {
    for await (const page of snapshot.rows(table)) {
      const text = Buffer.from(page.map((row) => `${JSON.stringify(withoutWorker(name, row))}\n`).join(''));
      hash.update(text);
      writeAll(handle, text, path);
      rows += page.length;
      bytes += text.length;
      onRows(page.length);
    }
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return { name, file, rows, bytes, sha256: hash.digest('hex'), last_id: lastId ?? null };
}

/** The process that runs a job now does not run it in the copy. */
export const withoutWorker = (table: string, row: PortableRow): PortableRow =>
  table === 'job_locks' ? Object.assign(row, { owner: '', until: 0 }) : row;

function writeWhole(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeAll(handle, text, file);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Puts the file that opens the secrets beside them; undefined when they come from the environment. */
export function exportKey(
  { dataDirectory, sources }: Pick<Config, 'dataDirectory' | 'sources'>,
  folder: string,
): string | undefined {
  if (sources.CRYPTO_SECRET !== 'default') return undefined;
  const file = join(folder, 'master.key');
  copyFileSync(join(dataDirectory, 'master.key'), file);
  chmodSync(file, 0o600);
  return file;
}
