import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newRequestId } from '../../../core/lib/request-id.ts';
import { addChannel, addToken, addUser, booksOf, countOf, openLedger } from '../../support/ledger-books.ts';
import { type LedgerWorker, startLedgerWorker } from '../../support/start-ledger-worker.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../support/temporary-database.ts';

/** More with LEDGER_KILLS=200 (nightly). */
const kills = Number(process.env.LEDGER_KILLS ?? 30);

describe.each(engines)('ledger processes on %s', (engine) => {
  let first: TemporaryDatabase;
  let temporary: TemporaryDatabase;
  let ledger: Awaited<ReturnType<typeof openLedger>>;
  let workers: LedgerWorker[] = [];

  beforeAll(async () => {
    first = await createTemporaryDatabase(engine);
  });
  afterAll(() => first.remove());
  beforeEach(async () => {
    temporary = await createTemporaryDatabase(engine);
    ledger = await openLedger(temporary);
  });
  afterEach(async () => {
    for (const worker of workers) worker.signal('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
    workers = [];
    await ledger.close();
    await temporary.remove();
  });

  function start(order: Omit<Parameters<typeof startLedgerWorker>[0], 'database' | 'directory'>): LedgerWorker {
    const worker = startLedgerWorker({ database: temporary.target, directory: temporary.directory, ...order });
    workers.push(worker);
    return worker;
  }

  /** PostgreSQL declares an owner dead after a minute without a sign; here that minute is over at once. */
  async function sweepTheDead(): Promise<void> {
    await temporary.database.sequelize.query(
      `UPDATE ledger_owners SET seen_at = seen_at - 100 WHERE pid <> ${process.pid}`,
    );
    await ledger.sweep();
  }

  it('admits exactly what the balance pays for when two processes ask 500 times at once', async () => {
    const userId = await addUser(temporary, ledger, 5000);
    const tokenId = await addToken(temporary, ledger, { userId, quota: 1_000_000 });
    const task = { name: 'rush', userId, tokenId, holds: 250, amount: 100 } as const;
    const responses = await Promise.all([start({ task }), start({ task })].map((worker) => worker.heard('accepted')));
    expect(responses.reduce((sum, { accepted }) => sum + Number(accepted), 0)).toBe(50);
    expect((await booksOf(temporary, userId)).quota).toBe(0);
    expect(await countOf(temporary, 'quota_holds')).toBe(50);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('loses and doubles nothing when processes are killed at any moment', {
    timeout: 120_000 + kills * 20_000,
  }, async () => {
    const users = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const userId = await addUser(temporary, ledger, 100_000_000);
        return { userId, tokenId: await addToken(temporary, ledger, { userId, quota: 100_000_000 }) };
      }),
    );
    const channelId = await addChannel(temporary);
    const points = ['hold.before', 'hold.after', 'settle.before', 'settle.after', 'sweep.before', 'sweep.after'];
    const acknowledged = new Map<string, number>();
    // Longer after one that was killed before it booked anything: on a busy machine that could be all of them.
    let reachMs = 300;
    for (let kill = 0; kill < kills; kill++) {
      // Half of them end at a named place of the code, half of them wherever they are.
      const killAt =
        kill % 2 === 0
          ? { point: points[(kill / 2) % points.length] ?? '', time: 1 + Math.floor(Math.random() * 40) }
          : undefined;
      const worker = start({ task: { name: 'load', lanes: 8, users, channelId, thinkMs: 5 }, killAt });
      await Promise.race([worker.heard('ready'), worker.ended]);
      await Promise.race([wait(Math.random() * reachMs), worker.ended]);
      worker.signal('SIGKILL');
      await worker.ended;
      const booked = worker.said.filter(({ id }) => id);
      for (const { id, actual } of booked) acknowledged.set(String(id), Number(actual));
      reachMs = booked.length > 0 ? 300 : Math.min(2 * reachMs, 20_000);
      if (kill % 3 === 0) await sweepTheDead();
    }
    // A server may still finish what a process sent before it was killed.
    const heldAfterSweep = () => sweepTheDead().then(() => countOf(temporary, 'quota_holds WHERE state = 0'));
    await expect.poll(heldAfterSweep).toBe(0);

    const rows = await temporary.database.select<{ request_id: string; quota: number }>(
      'SELECT request_id, quota FROM logs WHERE type = 2',
    );
    const booked = new Map(rows.map(({ request_id, quota }) => [request_id, Number(quota)]));
    const lost = [...acknowledged].filter(([id, actual]) => booked.get(id) !== actual);
    expect(acknowledged.size).toBeGreaterThan(kills);
    expect(lost).toEqual([]);
    expect(booked.size).toBe(rows.length);
    expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
  });

  it('books a call in full and once when its process was frozen, taken for dead, and woke again', async () => {
    const userId = await addUser(temporary, ledger, 1000);
    const tokenId = await addToken(temporary, ledger, { userId, quota: 1000 });
    const channelId = await addChannel(temporary);
    const call = { id: newRequestId(), userId, tokenId, channelId, actual: 300 };
    const worker = start({ task: { name: 'settle', ...call, thinkMs: 1500 } });
    await worker.heard('held');
    // Frozen in the middle of its first sweep it would keep the file locked.
    await wait(500);
    worker.signal('SIGSTOP');
    // SQLite asks the machine whether the process runs, so its number is made one that cannot exist.
    await temporary.database.sequelize.query(`UPDATE ledger_owners SET pid = 99999999 WHERE pid <> ${process.pid}`);
    await sweepTheDead();
    expect((await booksOf(temporary, userId)).quota).toBe(1000);
    expect((await ledger.verify()).ok).toBe(true);
    worker.signal('SIGCONT');
    expect(await worker.heard('outcome')).toEqual({ outcome: 'booked' });
    expect(await booksOf(temporary, userId)).toEqual({ quota: 700, used_quota: 300, request_count: 1 });
    expect(await countOf(temporary, 'quota_holds')).toBe(0);
    expect((await ledger.verify()).ok).toBe(true);
  });
});
