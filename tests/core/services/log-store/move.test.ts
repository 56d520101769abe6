import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../core/billing/ledger.ts';
import type { LogRow } from '../../../../core/database/models/log.ts';
import { newRequestId } from '../../../../core/lib/request-id.ts';
import { removeBefore } from '../../../../core/services/log/drop-part.ts';
import { homeOfLogs } from '../../../../core/services/log-store/home.ts';
import { moveLogs } from '../../../../core/services/log-store/move.ts';
import { addChannel, addToken, addUser, countOf, openLedger, settlementOf } from '../../../support/ledger-books.ts';
import { createLogStoreBed, enginePairs, type LogStoreBed } from '../../../support/log-store.ts';

const now = Math.floor(Date.now() / 1000);
const day = 86_400;

describe.each(enginePairs)('rows of the log, moved from %s to %s', (...pair) => {
  let bed: LogStoreBed;
  let ledger: Ledger;
  let payer: { userId: number; tokenId: number; channelId: number };

  beforeEach(async () => {
    bed = await createLogStoreBed(pair);
    ledger = await openLedger(bed);
    const userId = await addUser(bed, ledger, 1_000_000);
    const tokenId = await addToken(bed, ledger, { userId, quota: 1_000_000 });
    payer = { userId, tokenId, channelId: await addChannel(bed) };
  });
  afterEach(async () => {
    await ledger.close();
    await bed.remove();
  });

  async function pay(at = now, actual = 5): Promise<string> {
    const id = newRequestId();
    await ledger.hold({ id, ...payer, amount: 100 });
    const settlement = settlementOf({ id, ...payer, actual });
    const log = settlement.log && { ...settlement.log, created_at: at };
    const usage = settlement.usage && { ...settlement.usage, hour: at - (at % 3600) };
    expect(await ledger.settle({ ...settlement, log, usage })).toBe('booked');
    return id;
  }

  const payAll = async (count: number, at?: number) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push(await pay(at));
    return ids;
  };

  async function idsThere(): Promise<string[]> {
    const rows = await (await bed.logs()).logs.findAll({
      attributes: ['request_id'],
      order: [['id', 'ASC']],
      raw: true,
    });
    return rows.map(({ request_id }) => request_id ?? '');
  }

  const expectRight = async () =>
    expect(await bed.verify()).toMatchObject({ ok: true, differences: [], withoutLogs: false });

  it('arrive once, under their ids and with all they say', async () => {
    await bed.takeIntoUse();
    const ids = await payAll(7);
    const note = { type: 4, created_at: now, content: "a 'quoted' \u{1F600} \\ note\nwith lines", username: 'root' };
    await bed.database.logs.create({ ...note, is_stream: true });
    const before = await bed.database.logs.findAll({ order: [['id', 'ASC']], raw: true });
    await expectRight();
    await bed.moveAll();
    expect(await countOf(bed, 'logs')).toBe(0);
    const logs = await bed.logs();
    const after = await logs.logs.findAll({ order: [['id', 'ASC']], raw: true });
    const asFlags = (rows: LogRow[]) => rows.map((row) => ({ ...row, is_stream: Boolean(row.is_stream) }));
    expect(asFlags(after)).toEqual(asFlags(before));
    expect((await idsThere()).slice(0, 7)).toEqual(ids);
    await expectRight();
    // A number is never given twice.
    await pay();
    expect((await bed.database.logs.min('id')) as number).toBeGreaterThan(before.at(-1)?.id ?? 0);
  });

  it('are copied first and read where they were until all have arrived', async () => {
    const ids = await payAll(5);
    expect(await bed.database.logHome()).toBe(bed.database);
    await bed.store.begin();
    expect(await bed.database.logHome()).toBe(bed.database);
    const home = await homeOfLogs(bed.database);
    await expect(removeBefore(home, now + 1, {})).rejects.toMatchObject({ code: 'logStore.filling' });
    const moving = { main: bed.database, logs: await bed.logs() };
    await moveLogs(moving);
    expect(await bed.database.logHome()).toBe(moving.logs);
    expect(await idsThere()).toEqual(ids);
    // Lists that were begun are read to their end.
    expect(await countOf(bed, 'logs')).toBe(5);
    await moveLogs(moving);
    expect(await countOf(bed, 'logs')).toBe(5);
    await expectRight();
    await bed.moveAll();
    expect(await countOf(bed, 'logs')).toBe(0);
    expect(await idsThere()).toEqual(ids);
    await expectRight();
  });

  it('are neither lost nor doubled wherever the process is killed', async () => {
    await bed.takeIntoUse();
    const ids: string[] = [];
    for (let killAt = 1; killAt <= 3; killAt++) {
      ids.push(...(await payAll(3)));
      expect(await bed.work({ name: 'move' }, killAt)).toBe('SIGKILL');
      await expectRight();
    }
    await bed.moveAll();
    expect(await idsThere()).toEqual(ids);
    expect(await countOf(bed, 'logs')).toBe(0);
    await expectRight();
  });

  it('are moved once by two processes at the same time', async () => {
    await bed.takeIntoUse();
    const ids = await payAll(40);
    await Promise.all([bed.work({ name: 'move' }), bed.work({ name: 'move' }), bed.moveAll()]);
    expect(await idsThere()).toEqual(ids);
    await expectRight();
  });

  it('are never overwritten by, nor dropped for, another row of their id', async () => {
    await bed.takeIntoUse();
    await pay();
    const [row] = await bed.database.logs.findAll({ raw: true });
    const logs = await bed.logs();
    await logs.logs.create({ id: row?.id ?? 0, created_at: now, type: 4, content: 'in the way' });
    const ids = await payAll(2);
    await expect(moveLogs({ main: bed.database, logs })).rejects.toMatchObject({ code: 'logStore.rowDiffers' });
    expect(await countOf(bed, 'logs')).toBe(1);
    expect((await idsThere()).filter(Boolean)).toEqual(ids);
  });

  it('leave the books right when they are cleared, also by a process that is killed between the databases', async () => {
    await bed.takeIntoUse();
    await payAll(4, now - 40 * day);
    await payAll(3, now - 2 * day);
    const kept = await payAll(2);
    await bed.moveAll();
    // Copied, and not deleted here yet.
    const late = await pay(now - 40 * day);
    expect(await bed.work({ name: 'move' }, 2)).toBe('SIGKILL');
    expect(await idsThere()).toContain(late);
    for (const [killAt, before] of [
      [1, now - 39 * day],
      [2, now - day],
    ] as const) {
      expect(await bed.work({ name: 'clear', before }, killAt)).toBe('SIGKILL');
      await expectRight();
    }
    await bed.moveAll();
    await expectRight();
    expect(await idsThere()).toEqual(kept);
    const home = await homeOfLogs(bed.database);
    expect(await removeBefore(home, now + 1, {})).toBe(2);
    expect(await countOf({ ...bed, database: await bed.logs() }, 'log_changes')).toBe(0);
    await expectRight();
    await pay();
    await bed.moveAll();
    await expectRight();
  });

  it('are proof of a charge for a day', async () => {
    await bed.takeIntoUse();
    const id = await pay();
    await bed.moveAll();
    const again = settlementOf({ id, ...payer, actual: 5 });
    expect(await ledger.settle(again)).not.toBe('booked');
    await expectRight();
    // Older than that, an administrator decides.
    const old = newRequestId();
    const log = again.log && { ...again.log, created_at: now - 2 * day };
    await ledger.settle({ ...again, id: old, log });
    expect(await countOf(bed, "stray_settlements WHERE state = 'parked'")).toBe(1);
  });

  it('show a wrong sum wherever the row is', async () => {
    await bed.takeIntoUse();
    await payAll(3);
    await bed.moveAll();
    await pay();
    const wrong = async (where: LogStoreBed['database']) => {
      await where.sequelize.query('UPDATE logs SET quota = quota + 1');
      const { ok, differenceCount } = await bed.verify();
      await where.sequelize.query('UPDATE logs SET quota = quota - 1');
      return !ok && differenceCount >= 3;
    };
    expect([await wrong(await bed.logs()), await wrong(bed.database)]).toEqual([true, true]);
    await expectRight();
  });
});
