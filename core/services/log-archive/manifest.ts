import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../errors/app-error.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { writeAll } from '../../lib/write-all.ts';
import { coded } from '../../text/coded.ts';
import { version } from '../../version.ts';

/** Grows with every change that a former program could not read. */
const archiveFormat = 1;

const fileSchema = z.object({
  name: z.string().regex(/^logs-\d{4}-\d{2}(\.\d+)?\.jsonl\.gz$/),
  /** Of UTC, `2025-12`. */
  month: z.string().regex(/^\d{4}-\d{2}$/),
  rows: z.number().int().positive(),
  /** What its consumption rows add up to. */
  quota: z.number().int(),
  bytes: z.number().int().positive(),
  /** Of the file as it lies there. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Unix seconds of the oldest and the newest row. */
  first_at: z.number().int(),
  last_at: z.number().int(),
  /** `kept`: its rows are in the database, too, or some of them. `moved`: they are here only. */
  state: z.enum(['kept', 'moved']),
});
export type ArchiveFile = z.output<typeof fileSchema>;

const manifestSchema = z.object({ format: z.number(), tollgate: z.string(), files: z.array(fileSchema) });
export type ArchiveManifest = z.output<typeof manifestSchema>;

const archiveManifestFile = 'manifest.json';
const draftFile = `${archiveManifestFile}.part`;

/** Of an existing archive. Throws when the folder is not an archive, or was written by a newer version. */
export function readArchive(folder: string): ArchiveManifest {
  const file = join(folder, archiveManifestFile);
  if (!existsSync(file)) throw new AppError('archive.none', { folder });
  const value = readJson(file);
  const { format, tollgate } = z.object({ format: z.number(), tollgate: z.string() }).partial().catch({}).parse(value);
  if (format !== undefined && format > archiveFormat) throw new AppError('archive.newer', { version: tollgate ?? '?' });
  const manifest = manifestSchema.safeParse(value);
  if (!manifest.success) throw new AppError('archive.damaged', { file, reason: coded('archive.notManifest') });
  return manifest.data;
}

/** The same, or a new one in a folder that is empty or missing: it comes before every file, so that what else lies there is not ours. */
export function openArchive(folder: string): ArchiveManifest {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === false) throw new AppError('move.notFolder', { folder });
  if (found && existsSync(join(folder, archiveManifestFile))) return readArchive(folder);
  // Of a run that ended before there was an archive.
  const isOurs = (name: string) => name === draftFile;
  if (found && !readdirSync(folder).every(isOurs)) throw new AppError('archive.otherFolder', { folder });
  makeFolder(folder);
  const manifest = { format: archiveFormat, tollgate: version, files: [] };
  writeArchive(folder, manifest);
  return manifest;
}

/** In one step: a reader, and a process that goes on after a crash, sees the old one or the new one. */
export function writeArchive(folder: string, manifest: ArchiveManifest): void {
  const draft = join(folder, draftFile);
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeAll(handle, `${JSON.stringify(manifest, undefined, 2)}\n`, draft);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, join(folder, archiveManifestFile));
  flushFolder(folder);
}

/** A new name is on the disk only once its folder is. */
export function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // the schema says what is wrong
  }
}
