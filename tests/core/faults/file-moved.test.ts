import { copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { openSqlite } from '../../../core/database/sqlite-connection.ts';
import { newRequestId } from '../../../core/lib/request-id.ts';
import { addToken, addUser, openLedger, settlementOf } from '../../support/ledger-books.ts';
import { createTemporaryDatabase, type TemporaryDatabase } from '../../support/temporary-database.ts';

/** What may happen to the file of a server that runs, and what is said of it. */
const mishaps: Record<string, { happen(file: string): void; said: RegExp }> = {
  renamed: { happen: (file) => renameSync(file, `${file}.away`), said: /tollgate\.db is gone/ },
  deleted: { happen: (file) => rmSync(file), said: /tollgate\.db is gone/ },
  'without its log': { happen: (file) => rmSync(`${file}-wal`), said: /-wal is gone/ },
  'with its log moved': { happen: (file) => renameSync(`${file}-wal`, `${file}-wal.away`), said: /-wal is gone/ },
  replaced: { happen: (file) => renameSync(`${file}.old`, file), said: /replaced by another file/ },
  overwritten: { happen: (file) => writeFileSync(file, readFileSync(`${file}.old`)), said: /overwritten|cut/ },
  cut: { happen: (file) => truncateSync(file, 8192), said: /cut to 8192 bytes/ },
  'with its log cut': { happen: (file) => truncateSync(`${file}-wal`, 100), said: /-wal was cut/ },
};

let opened: { temporary: TemporaryDatabase; ledger: Awaited<ReturnType<typeof openLedger>> }[] = [];

afterEach(async () => {
  for (const { ledger, temporary } of opened) {
    await ledger.close().catch(() => undefined);
    await temporary.remove().catch(() => undefined);
  }
  opened = [];
});

async function openOne() {
  const temporary = await createTemporaryDatabase('sqlite');
  const file = temporary.target.engine === 'sqlite' ? temporary.target.file : '';
  const ledger = await openLedger(temporary);
  opened.push({ temporary, ledger });
  const userId = await addUser(temporary, ledger, 1000);
  const tokenId = await addToken(temporary, ledger, { userId, quota: 600 });
  const other = await openSqlite(file);
  await other.run('VACUUM INTO ?', [`${file}.old`]);
  await other.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(300000))');
  await other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  await other.close();
  const id = newRequestId();
  await ledger.hold({ id, userId, tokenId, amount: 100 });
  return { file, ledger, userId, tokenId, id };
}

it('D4 a file that was moved, deleted, replaced or cut is noticed, and no call begins on it', {
  timeout: 120_000,
}, async () => {
  await Promise.all(
    Object.entries(mishaps).map(async ([name, { happen, said }]) => {
      const { file, ledger, userId, tokenId, id } = await openOne();
      // Its first look is at the files as they should be.
      await new Promise((resolve) => setTimeout(resolve, 2500));
      expect(ledger.isDamaged(), name).toBe(false);
      happen(file);
      await expect.poll(() => ledger.isDamaged(), { timeout: 30_000, message: name }).toBe(true);
      const refused = ledger.hold({ id: newRequestId(), userId, tokenId, amount: 1 });
      await expect(refused, name).rejects.toMatchObject({ code: 'ledger.unavailable' });
      expect(ledger.alarms.map(({ text }) => text).join('\n'), name).toMatch(said);
      // What runs is kept where it will be found.
      expect(await ledger.settle(settlementOf({ id, userId, tokenId, channelId: 0, actual: 7 })), name).toBe('spooled');
    }),
  );
});

it('serves again when the file is back at its place', async () => {
  const { file, ledger, userId, tokenId } = await openOne();
  await new Promise((resolve) => setTimeout(resolve, 2500));
  renameSync(file, `${file}.away`);
  await expect.poll(() => ledger.isDamaged(), { timeout: 30_000 }).toBe(true);
  copyFileSync(`${file}.away`, `${file}.copy`);
  renameSync(`${file}.away`, file);
  await expect.poll(() => ledger.isDamaged(), { timeout: 30_000 }).toBe(false);
  expect(await ledger.hold({ id: newRequestId(), userId, tokenId, amount: 1 })).toEqual({ ok: true });
});
