import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../core/billing/ledger.ts';
import { requireWholeLog } from '../../../../core/database/log-store.ts';
import type { LogRow } from '../../../../core/database/models/log.ts';
import { newRequestId } from '../../../../core/lib/request-id.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { createAuditService } from '../../../../core/services/audit.ts';
import { createRetention } from '../../../../core/services/log/retention.ts';
import { readArchive } from '../../../../core/services/log-archive/manifest.ts';
import { unarchiveLogs } from '../../../../core/services/log-archive/unarchive.ts';
import { skipLogIds } from '../../../../core/services/log-store/ids.ts';
import { failTask } from '../../../../core/services/task/refund.ts';
import { addChannel, addToken, addUser, countOf, openLedger, settlementOf } from '../../../support/ledger-books.ts';
import { createLogStoreBed, enginePairs, type LogStoreBed } from '../../../support/log-store.ts';

const now = Math.floor(Date.now() / 1000);
const day = 86_400;

describe.each(enginePairs)('old rows in a log database, from %s to %s', (...pair) => {
  let bed: LogStoreBed;
  let ledger: Ledger;
  let payer: { userId: number; tokenId: number; channelId: number };
  let ids: string[];

  /** Six calls of 70 days ago, five of yesterday, all of them moved. */
  beforeEach(async () => {
    bed = await createLogStoreBed(pair);
    ledger = await openLedger(bed);
    const userId = await addUser(bed, ledger, 1_000_000);
    const tokenId = await addToken(bed, ledger, { userId, quota: 1_000_000 });
    payer = { userId, tokenId, channelId: await addChannel(bed) };
    await bed.takeIntoUse();
    ids = [];
    for (let n = 0; n < 6; n++) ids.push(await pay(now - 70 * day));
    for (let n = 0; n < 5; n++) ids.push(await pay(now - day));
    await bed.moveAll();
  });
  afterEach(async () => {
    await ledger.close();
    await bed.remove();
  });

  async function pay(at: number, actual = 5): Promise<string> {
    const id = newRequestId();
    await ledger.hold({ id, ...payer, amount: 100 });
    const settlement = settlementOf({ id, ...payer, actual });
    const log = settlement.log && { ...settlement.log, created_at: at };
    const usage = settlement.usage && { ...settlement.usage, hour: at - (at % 3600) };
    expect(await ledger.settle({ ...settlement, log, usage })).toBe('booked');
    return id;
  }

  const rowsIn = async (database: LogStoreBed['database']): Promise<LogRow[]> =>
    database.logs.findAll({ order: [['id', 'ASC']], raw: true });
  const idsIn = async (database: LogStoreBed['database']) =>
    (await rowsIn(database)).flatMap(({ request_id }) => request_id ?? []);
  const expectRight = async () =>
    expect(await bed.verify()).toMatchObject({ ok: true, differences: [], withoutLogs: false });

  it('come back whole, wherever that is killed, and no server starts in between', async () => {
    const late = await pay(now);
    // Begun, a batch copied, all of them copied, the log database emptied.
    for (const killAt of [1, 1, 1, 2]) {
      expect(await bed.work({ name: 'bring-back' }, killAt)).toBe('SIGKILL');
      const [state] = await bed.database.select<{ phase: string }>('SELECT phase FROM log_store');
      if (state?.phase === 'returning') {
        await expect(requireWholeLog(bed.database, bed.logTarget)).rejects.toMatchObject({
          code: 'logStore.returning',
        });
      }
      await expectRight();
    }
    expect(await bed.work({ name: 'bring-back' })).toBeNull();
    expect((await idsIn(bed.database)).sort()).toEqual([...ids, late].sort());
    expect(await countOf(bed, 'log_store')).toBe(0);
    expect(await countOf({ ...bed, database: await bed.logs() }, 'logs')).toBe(0);
    await requireWholeLog(bed.database, undefined);
    await expectRight();
  });

  it('are archived and restored with the books right, also when that is killed', async () => {
    const folder = join(bed.directory, 'archive');
    const order = { name: 'archive', before: now - 30 * day, folder } as const;
    for (const killAt of [1, 2, 3, 1]) {
      expect(await bed.work(order, killAt)).toBe('SIGKILL');
      await expectRight();
    }
    expect(await bed.work(order)).toBeNull();
    expect(readArchive(folder).files).toMatchObject([{ rows: 6, state: 'moved' }]);
    expect(await idsIn(await bed.logs())).toEqual(ids.slice(6));
    await expectRight();
    const audit = createAuditService(bed);
    const restored = await unarchiveLogs(systemActor, { database: bed.database, audit }, { folder });
    expect(restored).toMatchObject({ restored: 6, present: 0 });
    expect(await idsIn(await bed.logs())).toEqual(ids);
    await expectRight();
    await pay(now);
    await bed.moveAll();
    expect(await countOf({ ...bed, database: await bed.logs() }, 'logs')).toBe(12);
  });

  it('of failed calls are removed by their own retention', async () => {
    const error = { type: 5, user_id: payer.userId, content: 'no' };
    await bed.database.logs.bulkCreate([
      { ...error, request_id: 'failed:a', created_at: now - 70 * day },
      { ...error, request_id: 'failed:b', created_at: now },
    ]);
    await bed.moveAll();
    const days: Record<string, number> = { LogErrorRetentionDays: 30 };
    const options = { get: (name: string) => days[name] ?? 0 } as never;
    const removeOld = createRetention({ database: bed.database, options, now: () => now });
    expect(await removeOld(new AbortController().signal)).toBe(1);
    expect(await idsIn(await bed.logs())).toEqual([...ids, 'failed:b']);
    await expectRight();
  });

  /** A job that was paid yesterday; resolves with the id of its row. */
  async function addPaidJob(): Promise<number> {
    const { userId, tokenId, channelId } = payer;
    const id = await pay(now - day, 40);
    await bed.database.tasks.create({
      platform: 'suno',
      task_id: 'job',
      request_id: id,
      user_id: userId,
      token_id: tokenId,
      channel_id: channelId,
      quota: 40,
      status: 'IN_PROGRESS',
      model: 'orbit-large',
    } as never);
    await bed.moveAll();
    const task = await bed.database.tasks.findOne({ raw: true });
    return task?.id ?? 0;
  }

  it('are found for the refund of a job that fails later', async () => {
    expect(await failTask(bed.database, { id: await addPaidJob(), reason: 'broken', at: now })).toBe(true);
    await expectRight();
    await bed.moveAll();
    await expectRight();
  });

  it.skipIf(pair[1] === 'sqlite')('keep no call waiting while they cannot be read for such a refund', async () => {
    const id = await addPaidJob();
    const logs = await bed.logs();
    const refund = await logs.transaction(async (transaction) => {
      await logs.sequelize.query('LOCK TABLE logs IN ACCESS EXCLUSIVE MODE', { transaction });
      const waiting = failTask(bed.database, { id, reason: 'broken', at: now });
      waiting.catch(() => undefined); // seen below
      await wait(500);
      await pay(now);
      return [waiting];
    });
    expect(await refund[0]).toBe(true);
    await expectRight();
  });

  it('keep their ids from rows of a main database that is older than they are', async () => {
    const last = (await rowsIn(await bed.logs())).at(-1)?.id ?? 0;
    const isSqlite = bed.database.engine === 'sqlite';
    await bed.database.sequelize.query(
      isSqlite ? "DELETE FROM sqlite_sequence WHERE name = 'logs'" : 'ALTER TABLE logs ALTER id RESTART WITH 1',
    );
    await skipLogIds(bed.database, last);
    const id = await pay(now);
    expect((await rowsIn(bed.database))[0]?.id).toBeGreaterThan(last);
    await bed.moveAll();
    expect(await idsIn(await bed.logs())).toEqual([...ids, id]);
  });
});
