import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newRequestId } from '../../../core/lib/request-id.ts';
import { clearBatch } from '../../../core/services/log/clear.ts';
import { homeOfLogs } from '../../../core/services/log-store/home.ts';
import { addChannel, addToken, addUser, openLedger, settlementOf } from '../../support/ledger-books.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../support/temporary-database.ts';

const people = 12;
const rows = 3000;

describe.each(engines)('clearing the log on %s while calls are booked without log rows', (engine) => {
  let temporary: TemporaryDatabase;
  let ledger: Awaited<ReturnType<typeof openLedger>>;

  beforeEach(async () => {
    temporary = await createTemporaryDatabase(engine);
    ledger = await openLedger(temporary);
  });
  afterEach(async () => {
    await ledger.close();
    await temporary.remove();
  });

  it('refuses no call, meets no deadlock, and keeps the books right', async () => {
    const { database } = temporary;
    const channels = [await addChannel(temporary), await addChannel(temporary)];
    const users: { userId: number; tokenId: number }[] = [];
    for (let n = 0; n < people; n++) {
      const userId = await addUser(temporary, ledger, 10_000_000);
      users.push({ userId, tokenId: await addToken(temporary, ledger, { userId, quota: 10_000_000 }) });
    }
    await fillLog(users, channels);
    let isOver = false;
    let booked = 0;
    const lanes = users.map(async (user, n) => {
      while (!isOver) {
        const id = newRequestId();
        expect(await ledger.hold({ id, ...user, amount: 100 })).toEqual({ ok: true });
        const channelId = channels[n % 2] ?? 0;
        const settlement = { ...settlementOf({ id, ...user, channelId, actual: 7 }), log: undefined };
        expect(await ledger.settle(settlement)).toBe('booked');
        booked++;
      }
    });
    const before = Math.floor(Date.now() / 1000) + 1;
    const clear = async () => {
      let count = 0;
      for (let deleted = -1; deleted !== 0; count += deleted)
        deleted = await clearBatch(await homeOfLogs(database), before);
      return count;
    };
    try {
      const cleared = await Promise.all([clear(), clear()]);
      expect(cleared.reduce((sum, count) => sum + count)).toBe(rows);
      const now = booked;
      await expect.poll(() => booked).toBeGreaterThan(now);
    } finally {
      isOver = true;
      await Promise.all(lanes);
    }
    expect(await deadlocks()).toBe(0);
    expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
  });

  /** As the ledger would have written it. */
  async function fillLog(users: { userId: number; tokenId: number }[], channels: number[]): Promise<void> {
    const { sequelize } = temporary.database;
    const values = Array.from({ length: rows }, (_, n) => {
      const { userId, tokenId } = users[n % people] ?? { userId: 0, tokenId: 0 };
      return `(1000, 2, ${userId}, ${tokenId}, ${channels[n % 2]}, 1)`;
    });
    await sequelize.query(
      `INSERT INTO logs (created_at, type, user_id, token_id, channel_id, quota) VALUES ${values.join(', ')}`,
    );
    const each = rows / people;
    await sequelize.query(`UPDATE users SET quota = quota - ${each}, used_quota = ${each}`);
    await sequelize.query(`UPDATE tokens SET remain_quota = remain_quota - ${each}, used_quota = ${each}`);
    await sequelize.query(`UPDATE channels SET used_quota = ${rows / 2}`);
  }

  async function deadlocks(): Promise<number> {
    if (engine === 'sqlite') return 0;
    // What a session has seen is counted once it is idle for a moment.
    await wait(1200);
    const [row] = await temporary.database.select<{ deadlocks: number }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(row?.deadlocks);
  }
});
