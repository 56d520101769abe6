import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
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
