import { join } from 'node:path';
import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { LogRow } from '../../database/models/log.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { requireRole } from '../actor.ts';
import { sumsOf } from '../log/kept-sum.ts';
import { homeOfLogs, type LogHome } from '../log-store/home.ts';
import { skipLogIds } from '../log-store/ids.ts';
import { retryRolled } from '../rolled-hour/forget.ts';
import type { ArchiveDependencies } from './archive.ts';
import { checkFile, readPages } from './file.ts';
import { lockFolder } from './folder-lock.ts';
import { type ArchiveFile, type ArchiveManifest, readArchive, writeArchive } from './manifest.ts';
import { isSameRow } from './remove.ts';

export interface UnarchiveRequest {
  folder: string;
  /** `2025-12`; undefined = all months. */
  month?: string | undefined;
  signal?: AbortSignal;
  /** Rows that were looked at. */
  onRows?(count: number): void;
}

export interface UnarchiveResult {
  files: string[];
  restored: number;
  /** Rows that are in the database already. */
  present: number;
}

/** The files of a restore, all of them whole. */
export async function checkArchive(folder: string, month: string | undefined): Promise<ArchiveFile[]> {
  const files = readArchive(folder).files.filter((file) => month === undefined || file.month === month);
  if (files.length === 0) throw new AppError('archive.noMonth', { folder, month: month ?? '' });
  for (const file of files) await checkFile(folder, file);
  return files;
}

/**
 * Puts archived rows back into the log, under their old ids; rows that are there already are left alone. Nothing is written before
 * every file has been read to its end.
 */
export async function unarchiveLogs(
  actor: Actor,
  { database, audit }: ArchiveDependencies,
  { folder, month, signal, onRows }: UnarchiveRequest,
): Promise<UnarchiveResult> {
  requireRole(actor, role.root);
  const names = (await checkArchive(folder, month)).map(({ name }) => name);
  const result: UnarchiveResult = { files: names, restored: 0, present: 0 };
  const home = await homeOfLogs(database);
  const unlock = lockFolder(folder);
  try {
    await audit.record(actor, { action: 'log.restore', id: month ?? '', after: { folder } });
    keep(folder, readArchive(folder), names);
    for (const name of names) {
      for await (const page of readPages(join(folder, name))) {
        if (signal?.aborted) return result;
        const restored = await restorePage({ home, database }, join(folder, name), page);
        // After every page, whether its rows are new or not: a run that was stopped here is finished by the next one.
        await retryRolled(
          database,
          page.map(({ created_at }) => created_at),
        );
        result.restored += restored;
        result.present += page.length - restored;
        onRows?.(page.length);
      }
    }
    return result;
  } finally {
    unlock();
    await audit.record(actor, {
      action: 'log.restored',
      id: month ?? '',
      after: { folder, restored: result.restored },
    });
  }
}

/** Said before the first row is there: the next archiving to this folder deletes these rows again instead of writing them once more. */
function keep(folder: string, manifest: ArchiveManifest, names: string[]): void {
  for (const file of manifest.files) if (names.includes(file.name)) file.state = 'kept';
  writeArchive(folder, manifest);
}

function restorePage(
  { home, database }: { home: LogHome; database: Database },
  file: string,
  page: LogRow[],
): Promise<number> {
  const { logs, change } = home;
  return change(async (transaction, keep) => {
    const fresh = await missing(logs, file, page, transaction);
    if (fresh.length === 0) return 0;
    const last = Math.max(...fresh.map(({ id }) => id));
    await logs.logs.bulkCreate(fresh, { transaction });
    // They count as rows again, and no longer as what was kept of them.
    await keep({ sums: sumsOf(fresh.map((row) => ({ ...row, quota: -row.quota }))) }, transaction);
    // A database that never had these rows would give their ids again.
    await skipLogIds(database, last, logs === database ? transaction : undefined);
    return fresh.length;
  });
}

async function missing(database: Database, file: string, page: LogRow[], transaction: Transaction): Promise<LogRow[]> {
  const id = page.map((row) => row.id);
  const request_id = page.flatMap((row) => row.request_id ?? []);
  const found = await database.logs.findAll({ where: { id }, raw: true, transaction });
  const rows = new Map(page.map((row) => [row.id, row]));
  if (!found.every((row) => isSameRow(row, rows.get(row.id)))) throw new AppError('archive.otherRows', { file });
  const booked =
    request_id.length === 0
      ? []
      : await database.logs.findAll({ attributes: ['request_id'], where: { request_id }, raw: true, transaction });
  const known = new Set<unknown>([...found.map((row) => row.id), ...booked.map((row) => row.request_id)]);
  return page.filter((row) => !known.has(row.id) && !known.has(row.request_id ?? undefined));
}
