import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { logType } from '../../../../core/schemas/log-type.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { fixture, json, type RecordedRequest } from '../../../support/upstream-script.ts';

describe('calls of ours to the channels', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  beforeAll(async () => {
    gateway = await startGateway();
    root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
  });
  beforeEach(async () => {
    await gateway.app.database.channels.destroy({ where: {} });
    await gateway.app.database.logs.destroy({ where: {} });
  });
  afterEach(async () => {
    gateway.upstream.reset();
    const { options } = gateway.app.services;
    for (const key of ['ChannelDisableThreshold', 'AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled'])
      await options.reset(systemActor, key);
  });
  afterAll(() => gateway.stop());

  const read = (id: number) => root.data(root.get(`/api/channel/${id}`));
  const disableAs = (status: number, id: number) => gateway.app.database.channels.update({ status }, { where: { id } });
  /** Starts the run and waits for its end, which is when the next one would be allowed. */
  async function testAll(): Promise<void> {
    await root.data(root.get('/api/channel/test/'));
    while (gateway.app.services.channelChecks.isTesting()) await wait(10);
  }
  const byKey = (responses: Record<string, ReturnType<typeof json>>) => (request: RecordedRequest) =>
    responses[String(request.headers.authorization).replace('Bearer ', '')] ?? 'openai/chat.json';

  it('G-191 test one channel: seconds, the time stored, a log row without a charge', async () => {
    const id = await gateway.addChannel({ models: 'gpt-4o-mini,gpt-4o', model_mapping: '{"gpt-4o":"gpt-4o-2024"}' });
    const response = await root.get(`/api/channel/test/${id}?model=gpt-4o`);
    expect(response.body).toEqual({ success: true, message: '', time: expect.any(Number) });
    expect(gateway.upstream.requests[0]?.json).toMatchObject({ model: 'gpt-4o-2024', max_tokens: 10 });
    expect(await read(id)).toMatchObject({ test_time: expect.any(Number), response_time: expect.any(Number) });
    const rows = await gateway.app.database.logs.findAll({ where: { type: logType.test }, raw: true });
    expect(rows).toMatchObject([{ user_id: 1, quota: 0, model_name: 'gpt-4o', channel_id: id }]);
    // G-063
    await root.get(`/api/channel/test/${id}/`);
    expect(gateway.upstream.requests[1]?.json).toMatchObject({ model: 'gpt-4o-mini' });
    await gateway.verifyBooks();
  });

  it('tell what the upstream refused, disable nothing for it, and hide the key', async () => {
    await gateway.setOption('AutomaticDisableChannelEnabled', 'true');
    const id = await gateway.addChannel();
    gateway.upstream.respond(json(401, { error: { message: 'bad key upstream-key', code: 'invalid_api_key' } }));
    const response = await root.get(`/api/channel/test/${id}`);
    expect(response).toMatchObject({ status: 200, success: false, body: { time: expect.any(Number) } });
    expect(response.message).not.toContain('upstream-key');
    expect(await read(id)).toMatchObject({ status: 1, test_time: expect.any(Number) });
    expect(await gateway.logs()).toEqual([]);
  });

  it('B104 are not made to a channel that is gone, disabled by hand, or would sell something', async () => {
    const id = await gateway.addChannel();
    const picture = await gateway.addChannel({ type: 2 });
    await disableAs(2, id);
    for (const path of [`${id}`, '99999', `${picture}`])
      expect(await root.get(`/api/channel/test/${path}`)).toMatchObject({ status: 200, success: false });
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  it('G-190 G-192 leave those of drawings and songs out of a run, which have no test and no balance', async () => {
    const id = await gateway.addChannel({ models: 'gpt-4o-mini' });
    for (const type of [2, 5, 36]) {
      const job = await gateway.addChannel({ type });
      const { message } = await root.get(`/api/channel/test/${job}`, { 'accept-language': 'en' });
      expect(message).toContain('cannot be tested: a test would cost money');
      const balance = await root.get(`/api/channel/update_balance/${job}`, { 'accept-language': 'en' });
      expect(balance).toMatchObject({ status: 200, message: expect.stringContaining('does not provide a balance') });
    }
    const { channelChecks, channelBalances } = gateway.app.services;
    expect(await channelChecks.testAll(systemActor)).toMatchObject({ tested: 1, failed: [] });
    expect(await read(id)).toMatchObject({ test_time: expect.any(Number) });
    expect((await channelBalances.updateBalances(systemActor)).failed).toEqual([]);
  });

  it('A-079 G-128 G-130 test all: dead ones go off, those that recovered come back, as the options say', async () => {
    const dead = await gateway.addChannel({ key: 'dead-key' });
    const kept = await gateway.addChannel({ key: 'dead-key', auto_ban: 0 });
    const back = await gateway.addChannel({ key: 'good-key' });
    await disableAs(3, back);
    const refusal = json(401, { error: { message: 'Incorrect API key', code: 'invalid_api_key' } });
    gateway.upstream.always(byKey({ 'dead-key': refusal }));
    await testAll();
    expect([(await read(dead)).status, (await read(back)).status]).toEqual([1, 3]);
    await gateway.setOption('AutomaticDisableChannelEnabled', 'true');
    await gateway.setOption('AutomaticEnableChannelEnabled', 'true');
    await testAll();
    const states = [await read(dead), await read(kept), await read(back)];
    expect(states.map(({ status }) => status)).toEqual([3, 1, 1]);
    expect(JSON.parse(states[0].other_info)).toMatchObject({ status_reason: expect.stringContaining('401') });
  });

  it('A-077 G-129 take slow channels out, but not for a line of ours that is down', async () => {
    await gateway.setOption('ChannelDisableThreshold', '0.2');
    const slow = await gateway.addChannel({ key: 'slow-key' });
    const gone = await gateway.addChannel({ base_url: 'http://127.0.0.1:1' });
    const fast = await gateway.addChannel({ key: 'good-key' });
    const broken = await gateway.addChannel({ key: 'broken-key' });
    gateway.upstream.always(({ headers: { authorization } }) => {
      if (authorization === 'Bearer slow-key') return { ...fixture('openai/chat.json'), firstByteMs: 400 };
      if (authorization === 'Bearer broken-key') return { firstByteMs: 400, end: { after: 0, how: 'cut' } };
      return 'openai/chat.json';
    });
    await testAll();
    const states = [await read(slow), await read(gone), await read(fast), await read(broken)];
    expect(states.map(({ status }) => status)).toEqual([3, 1, 1, 1]);
    // A test that failed has no time, so nothing shows one in green.
    expect(states[3]).toMatchObject({ response_time: 0, test_time: expect.any(Number) });
    expect(states[0].response_time).toBeGreaterThanOrEqual(400);
  });

  it('test all once at a time', async () => {
    await gateway.addChannel();
    gateway.upstream.always({ firstByteMs: 500 });
    await root.data(root.get('/api/channel/test'));
    expect(await root.get('/api/channel/test')).toMatchObject({ status: 200, success: false });
    while (gateway.app.services.channelChecks.isTesting()) await wait(10);
    expect((await root.get('/api/channel/test')).success).toBe(true);
    while (gateway.app.services.channelChecks.isTesting()) await wait(10);
  });

  it('test all tells how far it has come, and what failed', async () => {
    const id = await gateway.addChannel({ name: 'broken', key: 'dead-key' });
    gateway.upstream.always(({ headers }) =>
      headers.authorization === 'Bearer dead-key' ? json(500, { error: { message: 'no luck' } }) : 'openai/chat.json',
    );
    const total = await gateway.app.database.channels.count();
    await root.data(root.get('/api/channel/test'));
    expect(await root.data(root.get('/api/channel/test/progress'))).toMatchObject({ running: true });
    while (gateway.app.services.channelChecks.isTesting()) await wait(10);
    const report = await root.data(root.get('/api/channel/test/progress'));
    expect(report).toMatchObject({ running: false, tested: total, total });
    expect(report.failed).toContainEqual({ id, name: 'broken', reason: expect.stringContaining('no luck') });
  });

  function tellBalance(limit: number, usedCents: number): void {
    gateway.upstream.route(
      '/v1/dashboard/billing/subscription',
      json(200, { hard_limit_usd: limit, has_payment_method: true }),
    );
    gateway.upstream.route('/v1/dashboard/billing/usage', json(200, { total_usage: usedCents }));
  }

  it('G-193 read what is left on an account, in dollars', async () => {
    const id = await gateway.addChannel();
    tellBalance(20, 250);
    const response = await root.get(`/api/channel/update_balance/${id}/`);
    expect(response.body).toEqual({ success: true, message: '', balance: 17.5 });
    expect(await read(id)).toMatchObject({ balance: 17.5, balance_updated_time: expect.any(Number) });
    gateway.upstream.route('/v1/dashboard/billing/subscription', json(403, { error: { message: 'no upstream-key' } }));
    const refused = await root.get(`/api/channel/update_balance/${id}`);
    expect(refused).toMatchObject({ status: 200, success: false });
    expect(refused.message).not.toContain('upstream-key');
    const silent = await gateway.addChannel({ type: 14, models: 'claude-3' });
    expect((await root.get(`/api/channel/update_balance/${silent}`)).success).toBe(false);
  });

  it('read all balances of enabled channels; an empty account takes its channel out', async () => {
    const [empty, off] = [await gateway.addChannel(), await gateway.addChannel()];
    await gateway.addChannel({ type: 14, models: 'claude-3' });
    await disableAs(2, off);
    tellBalance(10, 1000);
    await root.data(root.get('/api/channel/update_balance'));
    expect(await read(empty)).toMatchObject({ balance: 0, status: 3, balance_updated_time: expect.any(Number) });
    expect(await read(off)).toMatchObject({ status: 2, balance_updated_time: 0 });
  });

  it('of several keys read the balance of each that can be read, and say which cannot', async () => {
    const key = ['dead-key', 'empty-key', 'rich-key'].join('\n');
    const id = await gateway.addChannel({ name: 'many keys', key, key_mode: 'polling' });
    gateway.upstream.always(({ path, headers }) => {
      if (headers.authorization === 'Bearer dead-key') return json(403, { error: { message: 'no luck' } });
      if (path.includes('usage')) return json(200, { total_usage: 0 });
      const left = headers.authorization === 'Bearer rich-key' ? 12 : 0;
      return json(200, { hard_limit_usd: left, has_payment_method: true });
    });
    const english = { 'accept-language': 'en' };
    const response = await root.get(`/api/channel/update_balance/${id}`, english);
    expect(response).toMatchObject({ success: false });
    expect(response.message).toMatch(/of 1 of 3 keys could not be read. Key 1: .*\(403\): no luck\.$/);
    expect(await read(id)).toMatchObject({ balance: 12, balance_updated_time: expect.any(Number) });
    await gateway.app.services.channelBalances.updateBalances(systemActor);
    const report = await root.data(root.get('/api/channel/update_balance/progress', english));
    expect(report).toMatchObject({ updated: 0, disabled: 0 });
    const pool = (await gateway.app.database.channels.findByPk(id, { raw: true }))?.key_pool ?? '';
    expect(JSON.parse(pool).keys).toEqual([{ id: 1 }, expect.objectContaining({ id: 2, status: 3 }), { id: 3 }]);
    expect(report.failed).toEqual([{ id, name: 'many keys', reason: expect.stringContaining('Key 1: ') }]);
  });

  it('S10 reach no further than the user who saved the address may', async () => {
    const id = await gateway.addChannel();
    await gateway.app.database.channels.update({ private_allowed: false }, { where: { id } });
    tellBalance(10, 0);
    for (const path of ['fetch_models', 'update_balance', 'test']) {
      const response = await root.get(`/api/channel/${path}/${id}`);
      expect(response).toMatchObject({ status: 200, success: false });
    }
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  it('end with the server that makes them', async () => {
    const other = await startGateway('sqlite', { POLLING_INTERVAL: '3600' });
    const console = createConsoleClient(other.url);
    await console.signIn('root', 'correct horse battery');
    await other.addChannel();
    await console.data(console.get('/api/channel/test'));
    await other.upstream.waitForRequests(1);
    expect((await console.get('/api/channel/test')).success).toBe(false);
    await other.stop();
    expect(other.app.services.channelChecks.isTesting()).toBe(false);
  });

  it('F60 run once at a time over all processes of an installation', async () => {
    const until = Math.floor(Date.now() / 1000) + 60;
    const { database } = gateway.app;
    const busy = (name: string) =>
      `INSERT INTO job_locks (name, owner, until, ran_at) VALUES ('${name}', 'another process', ${until}, 0)
       ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until`;
    for (const [name, path] of [
      ['test-all-channels', 'test'],
      ['update-all-balances', 'update_balance'],
    ]) {
      await database.sequelize.query(busy(name ?? ''));
      const response = await root.get(`/api/channel/${path}`, { 'accept-language': 'en' });
      expect(response).toMatchObject({ success: false, message: expect.stringContaining('already') });
      await database.sequelize.query(`UPDATE job_locks SET owner = '' WHERE name = '${name}'`);
      expect((await root.get(`/api/channel/${path}`)).success).toBe(true);
    }
  });
});
