import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Settlement } from '../../../core/billing/settlement.ts';
import { newRequestId } from '../../../core/lib/request-id.ts';
import { clearBatch } from '../../../core/services/log/clear.ts';
import { homeOfLogs } from '../../../core/services/log-store/home.ts';
import {
  addChannel,
  addToken,
  addUser,
  booksOf,
  countOf,
  openLedger,
  settlementOf,
} from '../../support/ledger-books.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../support/temporary-database.ts';

describe.each(engines)('a settlement on %s whose hold no longer exists', (engine) => {
  let temporary: TemporaryDatabase;
  let ledger: Awaited<ReturnType<typeof openLedger>>;
  let userId: number;
  let tokenId: number;
  let channelId: number;

  beforeAll(async () => {
    temporary = await createTemporaryDatabase(engine);
    ledger = await openLedger(temporary);
    channelId = await addChannel(temporary);
  });
  afterAll(async () => {
    await ledger.close();
    await temporary.remove();
  });
  beforeEach(async () => {
    userId = await addUser(temporary, ledger, 1000);
    tokenId = await addToken(temporary, ledger, { userId, quota: 600 });
    ledger.alarms.length = 0;
  });
  afterEach(async () => {
    await temporary.database.sequelize.query('DELETE FROM stray_settlements');
  });

  const run = (sql: string) => temporary.database.sequelize.query(sql);
  const stray = (extra: Partial<Settlement> = {}): Settlement => ({
    ...settlementOf({ id: newRequestId(), userId, tokenId, channelId, actual: 30 }),
    ...extra,
  });
  const silent = (extra: Partial<Settlement> = {}) => stray({ log: undefined, usage: undefined, ...extra });

  /** The database is put back to what it was before the hold. */
  async function heldBeforeTheRestore(settlement: Settlement): Promise<void> {
    const { id } = settlement;
    expect(await ledger.hold({ id, userId, tokenId, amount: 100 })).toEqual({ ok: true });
    await run(`DELETE FROM quota_holds WHERE id = '${id}'`);
    await run(`UPDATE users SET quota = quota + 100 WHERE id = ${userId}`);
    await run(`UPDATE tokens SET remain_quota = remain_quota + 100 WHERE id = ${tokenId}`);
  }

  it('is booked in full, once, with an alarm', async () => {
    const heard: string[] = [];
    ledger.onStrays((strays) => heard.push(...strays.map(({ id }) => id)));
    const settlement = stray();
    await heldBeforeTheRestore(settlement);
    expect(await ledger.settle(settlement)).toBe('booked');
    expect(await ledger.settle(settlement)).toBe('already');
    expect(await booksOf(temporary, userId)).toEqual({ quota: 970, used_quota: 30, request_count: 1 });
    expect(await countOf(temporary, `logs WHERE request_id = '${settlement.id}'`)).toBe(1);
    expect(await ledger.verify()).toMatchObject({ ok: true, strays: { booked: 1, parked: 0 } });
    expect(ledger.alarms).toMatchObject([{ fields: { count: 1, quota: 30, first: settlement.id } }]);
    expect(heard).toEqual([settlement.id]);
  });

  it('is booked once as well where calls are not logged', async () => {
    const settlement = silent();
    expect(await ledger.settle(settlement)).toBe('booked');
    expect(await ledger.settle(settlement)).toBe('already');
    // One that had its hold leaves the same evidence.
    const defaultValue = silent();
    await ledger.hold({ id: defaultValue.id, userId, tokenId, amount: 100 });
    expect([await ledger.settle(defaultValue), await ledger.settle(defaultValue)]).toEqual(['booked', 'already']);
    expect(await booksOf(temporary, userId)).toEqual({ quota: 940, used_quota: 60, request_count: 2 });
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('is not booked after its hold was given back', async () => {
    const settlement = stray();
    await ledger.hold({ id: settlement.id, userId, tokenId, amount: 100 });
    await ledger.release({ id: settlement.id, userId, tokenId, held: 100 });
    expect(await ledger.settle(settlement)).toBe('already');
    await ledger.release({ id: newRequestId(), userId, tokenId, held: 100 });
    expect(ledger.alarms).toEqual([]);
    expect((await booksOf(temporary, userId)).quota).toBe(1000);
  });

  it('comes from the spool and is booked once, however often it is read', async () => {
    const settlement = stray();
    const { id, accessedAt, actual, log, usage } = settlement;
    const line = JSON.stringify({ id, userId, tokenId, channelId, actual, counted: 1, accessedAt, log, usage });
    appendFileSync(join(temporary.directory, 'spool', 'former.jsonl'), `${line}\n${line}\n`);
    appendFileSync(join(temporary.directory, 'spool', 'other.jsonl.1.replay'), `${line}\n`);
    const next = await openLedger(temporary);
    await expect.poll(() => countOf(temporary, `logs WHERE request_id = '${id}'`)).toBe(1);
    await next.close();
    expect(await booksOf(temporary, userId)).toEqual({ quota: 970, used_quota: 30, request_count: 1 });
    expect(next.alarms).toHaveLength(1);
  });

  it('waits for a decision when it is unknown whether it was booked', async () => {
    const now = Math.floor(Date.now() / 1000);
    // Its user came after the copy; its log row may have been cleared; its evidence is too old to be kept.
    const nobodys = stray({ userId: 999_999 });
    const old = silent({ accessedAt: now - 8 * 86_400 });
    const cleared = stray();
    Object.assign(cleared.log ?? {}, { created_at: now - 5000 });
    await clearBatch(await homeOfLogs(temporary.database), now - 4000);
    await run(`INSERT INTO logs (created_at, type) VALUES (${now - 6000}, 4)`);
    await clearBatch(await homeOfLogs(temporary.database), now - 4000);
    for (const each of [nobodys, old, cleared]) {
      expect([await ledger.settle(each), await ledger.settle(each)]).toEqual(['parked', 'already']);
    }
    expect(ledger.alarms).toHaveLength(3);
    expect(await booksOf(temporary, userId)).toEqual({ quota: 1000, used_quota: 0, request_count: 0 });
    expect(await ledger.verify()).toMatchObject({ ok: false, differenceCount: 0, strays: { parked: 3 } });

    expect([await ledger.bookParked(old.id), await ledger.bookParked(old.id)]).toEqual([true, false]);
    expect(await ledger.bookParked(cleared.id)).toBe(true);
    await expect(ledger.bookParked(nobodys.id)).rejects.toThrow();
    expect(await booksOf(temporary, userId)).toEqual({ quota: 940, used_quota: 60, request_count: 2 });
    await run(`DELETE FROM stray_settlements WHERE id = '${nobodys.id}'`);
    expect((await ledger.verify()).ok).toBe(true);
  });
});
