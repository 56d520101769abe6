import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../errors/app-error.ts';
import { linesOf } from '../../lib/text-line.ts';
import { coded } from '../../text/coded.ts';

/** The form of the folder that `db export` writes. */
export const exportFormat = 1;

const fileName = z.string().regex(/^[a-z_]+\.jsonl$/);

const tableSchema = z.object({
  name: z.string().regex(/^[a-z_]+$/),
  file: fileName,
  rows: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  sha256: z.string(),
  last_id: z.number().int().nonnegative().nullable(),
});
export type ExportedTable = z.output<typeof tableSchema>;

const manifestSchema = z.object({
  format: z.number(),
  tollgate: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  created_at: z.number(),
  /** In the order they ran. */
  migrations: z.array(z.string()).min(1),
  /** What names the keys that open the secrets; the keys themselves are not in the folder. */
  master_keys: z.array(z.string()),
  tables: z.array(tableSchema),
});
export type ExportManifest = z.output<typeof manifestSchema>;

export const manifestFile = 'manifest.json';

/** Throws when the folder is not a whole export, or one of a newer program. */
export function readManifest(folder: string, known: readonly string[]): ExportManifest {
  const file = join(folder, manifestFile);
  // It is written last: without it the export did not come to its end.
  if (!existsSync(file)) throw new AppError('move.noManifest', { folder });
  const value = readJson(file);
  const { format, tollgate } = z.object({ format: z.number(), tollgate: z.string() }).partial().catch({}).parse(value);
  if (format !== undefined && format > exportFormat) throw new AppError('move.newer', { version: tollgate ?? '?' });
  const manifest = manifestSchema.safeParse(value);
  if (!manifest.success) throw new AppError('move.damaged', { file, reason: coded('move.notManifest') });
  if (manifest.data.migrations.some((name) => !known.includes(name))) {
    throw new AppError('move.newer', { version: manifest.data.tollgate });
  }
  return manifest.data;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // the schema says what is wrong
  }
}

/** Reads every file to its end before anything is written. */
export async function checkFiles(folder: string, { tables }: ExportManifest): Promise<void> {
  for (const { file: name, sha256 } of tables) {
    const file = join(folder, name);
    if (!existsSync(file)) throw new AppError('move.damaged', { file, reason: coded('move.fileMissing') });
    const hash = createHash('sha256');
    for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
    if (hash.digest('hex') !== sha256) throw new AppError('move.damaged', { file, reason: coded('move.otherHash') });
  }
}

export const linesIn = (file: string): AsyncGenerator<string> => linesOf(createReadStream(file, 'utf8'));
