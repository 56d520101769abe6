import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../core/billing/ledger.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { newRequestId } from '../../../core/lib/request-id.ts';
import { textIn } from '../../../core/text/text.ts';
import {
  addChannel,
  addToken,
  addUser,
  booksOf,
  countOf,
  openLedger,
  settlementOf,
  tokenBooksOf,
} from '../../support/ledger-books.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../support/temporary-database.ts';

describe.each(engines)('ledger on %s', (engine) => {
  let temporary: TemporaryDatabase;
  let ledger: Awaited<ReturnType<typeof openLedger>>;
  let others: Ledger[] = [];
  let userId: number;
  let tokenId: number;
  let channelId: number;

  // Keeps the database server up from one test to the next.
  let first: TemporaryDatabase;
  beforeAll(async () => {
    first = await createTemporaryDatabase(engine);
  });
  afterAll(() => first.remove());

  beforeEach(async () => {
    temporary = await createTemporaryDatabase(engine);
    ledger = await openLedger(temporary);
    userId = await addUser(temporary, ledger, 1000);
    tokenId = await addToken(temporary, ledger, { userId, quota: 600 });
    channelId = await addChannel(temporary);
  });
  afterEach(async () => {
    await Promise.all([ledger, ...others].map((each) => each.close()));
    others = [];
    await temporary.remove();
  });

  const run = (sql: string) => temporary.database.sequelize.query(sql);
  /** What a relay knows of its calls: what it asked for, whatever became of the hold since. */
  const known = new Map<string, number>();
  const hold = (amount: number, extra: { id?: string; part?: number; tokenId?: number } = {}) => {
    const { id = newRequestId(), part = 1 } = extra;
    known.set(id, amount + (part > 1 ? (known.get(id) ?? 0) : 0));
    return ledger.hold({ userId, tokenId, amount, ...extra, id });
  };
  const settle = (id: string, actual: number) =>
    ledger.settle({ ...settlementOf({ id, userId, tokenId, channelId, actual }), held: known.get(id) });
  const held = async (amount: number): Promise<string> => {
    const id = newRequestId();
    expect(await hold(amount, { id })).toEqual({ ok: true });
    return id;
  };

  /** Takes a hold as a process that is gone since. */
  async function heldByTheDead(amount: number): Promise<string> {
    const id = await held(amount);
    await run(`UPDATE quota_holds SET owner = 'gone' WHERE id = '${id}'`);
    return id;
  }

  it('takes a hold from user and token and gives back what was not used', async () => {
    const id = await held(100);
    expect((await booksOf(temporary, userId)).quota).toBe(900);
    expect((await tokenBooksOf(temporary, tokenId)).remain_quota).toBe(500);
    expect(await settle(id, 30)).toBe('booked');
    expect(await booksOf(temporary, userId)).toEqual({ quota: 970, used_quota: 30, request_count: 1 });
    expect(await tokenBooksOf(temporary, tokenId)).toEqual({ remain_quota: 570, used_quota: 30 });
    expect(await countOf(temporary, 'quota_holds')).toBe(0);
    const [channel] = await temporary.database.select<{ used_quota: number }>('SELECT used_quota FROM channels');
    expect(channel?.used_quota).toBe(30);
    const [log] = await temporary.database.select('SELECT * FROM logs');
    expect(log).toMatchObject({ request_id: id, type: 2, quota: 30, user_id: userId, token_id: tokenId });
    const [hour] = await temporary.database.select('SELECT * FROM usage_data');
    expect(hour).toMatchObject({ user_id: userId, model_name: 'orbit-large', quota: 30, count: 1, token_used: 30 });
    expect(await ledger.verify()).toMatchObject({ ok: true, checked: { users: 1, tokens: 1, channels: 1, hours: 1 } });
  });

  it('books a settlement once, however often it is sent', async () => {
    const id = await held(100);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => settle(id, 40)));
    expect(outcomes.filter((outcome) => outcome === 'booked')).toHaveLength(1);
    expect(await settle(id, 40)).toBe('already');
    expect((await booksOf(temporary, userId)).quota).toBe(960);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('gives everything back on release, without a log row', async () => {
    const id = await held(100);
    await ledger.release({ id, userId, tokenId });
    expect(await booksOf(temporary, userId)).toEqual({ quota: 1000, used_quota: 0, request_count: 0 });
    expect(await settle(id, 10)).toBe('already');
    expect(await countOf(temporary, 'logs')).toBe(0);
  });

  it('refuses what the user cannot pay, and what the token cannot pay without touching the user', async () => {
    expect(await hold(1001, { tokenId: 0 })).toEqual({ ok: false, refused: 'user' });
    expect(await hold(601)).toEqual({ ok: false, refused: 'token' });
    expect((await booksOf(temporary, userId)).quota).toBe(1000);
    expect(await hold(1000, { tokenId: 0 })).toEqual({ ok: true });
  });

  it('admits as many of a group as fit, in order of arrival', async () => {
    const results = await Promise.all([400, 300, 200, 500, 100].map((amount) => hold(amount)));
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true, false, false]);
    expect((await booksOf(temporary, userId)).quota).toBe(400);
    expect((await tokenBooksOf(temporary, tokenId)).remain_quota).toBe(0);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('does not let one user without balance spoil the batch of the others', async () => {
    const poor = await addUser(temporary, ledger, 10);
    const results = await Promise.all([
      hold(100),
      ledger.hold({ id: newRequestId(), userId: poor, tokenId: 0, amount: 11 }),
      hold(100),
      ledger.hold({ id: newRequestId(), userId: poor, tokenId, amount: 5 }),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true, true]);
    expect((await booksOf(temporary, poor)).quota).toBe(5);
  });

  it.each([
    ['a banned user', 'UPDATE users SET status = 2', 'user'],
    ['a deleted user', 'UPDATE users SET deleted_at = 1', 'user'],
    ['a disabled token', 'UPDATE tokens SET status = 2', 'token'],
    ['a deleted token', 'UPDATE tokens SET deleted_at = 1', 'token'],
    ['an expired token', 'UPDATE tokens SET expired_time = 1', 'token'],
  ])('refuses %s inside the hold, even for nothing', async (_who, sql, refused) => {
    await run(sql);
    expect(await hold(0)).toEqual({ ok: false, refused });
    expect((await booksOf(temporary, userId)).quota).toBe(1000);
  });

  it('keeps a free hold like any other', async () => {
    const id = await held(0);
    expect(await settle(id, 0)).toBe('booked');
    expect((await booksOf(temporary, userId)).request_count).toBe(1);
  });

  it('counts an unlimited token down, below zero too', async () => {
    const open = await addToken(temporary, ledger, { userId, quota: 0, unlimited: true });
    const id = newRequestId();
    expect(await hold(100, { id, tokenId: open })).toEqual({ ok: true });
    await ledger.settle(settlementOf({ id, userId, tokenId: open, channelId, actual: 70 }));
    expect(await tokenBooksOf(temporary, open)).toEqual({ remain_quota: -70, used_quota: 70 });
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('extends a hold, counts a repeated part once and refuses an extension that cannot be paid', async () => {
    const id = await held(100);
    expect(await hold(100, { id, part: 2 })).toEqual({ ok: true });
    expect(await hold(100, { id, part: 2 })).toEqual({ ok: true });
    expect((await booksOf(temporary, userId)).quota).toBe(800);
    expect(await hold(500, { id, part: 3 })).toEqual({ ok: false, refused: 'token' });
    expect(await settle(id, 190)).toBe('booked');
    expect((await booksOf(temporary, userId)).quota).toBe(810);
    expect(await hold(1, { id, part: 3 })).toEqual({ ok: false, refused: 'ended' });
  });

  it('returns the holds of a dead process and books a late settlement in full, once', async () => {
    const id = await heldByTheDead(100);
    expect(await ledger.sweep()).toBe(1);
    expect((await booksOf(temporary, userId)).quota).toBe(1000);
    expect((await tokenBooksOf(temporary, tokenId)).remain_quota).toBe(600);
    const [note] = await temporary.database.select<{ content: string; request_id: string | null }>(
      'SELECT content, request_id FROM logs WHERE type = 4',
    );
    expect(note?.content).toContain(id);
    expect(note?.request_id).toBeNull();
    expect((await ledger.verify()).ok).toBe(true);
    expect(await settle(id, 120)).toBe('booked');
    expect(await settle(id, 120)).toBe('already');
    expect(await booksOf(temporary, userId)).toEqual({ quota: 880, used_quota: 120, request_count: 1 });
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('lets an orphaned hold live again when it is extended', async () => {
    const id = await heldByTheDead(100);
    await ledger.sweep();
    expect(await hold(50, { id, part: 2 })).toEqual({ ok: true });
    expect((await booksOf(temporary, userId)).quota).toBe(950);
    expect((await ledger.verify()).ok).toBe(true);
    await settle(id, 60);
    expect((await booksOf(temporary, userId)).quota).toBe(940);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('leaves the holds of a living ledger alone', async () => {
    const second = await openLedger(temporary);
    others = [second];
    const id = await held(100);
    expect(await second.sweep()).toBe(0);
    expect(await settle(id, 10)).toBe('booked');
  });

  it('returns each hold once when two ledgers sweep at the same time', async () => {
    await Promise.all(Array.from({ length: 600 }, () => held(1)));
    await run("UPDATE quota_holds SET owner = 'gone'");
    const second = await openLedger(temporary);
    others = [second];
    await Promise.all([ledger.sweep(), second.sweep()]);
    expect(await countOf(temporary, 'logs WHERE type = 4')).toBe(600);
    expect((await booksOf(temporary, userId)).quota).toBe(1000);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('returns what a ledger still held when it was closed', async () => {
    const second = await openLedger(temporary);
    await second.hold({ id: newRequestId(), userId, tokenId, amount: 100 });
    await second.close();
    await ledger.sweep();
    expect((await booksOf(temporary, userId)).quota).toBe(1000);
  });

  it('writes each credit once, also when it is sent twice at the same time', async () => {
    const entry = { userId, kind: 'redemption', ref: 'code-1', amount: 500, actorId: userId };
    const booked = await Promise.all([ledger.credit(entry), ledger.credit(entry), ledger.credit(entry)]);
    expect(booked.filter(Boolean)).toHaveLength(1);
    expect((await booksOf(temporary, userId)).quota).toBe(1500);
    expect(await ledger.credit({ ...entry, kind: 'admin', amount: -700 })).toBe(true);
    expect((await booksOf(temporary, userId)).quota).toBe(800);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('names the user or token that a credit is meant for and that does not exist', async () => {
    const good = ledger.credit({ userId, kind: 'gift', ref: '1', amount: 1, actorId: 1 });
    const bad = ledger.credit({ userId: 999, kind: 'gift', ref: '2', amount: 1, actorId: 1 });
    const error = await bad.catch((reason: unknown) => reason as AppError);
    expect(error).toMatchObject({ code: 'object.notFound', details: { id: 999 } });
    for (const language of ['en', 'zh'] as const)
      expect((error as AppError).text(language)).toContain(textIn(language, 'detail', 'noun.user'));
    expect(await good).toBe(true);
    expect(await countOf(temporary, 'quota_entries')).toBe(3);
  });

  it('proves the books while consumption is not logged, and hours that are logged but not summed are left out', async () => {
    const first = await held(100);
    const { log: _log, usage: _usage, ...bare } = settlementOf({ id: first, userId, tokenId, channelId, actual: 30 });
    expect(await ledger.settle(bare)).toBe('booked');
    expect(await countOf(temporary, 'logs')).toBe(0);
    expect((await ledger.verify()).ok).toBe(true);
    const second = await held(100);
    const { usage: _sums, ...logged } = settlementOf({ id: second, userId, tokenId, channelId, actual: 30 });
    expect(await ledger.settle(logged)).toBe('booked');
    expect((await ledger.verify()).ok).toBe(true);
    expect(await booksOf(temporary, userId)).toEqual({ quota: 940, used_quota: 60, request_count: 2 });
  });

  it('finds a wrong row and says which', async () => {
    await settle(await held(100), 30);
    for (const [sql, found] of [
      [
        'UPDATE users SET quota = quota + 1',
        { subject: 'user', id: String(userId), rule: 'balance', expected: 1000, found: 1001 },
      ],
      ['UPDATE tokens SET remain_quota = remain_quota + 1', { subject: 'token', id: String(tokenId), rule: 'balance' }],
      ['UPDATE channels SET used_quota = used_quota + 1', { subject: 'channel', id: String(channelId), rule: 'used' }],
      ['UPDATE usage_data SET quota = quota + 1', { subject: 'hour', rule: 'hourly', expected: 30, found: 31 }],
    ] as const) {
      await run(sql);
      const report = await ledger.verify();
      expect(report).toMatchObject({ ok: false, differenceCount: 1 });
      expect(report.differences[0]).toMatchObject(found);
      await run(sql.replace('+ 1', '- 1'));
    }
    await run('DELETE FROM logs');
    expect((await ledger.verify()).differences.map(({ subject }) => subject).sort()).toEqual([
      'channel',
      'hour',
      'token',
      'user',
    ]);
  });

  it('fails only the settlement that the database refuses, keeps it for the operator and raises an alarm', async () => {
    const [good, bad] = [await held(100), await held(100)];
    const wrong = settlementOf({ id: bad, userId, tokenId, channelId, actual: 10 });
    // Logged already under this id: its log row breaks the unique index, which on PostgreSQL each month has of its own.
    await run(`INSERT INTO logs (request_id, created_at, type) VALUES ('${bad}', ${wrong.log?.created_at}, 1)`);
    const outcomes = await Promise.allSettled([settle(good, 10), ledger.settle(wrong)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(ledger.alarms).toHaveLength(1);
    expect(readFileSync(join(temporary.directory, 'spool', 'refused.txt'), 'utf8')).toContain(bad);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('stores text that no database can hold without losing the charge', async () => {
    const id = await held(100);
    const call = settlementOf({ id, userId, tokenId, channelId, actual: 10 });
    if (call.log) call.log.content = 'cut \uD83D here\0, 中文 \\u0000 "quoted" 😀';
    expect(await ledger.settle(call)).toBe('booked');
    const [log] = await temporary.database.select<{ content: string }>('SELECT content FROM logs');
    expect(log?.content).toBe('cut  here, 中文 \\u0000 "quoted" 😀');
  });

  it('books what an earlier process left in the spool, leaves out a torn line and removes the file', async () => {
    const [first, second] = [await held(100), await held(100)];
    const file = join(temporary.directory, 'spool', 'former.jsonl');
    const row = (id: string) =>
      JSON.stringify({ ...settlementOf({ id, userId, tokenId, channelId, actual: 10 }), counted: 1 });
    appendFileSync(file, `\n${row(first)}\n\n${row(second)}\n\n{"id":"torn`, { mode: 0o600 });
    const next = await openLedger(temporary);
    others = [next];
    await expect.poll(() => booksOf(temporary, userId)).toMatchObject({ quota: 980, used_quota: 20 });
    await expect.poll(() => readdirSync(join(temporary.directory, 'spool'))).toEqual(['reserve']);
    expect(statSync(join(temporary.directory, 'spool', 'reserve')).size).toBe(16 * 1024 * 1024);
  });

  it('refuses a hold or a charge that is not a whole number of units', async () => {
    await expect(hold(-1)).rejects.toThrow(RangeError);
    await expect(hold(1.5)).rejects.toThrow(RangeError);
    await expect(settle('x', 2 ** 53)).rejects.toThrow(RangeError);
  });
});
