import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileIdentity } from '../../../core/billing/file-identity.ts';
import { openSqlite, type SqliteConnection } from '../../../core/database/sqlite-connection.ts';

let directory: string;
let connection: SqliteConnection;
let file: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-identity-'));
  file = join(directory, 'tollgate.db');
  connection = await openSqlite(file);
  await connection.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE filler (text)');
});
afterEach(async () => {
  await connection.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('what a server notices of its SQLite file', () => {
  it('is not mistaken by a large write-ahead log that is taken over while it looks', async () => {
    // The first page, which says how large the file will be, is written long before the last one.
    await connection.exec(`INSERT INTO filler
      WITH RECURSIVE rows(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < 60000)
      SELECT hex(zeroblob(500)) FROM rows`);
    const identity = createFileIdentity(file);
    let isOver = false;
    const taking = connection.exec('PRAGMA wal_checkpoint(TRUNCATE)').finally(() => {
      isOver = true;
    });
    const found = new Set<string | undefined>();
    while (!isOver && found.size < 2) found.add(await identity.look());
    await taking;
    found.add(await identity.look());
    expect([...found]).toEqual([undefined]);
  });
});
