import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { channelStatus } from '../../../../core/schemas/channel-status.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import {
  startTaskVendors,
  submissions,
  type TaskVendors,
  takenId,
  type VendorName,
} from '../../../support/task-vendors.ts';
import { engines } from '../../../support/temporary-database.ts';

const names: VendorName[] = ['drawing', 'song', 'video'];

describe.each(engines)('the paid jobs of one user on %s', (engine) => {
  let gateway: TestGateway;
  let vendors: TaskVendors;
  let channelOf: Record<string, number>;
  let before: number;

  beforeEach(async () => {
    gateway = await startGateway(engine);
    vendors = startTaskVendors(gateway.upstream);
    channelOf = {};
    for (const name of names) channelOf[name] = await gateway.addChannel({ ...vendors.channels[name], name });
    before = await gateway.quotaOf(gateway.userId);
  });
  afterEach(async () => {
    await gateway.verifyBooks();
    await gateway.stop();
  });

  async function ask(method: string, path: string, body?: unknown, key = gateway.key) {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const text = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(gateway.url + path, { method, headers, body: text });
    const said = await response.text();
    return { status: response.status, body: said === '' ? {} : (JSON.parse(said) as Record<string, unknown>) };
  }
  async function submit(name: VendorName): Promise<string> {
    const { path, body } = submissions[name];
    return takenId(name, (await ask('POST', path, body)).body);
  }
  async function end(id: string, state: 'succeeded' | 'failed'): Promise<unknown> {
    const job = vendors.jobs.find((known) => known.id === id);
    if (job) job.state = state;
    return poll();
  }
  async function poll(): Promise<unknown> {
    await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
    return gateway.app.services.taskProgress.poll();
  }
  const spent = async () => before - (await gateway.quotaOf(gateway.userId));
  const refundCount = async () =>
    (await gateway.app.database.select("SELECT id FROM quota_entries WHERE kind = 'task_refund'")).length;

  it('B136 are unknown to every other user, under each path that takes an id', async () => {
    const [song, drawing, video] = [await submit('song'), await submit('drawing'), await submit('video')];
    await Promise.all([song, drawing, video].map((id) => end(id, 'succeeded')));
    const stranger = await gateway.addToken(await gateway.addUser('mallory', 1_000_000));
    const taken = vendors.jobs.length;
    const asked = gateway.upstream.requests.length;
    const suno = { code: 'task_not_exist', message: expect.any(String), data: null };
    const midjourney = { code: 4, type: 'new_api_error', description: expect.stringMatching(/^task_not_found/) };
    const openai = { error: expect.objectContaining({ message: expect.any(String) }) };
    const calls: [method: string, path: string, body: unknown, status: number, shape: object][] = [
      ['GET', `/suno/fetch/${song}`, undefined, 400, suno],
      ['POST', '/suno/submit/music', { prompt: 'x', task_id: song, continue_clip_id: 'clip-a' }, 400, suno],
      ['GET', `/mj/task/${drawing}/fetch`, undefined, 400, midjourney],
      ['GET', `/mj/task/${drawing}/image-seed`, undefined, 400, midjourney],
      ['POST', '/mj/submit/change', { taskId: drawing, action: 'UPSCALE', index: 1 }, 400, midjourney],
      ['POST', '/mj/submit/simple-change', { content: `${drawing} U1` }, 400, midjourney],
      ['POST', '/mj/notify', { id: drawing, status: 'FAILURE' }, 400, midjourney],
      ['GET', `/v1/videos/${video}`, undefined, 404, openai],
      ['GET', `/v1/videos/${video}/content`, undefined, 404, openai],
      ['DELETE', `/v1/videos/${video}`, undefined, 404, openai],
    ];
    for (const [method, path, body, status, shape] of calls)
      expect(await ask(method, path, body, stranger), `${method} ${path}`).toEqual({ status, body: shape });
    expect((await ask('POST', '/suno/fetch', { ids: [song] }, stranger)).body).toMatchObject({ data: [] });
    expect((await ask('POST', '/mj/task/list-by-condition', { ids: [drawing] }, stranger)).body).toEqual([]);
    for (const [after, key] of [[video, stranger], ['video-of-no-one'], ['x'.repeat(600)]])
      expect(await ask('GET', `/v1/videos?after=${after}`, undefined, key), after).toMatchObject({
        status: 404,
        body: { error: { param: 'after' } },
      });
    expect([vendors.jobs.length, gateway.upstream.requests.length]).toEqual([taken, asked]);
    expect((await ask('GET', `/v1/videos/${video}`)).body).toMatchObject({ status: 'completed' });
  });

  it('are listed page by page, also from one that was deleted meanwhile', async () => {
    const made = [await submit('video'), await submit('video'), await submit('video')];
    for (const id of made) await end(id, 'succeeded');
    const pageOf = async (query: string) => {
      const { data, has_more } = (await ask('GET', `/v1/videos?limit=1${query}`)).body;
      return [(data as { id: string }[]).map(({ id }) => id), has_more];
    };
    const [first = '', second = '', third = ''] = made;
    expect(await pageOf('')).toEqual([[third], true]);
    expect((await ask('DELETE', `/v1/videos/${third}`)).status).toBe(200);
    expect(await pageOf(`&after=${third}`)).toEqual([[second], true]);
    expect(await pageOf(`&after=${second}`)).toEqual([[first], false]);
    expect(await pageOf(`&after=${first}`)).toEqual([[], false]);
    expect(await pageOf(`&order=asc&after=${first}`)).toEqual([[second], false]);
  });

  it('B136, B137 a task id, a list of ids or a customId of the wrong kind is refused in the interface’s own shape', async () => {
    const drawing = await submit('drawing');
    const asked = gateway.upstream.requests.length;
    const cell = '3dbbd469-0000-4000-8000-000000000000';
    const ids: unknown[] = [
      [drawing],
      { id: drawing },
      7,
      '',
      null,
      `${drawing}\0`,
      'x'.repeat(100_000),
      "' OR 1=1 --",
      '%',
    ];
    const customIds = [
      `MJ::JOB::upsample::1::${'x'.repeat(1024 * 1024)}`,
      'MJ',
      '::',
      '::::::::',
      'MJ::JOB',
      'MJ::JOB::',
      'MJ::JOB::upsample',
      'MJ::JOB::upsample::x::y',
      'MJ::JOB::variation::1e9',
      'constructor',
      'MJ::__proto__::1',
      'MJ::JOB::constructor::1',
      'MJ::toString::1',
    ];
    const bodies: [path: string, body: object][] = [
      ...ids.map((taskId): [string, object] => ['/mj/submit/change', { taskId, action: 'REROLL' }]),
      ...ids.map((id): [string, object] => ['/mj/notify', { id }]),
      ...customIds.map((customId): [string, object] => ['/mj/submit/action', { taskId: drawing, customId }]),
      ['/mj/submit/action', { taskId: drawing, customId: ['MJ', 'JOB'] }],
      ['/mj/submit/action', { taskId: [drawing], customId: `MJ::JOB::upsample::1::${cell}` }],
      ['/mj/task/list-by-condition', { ids: drawing }],
      ['/mj/task/list-by-condition', { ids: Array.from({ length: 501 }, () => drawing) }],
    ];
    for (const [path, body] of bodies) {
      const response = await ask('POST', path, body);
      expect(response, JSON.stringify(body).slice(0, 100)).toEqual({
        status: 400,
        body: { code: 4, type: 'new_api_error', description: expect.any(String) },
      });
      expect(JSON.stringify(response).length).toBeLessThan(1000);
    }
    expect((await ask('POST', '/mj/task/list-by-condition', { ids })).body).toEqual([]);
    for (const id of ids.filter((one) => typeof one === 'string' && one !== '')) {
      const response = await ask('POST', '/suno/submit/music', { prompt: 'x', task_id: id });
      expect(response).toMatchObject({ status: 400, body: { code: 'task_not_exist', data: null } });
    }
    expect((await ask('POST', '/suno/fetch', { ids })).body).toMatchObject({ code: 'success', data: [] });
    expect(gateway.upstream.requests.length).toBe(asked);
    expect(await spent()).toBe(50_000);
  });

  it('a callback that is forged, comes again or comes late changes nothing but when the upstream is asked', async () => {
    const id = await submit('drawing');
    const failed = { id, status: 'FAILURE', progress: '', failReason: 'give me my money back' };
    expect((await ask('POST', '/mj/notify', failed)).status).toBe(200);
    expect((await ask('GET', `/mj/task/${id}/fetch`)).body).toMatchObject({ status: 'IN_PROGRESS', failReason: '' });
    const job = vendors.jobs.find((known) => known.id === id);
    if (job) job.state = 'failed';
    // Hints that follow each other closely wait for the next turn.
    await gateway.app.database.sequelize.query('UPDATE tasks SET updated_at = 0');
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask('POST', '/mj/notify', failed)));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect([await spent(), await refundCount()]).toEqual([0, 1]);
    if (job) job.state = 'succeeded';
    const asked = gateway.upstream.requests.length;
    expect((await ask('POST', '/mj/notify', { ...failed, status: 'SUCCESS' })).status).toBe(200);
    expect(gateway.upstream.requests.length).toBe(asked);
    expect((await ask('GET', `/mj/task/${id}/fetch`)).body).toMatchObject({
      status: 'FAILURE',
      failReason: '[Invalid parameter] bad value',
    });
    expect([await spent(), await refundCount()]).toEqual([0, 1]);
  });

  it('are followed to their end on a channel that was disabled, and refunded once when it is removed', async () => {
    const [kept, lost] = [await submit('song'), await submit('drawing')];
    await gateway.app.services.channels.setStatus(systemActor, Object.values(channelOf), channelStatus.disabled);
    await gateway.gateway.refresh();
    expect(await ask('POST', '/suno/submit/music', { prompt: 'x', task_id: kept })).toMatchObject({
      status: 400 + 103,
    });
    expect(await end(kept, 'succeeded')).toMatchObject({ asked: 2, succeeded: 1 });
    await gateway.app.services.channels.remove(systemActor, [channelOf.drawing ?? 0]);
    expect(await poll()).toMatchObject({ asked: 0, failed: 1 });
    expect(await poll()).toBeUndefined();
    expect([await spent(), await refundCount()]).toEqual([50_000, 1]);
    expect((await ask('GET', `/mj/task/${lost}/fetch`)).body).toMatchObject({
      status: 'FAILURE',
      failReason: 'the channel of the task was removed',
    });
  });

  it('are not gone on from on a channel that became one of another type', async () => {
    const id = await submit('drawing');
    await end(id, 'succeeded');
    const { channels } = gateway.app.services;
    await channels.update(systemActor, {
      id: channelOf.drawing ?? 0,
      type: 36,
      key: 'suno-key',
      confirmKeepKey: false,
    });
    await gateway.gateway.refresh();
    const asked = gateway.upstream.requests.length;
    expect(await ask('POST', '/mj/submit/change', { taskId: id, action: 'REROLL' })).toMatchObject({
      status: 400,
      body: { code: 4, description: expect.stringMatching(/^task_channel_disable/) },
    });
    expect(gateway.upstream.requests.length).toBe(asked);
    expect(await spent()).toBe(50_000);
  });

  it('stay paid when there is no money left to go on from them', async () => {
    const poor = await gateway.addUser('poor', 60_000);
    const key = await gateway.addToken(poor);
    const id = takenId('drawing', (await ask('POST', '/mj/submit/imagine', { prompt: 'x' }, key)).body);
    await end(id, 'succeeded');
    const taken = vendors.jobs.length;
    const next = await ask('POST', '/mj/submit/change', { taskId: id, action: 'REROLL' }, key);
    expect(next).toMatchObject({ status: 403, body: { description: expect.stringMatching(/^quota_not_enough/) } });
    expect([vendors.jobs.length, await gateway.quotaOf(poor)]).toEqual([taken, 10_000]);
    expect((await ask('GET', `/mj/task/${id}/fetch`, undefined, key)).body).toMatchObject({ status: 'SUCCESS' });
  });

  it('F60 that two nodes ask about at once are refunded once', async () => {
    for (const name of names) await submit(name);
    for (const job of vendors.jobs) job.state = 'failed';
    await gateway.app.database.sequelize.query('UPDATE tasks SET next_poll_at = 0');
    const { taskProgress } = gateway.app.services;
    const polls = await Promise.all([taskProgress.poll(), taskProgress.poll(), taskProgress.poll()]);
    expect(polls.reduce((sum, counts) => sum + (counts?.failed ?? 0), 0)).toBe(3);
    expect([await spent(), await refundCount()]).toEqual([0, 3]);
  });

  it('D7, F55 end for their age only after their upstream was asked often enough, whatever the clock does', async () => {
    const id = await submit('drawing');
    const row = async () =>
      (await gateway.app.database.select<{ status: string; polls: number }>('SELECT status, polls FROM tasks'))[0];
    const { sequelize } = gateway.app.database;
    // As if the clock had jumped an hour ahead.
    await sequelize.query('UPDATE tasks SET submit_time = submit_time - 3601');
    for (let turn = 0; turn < 12; turn += 1) await poll();
    expect(await row()).toEqual({ status: 'IN_PROGRESS', polls: 12 });
    // And back: a job that was put off until then is asked about anyway.
    await sequelize.query('UPDATE tasks SET submit_time = submit_time + 3601, next_poll_at = next_poll_at + 3600');
    expect(await gateway.app.services.taskProgress.poll()).toMatchObject({ asked: 1, failed: 0 });
    await sequelize.query('UPDATE tasks SET submit_time = submit_time - 3601');
    expect(await poll()).toMatchObject({ asked: 1, failed: 1 });
    expect((await ask('GET', `/mj/task/${id}/fetch`)).body).toMatchObject({ failReason: 'not finished after 1 h' });
    expect([await spent(), await refundCount()]).toEqual([0, 1]);
  });
});
