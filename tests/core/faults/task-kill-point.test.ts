import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { startTaskWorker, type TaskWorker } from '../../support/start-task-worker.ts';
import { type JobState, startTaskVendors, submissions, type TaskVendors } from '../../support/task-vendors.ts';
import { engines } from '../../support/temporary-database.ts';

const { path, body, cost } = submissions.song;
const quota = 100 * cost;
const ends = ['fails at its vendor', 'is not finished in its time', 'loses its channel'] as const;

/** Far more statements than there are; a test that gets there has killed nothing. */
const maxStatements = 60;

describe.each(engines)('a server on %s that dies between any two statements', (engine) => {
  let gateway: TestGateway;
  let vendors: TaskVendors;
  let state: JobState;
  let userId: number;
  let key: string;

  beforeEach(async () => {
    // A slave leaves the vendors to the process that is killed.
    gateway = await startGateway(engine, { NODE_TYPE: 'slave' });
    state = 'running';
    vendors = startTaskVendors(gateway.upstream, () => state);
    userId = await gateway.addUser('buyer', quota);
    key = await gateway.addToken(userId, { unlimited_quota: false, remain_quota: quota });
  });
  afterEach(() => gateway.stop());

  const addChannel = () => gateway.addChannel({ ...vendors.channels.song, name: 'songs' });
  const removeChannel = (id: number) => gateway.app.services.channels.remove(systemActor, [id]);
  const submit = (url: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
  const statuses = async () =>
    (await gateway.app.database.select<{ status: string }>('SELECT status FROM tasks ORDER BY id')).map(
      ({ status }) => status,
    );
  const refunds = async () =>
    gateway.app.database.select("SELECT user_id, amount FROM quota_entries WHERE kind = 'task_refund' ORDER BY id");

  /** Holds of the dead are given back; a minute without a sign of life is over at once. */
  async function recover(): Promise<void> {
    const { database, ledger } = gateway.app;
    await database.sequelize.query(`UPDATE ledger_owners SET seen_at = seen_at - 100 WHERE pid <> ${process.pid}`);
    await ledger.sweep();
  }

  /** Balance, counters and token tell of so many jobs that are paid for, and the books agree with themselves. */
  async function expectPaid(jobs: number): Promise<void> {
    const { users, tokens } = gateway.app.database;
    const paid = jobs * cost;
    expect(await users.findByPk(userId, { raw: true })).toMatchObject({ quota: quota - paid, used_quota: paid });
    const token = await tokens.findOne({ where: { user_id: userId }, raw: true });
    expect(token).toMatchObject({ remain_quota: quota - paid, used_quota: paid });
    await gateway.verifyBooks();
  }

  async function killEverywhere(run: (killAt: number) => Promise<boolean>): Promise<number> {
    for (let killAt = 1; killAt <= maxStatements; killAt += 1) if (await run(killAt)) return killAt - 1;
    throw new Error('it was killed every time');
  }

  it('M12, F21 charges for a submitted job if and only if there is a row for it', { timeout: 900_000 }, async () => {
    await addChannel();
    const points = await killEverywhere(async (killAt) => {
      const worker = await startTaskWorker({ environment: gateway.environment, work: 'serve', killAt });
      const response = await submit(worker.url).catch(() => undefined);
      if (response?.status === 200) worker.kill();
      await worker.ended;
      await recover();
      const rows = await statuses();
      await expectPaid(rows.length);
      expect(await gateway.app.database.select('SELECT id FROM quota_holds WHERE state = 0')).toEqual([]);
      // A client that saw a response has a job; a job may be there without a response, and one at the vendor without a charge.
      if (response?.status === 200) expect(rows.length).toBeGreaterThan(0);
      expect(vendors.jobs.length).toBeGreaterThanOrEqual(rows.length);
      return response?.status === 200;
    });
    // PostgreSQL takes a hold and a settlement as one statement each.
    expect(points).toBeGreaterThanOrEqual(engine === 'sqlite' ? 9 : 2);
    console.info(`kill points of a submit on ${engine}: ${points}`);
  });

  it('M12, F21 charges nothing for a job whose upstream was being asked', { timeout: 300_000 }, async () => {
    await addChannel();
    let worker: TaskWorker | undefined;
    gateway.upstream.route('/suno/submit/MUSIC', () => {
      worker?.kill();
      return { stall: 'headers' };
    });
    worker = await startTaskWorker({ environment: gateway.environment, work: 'serve' });
    await expect(submit(worker.url)).rejects.toThrow();
    await worker.ended;
    await recover();
    expect(await statuses()).toEqual([]);
    await expectPaid(0);
  });

  it('M12, F21 refunds a failed job once, whichever way it failed', { timeout: 1_800_000 }, async () => {
    let runs = 0;
    const points = await killEverywhere(async (killAt) => {
      const end = ends[killAt % ends.length];
      const channel = await addChannel();
      state = 'running';
      expect((await submit(gateway.url)).status).toBe(200);
      runs += 1;
      if (end === 'fails at its vendor') state = 'failed';
      if (end === 'loses its channel') await removeChannel(channel);
      const age = end === 'is not finished in its time' ? ', submit_time = submit_time - 86401, polls = 288' : '';
      const isOpen = "status NOT IN ('SUCCESS', 'FAILURE')";
      await gateway.app.database.sequelize.query(`UPDATE tasks SET next_poll_at = 0${age} WHERE ${isOpen}`);
      const worker = await startTaskWorker({ environment: gateway.environment, work: 'pollOnce', killAt });
      await worker.ended;
      expect(worker.errors).toEqual([]);
      await recover();
      // As a whole or not at all.
      await expectPaid((await statuses()).filter((status) => status !== 'FAILURE').length);
      await gateway.app.database.sequelize.query(`UPDATE tasks SET next_poll_at = 0 WHERE ${isOpen}`);
      await gateway.app.services.taskProgress.poll();
      expect((await statuses()).filter((status) => status !== 'FAILURE')).toEqual([]);
      await expectPaid(0);
      expect(await refunds()).toEqual(Array.from({ length: runs }, () => ({ user_id: userId, amount: cost })));
      if (end !== 'loses its channel') await removeChannel(channel);
      return worker.isDone();
    });
    expect(points).toBeGreaterThan(8);
    console.info(`kill points of a refund on ${engine}: ${points}`);
  });

  it('M12, F21 remembers that a job succeeded, or asks again', { timeout: 600_000 }, async () => {
    await addChannel();
    const points = await killEverywhere(async (killAt) => {
      state = 'running';
      expect((await submit(gateway.url)).status).toBe(200);
      state = 'succeeded';
      await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
      const worker = await startTaskWorker({ environment: gateway.environment, work: 'pollOnce', killAt });
      await worker.ended;
      await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
      await gateway.app.services.taskProgress.poll();
      const rows = await statuses();
      expect(new Set(rows)).toEqual(new Set(['SUCCESS']));
      await expectPaid(rows.length);
      return worker.isDone();
    });
    expect(points).toBeGreaterThan(0);
    expect(await refunds()).toEqual([]);
  });
});
