import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTaskProgress } from '../../../../core/services/task/progress.ts';
import { createTaskStore } from '../../../../core/services/task/store.ts';
import { createTaskVendor } from '../../../../core/services/task/vendor.ts';
import { midjourneyTask } from '../../../../core/wire/midjourney/index.ts';
import { videoTask } from '../../../../core/wire/openai-video/index.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { drawing, startTaskVendors, submissions, type TaskVendors, video } from '../../../support/task-vendors.ts';
import { engines } from '../../../support/temporary-database.ts';
import { json } from '../../../support/upstream-script.ts';

describe.each(engines)('a turn of asking about jobs on %s', (engine) => {
  let gateway: TestGateway;
  let vendors: TaskVendors;

  beforeEach(async () => {
    // The test polls by itself.
    gateway = await startGateway(engine, { NODE_TYPE: 'slave' });
    vendors = startTaskVendors(gateway.upstream);
    for (const name of ['drawing', 'video'] as const) await gateway.addChannel({ ...vendors.channels[name], name });
  });
  afterEach(() => gateway.stop());

  const submit = async (name: 'drawing' | 'video') => {
    expect((await gateway.call(submissions[name].path, submissions[name].body)).status).toBe(200);
    return vendors.jobs.at(-1)?.id ?? '';
  };
  const allDue = (at: number) =>
    gateway.app.database.sequelize.query(`UPDATE tasks SET next_poll_at = ${at} + id WHERE status <> 'SUCCESS'`);

  it('ends, although an upstream that is slow has many, and goes on with those that were not asked about', async () => {
    const { database, secretBox, outbound, now } = gateway.app;
    const vendor = createTaskVendor({ database, secretBox, outbound, proxy: undefined });
    const store = createTaskStore({ database });
    const kinds = [midjourneyTask, videoTask];
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const progress = createTaskProgress({ now, database, store, vendor, kinds, onError, turnMs: 400 });
    const asked: string[] = [];
    const ids = [];
    for (let count = 0; count < 6; count += 1) ids.push(await submit('video'));
    for (const id of ids) {
      const slow = json(200, { ...video({ id, vendor: 'video', state: 'running', asked: 0 }), progress: 50 });
      gateway.upstream.route(`/v1/videos/${id}`, () => {
        asked.push(id);
        return { ...slow, firstByteMs: 250 };
      });
    }
    await allDue(0);
    const startedAt = performance.now();
    expect(await progress.poll()).toMatchObject({ changed: 2 });
    expect(performance.now() - startedAt).toBeLessThan(1000);
    expect(asked).toEqual(ids.slice(0, 2));
    // A drawing that was submitted meanwhile is looked at with the next of them.
    const quick = await submit('drawing');
    await database.sequelize.query("UPDATE tasks SET next_poll_at = 1000 WHERE platform = 'mj'");
    const done = drawing({ id: quick, vendor: 'drawing', state: 'succeeded', asked: 0 });
    gateway.upstream.route('/mj/task/list-by-condition', json(200, [done]));
    expect(await progress.poll()).toMatchObject({ changed: 2, succeeded: 1 });
    expect(asked).toEqual(ids.slice(0, 4));
    expect(errors).toEqual([]);
  });

  it('looks at the first of each channel before the second of any', async () => {
    const store = createTaskStore(gateway.app);
    for (let count = 0; count < 4; count += 1) await submit('video');
    await submit('drawing');
    await allDue(0);
    const due = await store.due(1000, 3);
    expect(due.map(({ id, platform }) => [id, platform])).toEqual([
      [1, 'video'],
      [5, 'mj'],
      [2, 'video'],
    ]);
    expect(due[0]).toMatchObject({ channel_key: 0, polls: 0, progress: '40%', status: 'IN_PROGRESS' });
  });
});
