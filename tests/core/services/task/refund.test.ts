import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../core/billing/ledger.ts';
import type { NewTask } from '../../../../core/billing/ledger-store.ts';
import { newRequestId } from '../../../../core/lib/request-id.ts';
import { clearBatch } from '../../../../core/services/log/clear.ts';
import { homeOfLogs } from '../../../../core/services/log-store/home.ts';
import { failTask } from '../../../../core/services/task/refund.ts';
import { wordsIn } from '../../../../core/text/text.ts';
import {
  addChannel,
  addToken,
  addUser,
  booksOf,
  countOf,
  openLedger,
  settlementOf,
  songJob,
  tokenBooksOf,
} from '../../../support/ledger-books.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../../support/temporary-database.ts';

const song: NewTask = { ...songJob, task_id: 'song-1', properties: '{"input":"la la"}' };

describe.each(engines)('a paid job on %s', (engine) => {
  let temporary: TemporaryDatabase;
  let ledger: Ledger;
  let userId: number;
  let tokenId: number;
  let channelId: number;

  beforeEach(async () => {
    temporary = await createTemporaryDatabase(engine);
    ledger = await openLedger(temporary);
    userId = await addUser(temporary, ledger, 1000);
    tokenId = await addToken(temporary, ledger, { userId, quota: 600 });
    channelId = await addChannel(temporary);
  });
  afterEach(async () => {
    await ledger.close();
    await temporary.remove();
  });

  async function charge(task: NewTask = song, changes: { log?: undefined; usage?: undefined } = {}): Promise<string> {
    const id = newRequestId();
    await ledger.hold({ id, userId, tokenId, amount: 100 });
    const settlement = { ...settlementOf({ id, userId, tokenId, channelId, actual: 100 }), ...changes, task };
    expect(await ledger.settle(settlement)).toBe('booked');
    return id;
  }
  const tasks = () => temporary.database.select<{ id: number }>('SELECT * FROM tasks ORDER BY id');
  const fail = (id: number) => failTask(temporary.database, { id, reason: 'moderation', at: 1_700_000_100 });
  const channelUsed = async () =>
    (await temporary.database.select<{ used_quota: number }>('SELECT used_quota FROM channels'))[0]?.used_quota;
  const untouched = async () => {
    expect(await booksOf(temporary, userId)).toMatchObject({ quota: 1000, used_quota: 0 });
    expect(await tokenBooksOf(temporary, tokenId)).toEqual({ remain_quota: 600, used_quota: 0 });
    expect(await channelUsed()).toBe(0);
    expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
  };

  it('is charged with the insert of its row', async () => {
    const id = await charge();
    const [row] = await tasks();
    expect(row).toMatchObject({
      ...song,
      request_id: id,
      user_id: userId,
      token_id: tokenId,
      channel_id: channelId,
      quota: 100,
    });
    expect((await booksOf(temporary, userId)).quota).toBe(900);
    // The settlement comes again, as after a response that was lost.
    const again = { ...settlementOf({ id, userId, tokenId, channelId, actual: 100 }), task: song };
    expect(await ledger.settle(again)).toBe('already');
    expect(await countOf(temporary, 'tasks')).toBe(1);
  });

  it('has no row when its hold was given back', async () => {
    const id = newRequestId();
    await ledger.hold({ id, userId, tokenId, amount: 100 });
    await ledger.release({ id, userId, tokenId, held: 100 });
    const late = { ...settlementOf({ id, userId, tokenId, channelId, actual: 100 }), task: song };
    expect(await ledger.settle(late)).toBe('already');
    expect(await countOf(temporary, 'tasks')).toBe(0);
    await untouched();
  });

  it('is booked with its row after a restore took the hold away', async () => {
    const id = newRequestId();
    const stray = { ...settlementOf({ id, userId, tokenId, channelId, actual: 100 }), task: song };
    stray.log = stray.log && { ...stray.log, created_at: Math.floor(Date.now() / 1000) + 60 };
    expect(await ledger.settle(stray)).toBe('booked');
    expect(await countOf(temporary, 'tasks')).toBe(1);
  });

  it('that fails gives everything back once, however many find out at the same time', async () => {
    await charge();
    const [row] = await tasks();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => fail(row?.id ?? 0)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await fail(row?.id ?? 0)).toBe(false);
    await untouched();
    const [failed] = await tasks();
    expect(failed).toMatchObject({ status: 'FAILURE', progress: '100%', fail_reason: 'moderation', quota: 100 });
    const logs = await temporary.database.select<{ content: string }>(
      'SELECT type, quota, content FROM logs WHERE type = 4',
    );
    expect(logs).toEqual([{ type: 4, quota: 100, content: expect.stringContaining('"task":"song-1"') }]);
    expect(wordsIn('en', logs[0]?.content ?? '')).toMatch(/^Failed task song-1 refunded, request /);
    const [hour] = await temporary.database.select('SELECT quota FROM usage_data');
    expect(hour).toEqual({ quota: 0 });
  });

  it('that fails after its log row was cleared, or that never had one, is given back as well', async () => {
    await charge();
    await charge({ ...song, task_id: 'song-2' }, { log: undefined, usage: undefined });
    await clearBatch(await homeOfLogs(temporary.database), 4_000_000_000);
    for (const { id } of await tasks()) expect(await fail(id)).toBe(true);
    await untouched();
  });

  it('that succeeded stays charged', async () => {
    await charge();
    await temporary.database.sequelize.query("UPDATE tasks SET status = 'SUCCESS'");
    const [row] = await tasks();
    expect(await fail(row?.id ?? 0)).toBe(false);
    expect((await booksOf(temporary, userId)).quota).toBe(900);
    expect(await ledger.verify()).toMatchObject({ ok: true });
  });
});
