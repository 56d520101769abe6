import { copyFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqlite } from '../../../core/database/sqlite-connection.ts';
import { newRequestId } from '../../../core/lib/request-id.ts';
import {
  addChannel,
  addToken,
  addUser,
  booksOf,
  countOf,
  openLedger,
  settlementOf,
} from '../../support/ledger-books.ts';
import { createTemporaryDatabase, type TemporaryDatabase } from '../../support/temporary-database.ts';

const diskError = () => Object.assign(new Error('i/o error'), { code: 'EIO' });

describe('the ledger on SQLite', () => {
  let temporary: TemporaryDatabase;
  let ledger: Awaited<ReturnType<typeof openLedger>>;
  let call: { userId: number; tokenId: number; channelId: number };
  /** The system's own flush, as every file handle has it. */
  let handles: { datasync(): Promise<void> };
  let flush: () => Promise<void>;
  let release = () => {};

  beforeEach(async () => {
    temporary = await createTemporaryDatabase('sqlite');
    ledger = await openLedger(temporary);
    const userId = await addUser(temporary, ledger, 1000);
    const tokenId = await addToken(temporary, ledger, { userId, quota: 600 });
    call = { userId, tokenId, channelId: await addChannel(temporary) };
    const probe = join(temporary.directory, 'probe');
    writeFileSync(probe, '');
    const handle = await open(probe, 'r+');
    handles = Object.getPrototypeOf(handle) as typeof handles;
    flush = handles.datasync;
    await handle.close();
  });
  afterEach(async () => {
    // A test that failed in between leaves a charge waiting.
    release();
    vi.restoreAllMocks();
    await ledger.close();
    await temporary.remove();
  });

  const hold = async (amount: number) => {
    const id = newRequestId();
    const { userId, tokenId } = call;
    expect(await ledger.hold({ id, userId, tokenId, amount })).toEqual({ ok: true });
    return id;
  };
  const settle = (id: string, actual: number, held: number) =>
    ledger.settle({ ...settlementOf({ id, ...call, actual }), held });
  const rowsOf = (id: string) => countOf(temporary, `logs WHERE request_id = '${id}'`);

  /** Whether the database file tells of the call without its log: what is in the file was flushed. */
  async function isInFile(id: string): Promise<boolean> {
    const copy = join(temporary.directory, 'copy.db');
    if (temporary.target.engine === 'sqlite') copyFileSync(temporary.target.file, copy);
    const connection = await openSqlite(copy);
    try {
      return (await connection.all('SELECT 1 FROM logs WHERE request_id = ?', [id])).length === 1;
    } finally {
      await connection.close();
    }
  }

  it('M4: says that a charge is booked once a flush behind its COMMIT has ended, and takes holds meanwhile', async () => {
    const id = await hold(100);
    let isFlushed = false;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const committed: number[] = [];
    vi.spyOn(handles, 'datasync').mockImplementation(async function (this: typeof handles) {
      committed.push(await rowsOf(id));
      await released;
      await flush.call(this);
      isFlushed = true;
    });
    const settled = settle(id, 70, 100).then((outcome) => ({ outcome, isFlushed }));
    await expect.poll(() => committed).toEqual([1]);
    // The disk keeps nothing but the charge waiting.
    await hold(50);
    expect(await ledger.hold({ id: newRequestId(), ...call, amount: 900 })).toEqual({ ok: false, refused: 'user' });
    expect(isFlushed).toBe(false);
    await expect.poll(() => ledger.inFlight()).toBe(1);
    release();
    expect(await settled).toEqual({ outcome: 'booked', isFlushed: true });
    await ledger.drain();
    expect(ledger.inFlight()).toBe(0);
  });

  it('M4: charges that were committed while a flush ran wait for the next one', async () => {
    const ids = await Promise.all([hold(10), hold(10), hold(10)]);
    const seen: number[] = [];
    vi.spyOn(handles, 'datasync').mockImplementation(async function (this: typeof handles) {
      seen.push(await countOf(temporary, 'logs WHERE type = 2'));
      // What comes meanwhile is not known to be part of this flush.
      if (seen.length === 1) {
        others.push(settle(ids[1] ?? '', 10, 10), settle(ids[2] ?? '', 10, 10));
        await expect.poll(() => countOf(temporary, 'logs WHERE type = 2')).toBe(3);
      }
      await flush.call(this);
    });
    const others: Promise<unknown>[] = [];
    expect(await settle(ids[0] ?? '', 10, 10)).toBe('booked');
    expect(await Promise.all(others)).toEqual(['booked', 'booked']);
    expect(seen).toEqual([1, 3]);
  });

  it('M6: books charges once, and brings them to the disk, when the disk fails to flush them', async () => {
    const [first, second] = [await hold(100), await hold(100)];
    const settled: Promise<unknown>[] = [];
    const wasInFile: boolean[] = [];
    // A system tells of a failure once; the next flush is told that all is well.
    const flushed = vi.spyOn(handles, 'datasync').mockImplementationOnce(async () => {
      settled.push(settle(second, 30, 100));
      await expect.poll(() => rowsOf(second)).toBe(1);
      wasInFile.push(await isInFile(first), await isInFile(second));
      throw diskError();
    });
    settled.push(settle(first, 70, 100));
    await expect.poll(() => settled).toHaveLength(2);
    expect(await Promise.all(settled)).toEqual(['booked', 'booked']);
    expect(flushed).toHaveBeenCalledTimes(1);
    expect(wasInFile).toEqual([false, false]);
    expect([await isInFile(first), await isInFile(second)]).toEqual([true, true]);
    expect([await rowsOf(first), await rowsOf(second)]).toEqual([1, 1]);
    expect(await booksOf(temporary, call.userId)).toEqual({ quota: 900, used_quota: 100, request_count: 2 });
    expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
  });

  it('leaves it to each COMMIT from then on, which fails when the disk does', async () => {
    const failing = vi.spyOn(handles, 'datasync').mockRejectedValue(diskError());
    for (const id of await Promise.all([hold(10), hold(10)])) expect(await settle(id, 10, 10)).toBe('booked');
    expect(failing).toHaveBeenCalledTimes(1);
    expect(ledger.isWritable()).toBe(true);
    expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
  });
});
