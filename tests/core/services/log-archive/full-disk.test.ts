import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readable } from '../../../../cli/failure.ts';
import { copyDatabase } from '../../../../core/database/backup.ts';
import { openSqlite } from '../../../../core/database/sqlite-connection.ts';
import type { AppError } from '../../../../core/errors/app-error.ts';
import { openArchive, readArchive, writeArchive } from '../../../../core/services/log-archive/manifest.ts';
import { writeMasterKey } from '../../../../core/services/upkeep/secret-rotation.ts';
import { canMountDisks, mountSmallDisk, type SmallDisk } from '../../../support/small-disk.ts';

let disk: SmallDisk | undefined;
afterEach(() => disk?.remove());

/** All but so many bytes is taken. */
function leave({ directory, fill }: SmallDisk, bytes: number): void {
  const room = join(directory, 'room');
  writeFileSync(room, Buffer.alloc(bytes));
  fill();
  rmSync(room);
}

const entry = (part: number) => ({
  name: `logs-2025-12.${part}.jsonl.gz`,
  month: '2025-12',
  rows: 1,
  quota: 1,
  first_at: 1_764_547_200,
  last_at: 1_764_547_200,
  bytes: 100,
  sha256: 'ab'.repeat(32),
  state: 'kept' as const,
});

it.skipIf(!canMountDisks)('a disk that is full leaves the list of an archive as it was, and the keys', () => {
  disk = mountSmallDisk(1);
  const folder = join(disk.directory, 'archive');
  const manifest = openArchive(folder);
  manifest.files.push(...[1, 2].map(entry));
  writeArchive(folder, manifest);
  leave(disk, 4096);
  const more = { ...manifest, files: Array.from({ length: 60 }, (_, part) => entry(part + 1)) };
  expect(() => writeArchive(folder, more)).toThrow('ENOSPC');
  expect(readArchive(folder)).toEqual(manifest);
  rmSync(join(folder, 'manifest.json'));
  expect(() => openArchive(folder)).not.toThrow();
  const keys = Array.from({ length: 100 }, () => 'cd'.repeat(32));
  expect(() => writeMasterKey(disk?.directory ?? '', keys)).toThrow('ENOSPC');
});

it.skipIf(!canMountDisks)('a command that meets a full disk says so, and names the file that did not fit', async () => {
  const full = mountSmallDisk(1);
  disk = full;
  const source = mkdtempSync(join(tmpdir(), 'tollgate-full-'));
  const file = join(source, 'tollgate.db');
  const connection = await openSqlite(file);
  await connection.exec('CREATE TABLE much (text TEXT)');
  await connection.run('INSERT INTO much SELECT hex(zeroblob(1048576))');
  await connection.close();
  const target = join(full.directory, 'copy.db');
  const archive = join(full.directory, 'archive');
  const textOf = async (work: () => unknown) => {
    const error = await Promise.resolve()
      .then(work)
      .catch((reason: unknown) => reason);
    return (readable(error) as AppError).text('en');
  };
  expect(await textOf(() => copyDatabase({ engine: 'sqlite', file }, target, {}))).toBe(`the disk is full (${target})`);
  const manifest = openArchive(archive);
  full.fill();
  const more = { ...manifest, files: [1, 2].map(entry) };
  expect(await textOf(() => writeArchive(archive, more))).toBe(
    `the disk is full (${join(archive, 'manifest.json.part')})`,
  );
  rmSync(source, { recursive: true });
});
