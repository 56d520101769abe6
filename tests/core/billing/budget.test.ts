import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BudgetClaim, writeBudgets } from '../../../core/billing/budget-claim.ts';
import type { Ledger } from '../../../core/billing/ledger.ts';
import { newRequestId } from '../../../core/lib/request-id.ts';
import { removeBefore } from '../../../core/services/log/drop-part.ts';
import { homeOfLogs } from '../../../core/services/log-store/home.ts';
import { failTask } from '../../../core/services/task/refund.ts';
import { addChannel, addToken, addUser, booksOf, openLedger, settlementOf } from '../../support/ledger-books.ts';
import { startLedgerWorker } from '../../support/start-ledger-worker.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../support/temporary-database.ts';

describe.each(engines)('a budget on %s', (engine) => {
  let temporary: TemporaryDatabase;
  let ledger: Awaited<ReturnType<typeof openLedger>>;
  let others: Ledger[] = [];
  let userId: number;
  let tokenId: number;
  let channelId: number;

  let first: TemporaryDatabase;
  beforeAll(async () => {
    first = await createTemporaryDatabase(engine);
  });
  afterAll(() => first.remove());

  beforeEach(async () => {
    temporary = await createTemporaryDatabase(engine);
    ledger = await openLedger(temporary);
    userId = await addUser(temporary, ledger, 100_000);
    tokenId = await addToken(temporary, ledger, { userId, quota: 100_000 });
    channelId = await addChannel(temporary);
  });
  afterEach(async () => {
    await Promise.all([ledger, ...others].map((each) => each.close()));
    others = [];
    await temporary.remove();
  });

  const windowStart = Math.floor(Date.now() / 3_600_000) * 3600;
  const budgetOf = (amount: number, limitId = 1, subject = 'default'): BudgetClaim => [
    limitId,
    subject,
    windowStart,
    amount,
  ];
  const run = (sql: string) => temporary.database.sequelize.query(sql);
  /** What a relay knows of its calls: what it asked for, whatever became of the hold since. */
  const known = new Map<string, number>();
  const hold = (
    amount: number,
    claims: BudgetClaim[],
    extra: { id?: string; part?: number } = {},
    on: Ledger = ledger,
  ) => {
    const { id = newRequestId(), part = 1 } = extra;
    known.set(id, amount + (part > 1 ? (known.get(id) ?? 0) : 0));
    return on.hold({ userId, tokenId, amount, budgets: writeBudgets(claims), ...extra, id });
  };
  /** As the relay settles: the log row names the budgets, too. */
  const settle = (id: string, actual: number, claims: BudgetClaim[], on: Ledger = ledger) => {
    const settlement = settlementOf({ id, userId, tokenId, channelId, actual });
    const other = JSON.stringify({ budgets: claims });
    const log = settlement.log && { ...settlement.log, other };
    return on.settle({ ...settlement, log, budgets: writeBudgets(claims), held: known.get(id) });
  };
  const usage = async (limitId = 1) => {
    const [row] = await temporary.database.select<{ used: number; held: number }>(
      `SELECT used, held FROM limit_usage WHERE limit_id = ${limitId}`,
    );
    return row && { used: Number(row.used), held: Number(row.held) };
  };

  it('holds what a call may cost, books what it did cost and is proved by the log', async () => {
    const claims = [budgetOf(1000), budgetOf(5000, 2, `${userId}`)];
    const id = newRequestId();
    expect(await hold(300, claims, { id })).toEqual({ ok: true });
    expect(await usage()).toEqual({ used: 0, held: 300 });
    expect(await ledger.verify()).toMatchObject({ ok: true, checked: { budgets: 2 } });
    expect(await settle(id, 120, claims)).toBe('booked');
    expect(await usage()).toEqual({ used: 120, held: 0 });
    expect(await usage(2)).toEqual({ used: 120, held: 0 });
    expect(await ledger.verify()).toMatchObject({ ok: true, differenceCount: 0 });
    await run('UPDATE limit_usage SET used = used + 1, held = held + 2 WHERE limit_id = 2');
    expect((await ledger.verify()).differences).toEqual([
      { subject: 'budget', id: `2/${userId}/${windowStart}`, rule: 'held', expected: 0, found: 2 },
      { subject: 'budget', id: `2/${userId}/${windowStart}`, rule: 'used', expected: 120, found: 121 },
    ]);
  });

  it('lets exactly as many of 500 calls at once through as fit, on two ledgers together', async () => {
    others.push(await openLedger(temporary));
    const claims = [budgetOf(1000)];
    const ledgers = engine === 'postgres' ? [ledger, ...others] : [ledger];
    const results = await Promise.all(
      Array.from({ length: 500 }, (_, n) => hold(30, claims, {}, ledgers[n % ledgers.length])),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(33);
    expect(results.filter((result) => !result.ok && result.refused === 'budget')).toHaveLength(467);
    expect(await usage()).toEqual({ used: 0, held: 990 });
    expect((await booksOf(temporary, userId)).quota).toBe(100_000 - 990);
    expect(await ledger.verify()).toMatchObject({ ok: true });
  });

  it('is right after any mix of calls that end, fail, grow, or have no budget', async () => {
    const claims = [budgetOf(2000), budgetOf(1500, 2, 'orbit-large')];
    const call = async (n: number) => {
      const id = newRequestId();
      const mine = n % 3 === 0 ? [] : n % 3 === 1 ? claims : claims.slice(1);
      if (!(await hold(20, mine, { id })).ok) return 'refused';
      if (n % 5 === 0) await hold(10, mine, { id, part: 2 });
      if (n % 4 === 0)
        await ledger.release({ id, userId, tokenId, budgets: writeBudgets(mine) || undefined, held: known.get(id) });
      else await settle(id, n % 40, mine);
      return 'served';
    };
    await Promise.all(Array.from({ length: 300 }, (_, n) => call(n)));
    expect(await usage()).toMatchObject({ held: 0 });
    expect(await usage(2)).toMatchObject({ held: 0 });
    expect(await ledger.verify()).toMatchObject({ ok: true, differenceCount: 0 });
  });

  it('gets back what a process held that is gone, and books a settlement that comes after all', async () => {
    const claims = [budgetOf(1000)];
    const id = newRequestId();
    await hold(400, claims, { id });
    await run(`UPDATE quota_holds SET owner = 'gone' WHERE id = '${id}'`);
    expect(await ledger.sweep()).toBe(1);
    expect(await usage()).toEqual({ used: 0, held: 0 });
    expect(await hold(1000, claims)).toEqual({ ok: true });
    expect(await settle(id, 150, claims)).toBe('booked');
    expect(await usage()).toEqual({ used: 150, held: 1000 });
    expect(await ledger.verify()).toMatchObject({ ok: true });
  });

  it('gets back what a process held that was killed before its call was settled', async () => {
    const budgets = writeBudgets([budgetOf(1000)]);
    const task = {
      name: 'settle',
      id: newRequestId(),
      userId,
      tokenId,
      channelId,
      actual: 800,
      thinkMs: 600_000,
      budgets,
    } as const;
    const worker = startLedgerWorker({ database: temporary.target, directory: temporary.directory, task });
    await worker.heard('held');
    expect(await usage()).toEqual({ used: 0, held: 800 });
    expect(await hold(300, [budgetOf(1000)])).toEqual({ ok: false, refused: 'budget' });
    worker.signal('SIGKILL');
    await worker.ended;
    await run(`UPDATE ledger_owners SET seen_at = seen_at - 100 WHERE pid <> ${process.pid}`);
    await ledger.sweep();
    expect(await usage()).toEqual({ used: 0, held: 0 });
    expect(await hold(1000, [budgetOf(1000)])).toEqual({ ok: true });
    expect(await ledger.verify()).toMatchObject({ ok: true });
  });

  it('is charged for a settlement whose hold an older copy of the database has lost', async () => {
    const claims = [budgetOf(1000)];
    expect(await settle(newRequestId(), 70, claims)).toBe('booked');
    expect(await usage()).toEqual({ used: 70, held: 0 });
    expect(await ledger.verify()).toMatchObject({ ok: true, strays: { booked: 1 } });
  });

  it('counts calls without a log row apart, so that the proof holds without them', async () => {
    const claims = [budgetOf(1000)];
    const id = newRequestId();
    await hold(100, claims, { id });
    const { log: _, usage: __, ...bare } = settlementOf({ id, userId, tokenId, channelId, actual: 60 });
    await ledger.settle({ ...bare, budgets: writeBudgets(claims) });
    expect(await usage()).toEqual({ used: 60, held: 0 });
    expect(await ledger.verify()).toMatchObject({ ok: true });
  });

  const song = {
    platform: 'suno',
    task_id: 'job',
    action: 'MUSIC',
    model: 'orbit-large',
    group: 'default',
    status: 'SUBMITTED',
    progress: '0%',
    submit_time: windowStart,
    next_poll_at: windowStart,
    properties: '{}',
    data: '',
  };
  const failJob = async (request_id: string) => {
    const row = await temporary.database.tasks.findOne({ where: { request_id }, raw: true });
    return failTask(temporary.database, { id: row?.id ?? 0, reason: 'no', at: windowStart });
  };

  it.each(['with its log row', 'of a former version', 'without a log row', 'whose log row was cleared'])(
    'gets back what a job cost that failed after it was charged, %s',
    async (kind) => {
      const claims = [budgetOf(1000)];
      const id = newRequestId();
      await hold(100, claims, { id });
      const settlement = settlementOf({ id, userId, tokenId, channelId, actual: 90 });
      if (settlement.log) settlement.log.other = JSON.stringify({ budgets: claims });
      if (kind === 'without a log row') {
        settlement.log = undefined;
        settlement.usage = undefined;
      }
      await ledger.settle({ ...settlement, task: song, budgets: writeBudgets(claims) });
      expect(await usage()).toEqual({ used: 90, held: 0 });
      if (kind === 'of a former version') await run("UPDATE tasks SET budgets = '', summed_hour = NULL");
      if (kind === 'whose log row was cleared') {
        await removeBefore(await homeOfLogs(temporary.database), Math.floor(Date.now() / 1000) + 10, {});
      }
      expect(await failJob(id)).toBe(true);
      expect(await usage()).toEqual({ used: 0, held: 0 });
      const hours = await temporary.database.usageData.findAll({ raw: true });
      expect(hours.map(({ quota }) => quota)).toEqual(kind === 'without a log row' ? [] : [0]);
      expect(await ledger.verify()).toMatchObject({ ok: true });
    },
  );

  it('and hourly sums keep what other calls cost, when a job fails that they do not count', async () => {
    const id = newRequestId();
    await hold(10, [], { id: 'other' });
    await settle('other', 10, []);
    await hold(100, [], { id });
    const settlement = settlementOf({ id, userId, tokenId, channelId, actual: 90 });
    await ledger.settle({ ...settlement, usage: undefined, task: song });
    expect(await failJob(id)).toBe(true);
    expect(await temporary.database.usageData.findAll({ raw: true })).toMatchObject([{ count: 1, quota: 10 }]);
  });

  it('takes nothing of a call that the balance refuses', async () => {
    const poor = await addUser(temporary, ledger, 10);
    const budgets = writeBudgets([budgetOf(1000)]);
    const result = await ledger.hold({ id: newRequestId(), userId: poor, tokenId: 0, amount: 50, budgets });
    expect(result).toEqual({ ok: false, refused: 'user' });
    expect((await usage())?.held ?? 0).toBe(0);
    expect(await hold(1000, [budgetOf(1000)])).toEqual({ ok: true });
  });
});
