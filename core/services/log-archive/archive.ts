import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import { monthStart } from '../../database/log-part.ts';
import type { LogRow } from '../../database/models/log.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { requireRole } from '../actor.ts';
import type { AuditService } from '../audit.ts';
import { homeOfLogs } from '../log-store/home.ts';
import { addUpBefore } from '../rolled-hour/before-removal.ts';
import { checkFile, readBack, readPages, writeRows } from './file.ts';
import { lockFolder } from './folder-lock.ts';
import { type ArchiveFile, type ArchiveManifest, flushFolder, openArchive, writeArchive } from './manifest.ts';
import { readMonth } from './month.ts';
import { removeArchived } from './remove.ts';

export interface ArchiveDependencies {
  database: Database;
  audit: Pick<AuditService, 'record'>;
  now?: Clock;
}

export interface ArchiveRequest {
  folder: string;
  /** Unix seconds: rows older than this. */
  before: number;
  /** The rows stay in the database. */
  keep: boolean;
  signal?: AbortSignal;
  /** Rows that were written to a file and, unless they are kept, deleted: each of the two counts. */
  onRows?(count: number): void;
  /** Where a test stops the process. */
  killPoint?(name: 'written' | 'named' | 'listed' | 'deleted'): void;
}

export interface ArchiveResult {
  files: ArchiveFile[];
  /** Written to files now. */
  written: number;
  /** Deleted from the database now. */
  deleted: number;
}

export interface ArchiveMonth {
  /** `2025-12` */
  month: string;
  from: number;
  until: number;
  rows: number;
}

/** The months with rows older than a moment, oldest first, for a look before and for the bar. */
export async function monthsBefore(
  actor: Actor,
  { database, now = nowSeconds }: Pick<ArchiveDependencies, 'database' | 'now'>,
  before: number,
): Promise<ArchiveMonth[]> {
  requireRole(actor, role.root);
  if (before <= 0 || before > now()) throw new AppError('log.beforeInvalid');
  const months: ArchiveMonth[] = [];
  const { logs } = await database.logHome();
  const oldest = (from: number): Promise<number | null> =>
    logs.min('created_at', { where: { created_at: { [Op.gte]: from } } });
  for (let first = await oldest(0); first !== null && first < before; ) {
    const from = monthStart(first);
    const until = Math.min(monthStart(first, 1), before);
    const rows = await logs.count({ where: { created_at: { [Op.gte]: from, [Op.lt]: until } } });
    months.push({ month: new Date(from * 1000).toISOString().slice(0, 7), from, until, rows });
    first = await oldest(monthStart(first, 1));
  }
  return months;
}

/**
 * Moves old rows into compressed files, one or more a month. A row is deleted only once its file is flushed, was read back, and is in
 * the manifest; what is deleted is what the file says, row by row. So it may be killed anywhere: the next run to the same folder goes
 * on, and no row is lost, nor in two files.
 */
export async function archiveLogs(
  actor: Actor,
  dependencies: ArchiveDependencies,
  request: ArchiveRequest,
): Promise<ArchiveResult> {
  const { database, audit, now = nowSeconds } = dependencies;
  const { folder, before, keep, signal } = request;
  const result: ArchiveResult = { files: [], written: 0, deleted: 0 };
  const months = await monthsBefore(actor, dependencies, before);
  const manifest = openArchive(folder);
  const unlock = lockFolder(folder);
  try {
    await audit.record(actor, { action: 'log.archive', id: before, after: { before, folder, keep } });
    if (!keep) await addUpBefore(database, { before, now, signal });
    // Also of months without a row: a run that was killed may have deleted the last one without saying so.
    for (const entry of keep ? [] : manifest.files) {
      if (entry.state === 'kept' && entry.last_at < before) await move(database, manifest, entry, request, result);
    }
    for (const month of months) {
      if (request.signal?.aborted) break;
      const file = await writeMonth(database, manifest, month, request);
      if (!file) continue;
      result.files.push(file);
      result.written += file.rows;
      if (!keep) await move(database, manifest, file, request, result);
    }
    return result;
  } finally {
    unlock();
    const { written, deleted } = result;
    await audit.record(actor, { action: 'log.archived', id: before, after: { before, folder, written, deleted } });
  }
}

/** Undefined when there is nothing that is not in a file yet. */
async function writeMonth(
  database: Database,
  manifest: ArchiveManifest,
  month: ArchiveMonth,
  { folder, signal, onRows, killPoint }: ArchiveRequest,
): Promise<ArchiveFile | undefined> {
  const name = nextName(manifest, month.month);
  const file = join(folder, name);
  const draft = `${file}.part`;
  // Of a run that was killed before it listed them: their rows are all still in the database.
  for (const left of [draft, file]) rmSync(left, { force: true });
  const known = manifest.files.filter((entry) => entry.month === month.month && entry.state === 'kept');
  const archived = await idsIn(folder, known);
  async function* fresh(): AsyncGenerator<LogRow[]> {
    for await (const page of readMonth(await database.logHome(), month, signal)) {
      const rows = archived.size === 0 ? page : page.filter(({ id }) => !archived.has(id));
      if (rows.length > 0) yield rows;
      onRows?.(page.length);
    }
  }
  const counts = await writeRows(draft, fresh());
  if (counts.rows === 0 || signal?.aborted) {
    rmSync(draft, { force: true });
    return undefined;
  }
  const sha256 = await readBack(draft, counts);
  killPoint?.('written');
  renameSync(draft, file);
  flushFolder(folder);
  killPoint?.('named');
  const entry: ArchiveFile = { name, month: month.month, ...counts, bytes: statSync(file).size, sha256, state: 'kept' };
  manifest.files.push(entry);
  manifest.files.sort((a, b) => a.first_at - b.first_at || (a.name < b.name ? -1 : 1));
  writeArchive(folder, manifest);
  killPoint?.('listed');
  return entry;
}

/** `logs-2025-12.jsonl.gz`, then `logs-2025-12.2.jsonl.gz`. */
function nextName({ files }: ArchiveManifest, month: string): string {
  for (let part = 1; ; part++) {
    const name = `logs-${month}${part === 1 ? '' : `.${part}`}.jsonl.gz`;
    if (!files.some((file) => file.name === name)) return name;
  }
}

async function idsIn(folder: string, entries: ArchiveFile[]): Promise<Set<number>> {
  const ids = new Set<number>();
  for (const entry of entries) {
    await checkFile(folder, entry);
    for await (const page of readPages(join(folder, entry.name))) for (const { id } of page) ids.add(id);
  }
  return ids;
}

async function move(
  database: Database,
  manifest: ArchiveManifest,
  entry: ArchiveFile,
  { folder, signal, onRows, killPoint }: ArchiveRequest,
  result: ArchiveResult,
): Promise<void> {
  await checkFile(folder, entry);
  const isWhole = await removeArchived(await homeOfLogs(database), {
    file: join(folder, entry.name),
    before: entry.last_at + 1,
    signal,
    onRows(removed, read) {
      result.deleted += removed;
      onRows?.(read);
      killPoint?.('deleted');
    },
  });
  if (!isWhole) return;
  entry.state = 'moved';
  writeArchive(folder, manifest);
}
