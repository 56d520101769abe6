import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../core/database/connect.ts';
import { type Actor, role } from '../../../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../../../core/schemas/channel.ts';
import { overviewQuery } from '../../../../core/schemas/overview.ts';
import { createOverviewService, type OverviewService } from '../../../../core/services/overview/overview.ts';
import { codedText } from '../../../../core/text/text.ts';
import { primaryReports } from '../../../support/primary-reports.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const hour = 3600;
const day = 86_400;
const dollar = 500_000;

describe.each(engines)('the overview on %s', (engine) => {
  let services: TestServices;
  let overview: OverviewService;
  let alice: Actor;
  let bob: Actor;
  let carol: Actor;
  let thisHour: number;
  const channels: Record<string, number> = {};

  const query = (values: Record<string, number | string> = {}) =>
    overviewQuery.parse(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])));

  /** A paid request as the settlement keeps it: a row, and its part of the hour. */
  async function addCall(
    user: Actor,
    at: number,
    values: { model?: string; quota?: number; token?: number; channel?: number },
  ) {
    const { model = 'gpt-4o', quota = 100, token = user.id * 10, channel = 0 } = values;
    await services.database.logs.create({
      user_id: user.id,
      username: user.name,
      created_at: at,
      type: 2,
      model_name: model,
      quota,
      prompt_tokens: 10,
      completion_tokens: 5,
      token_id: token,
      token_name: `token ${token}`,
      channel_id: channel,
      other: JSON.stringify({ duration_ms: quota * 10, frt: quota }),
    });
    await services.database.sequelize.query(
      `INSERT INTO usage_data AS known (user_id, model_name, created_at, username, token_used, count, quota)
        VALUES (${user.id}, '${model}', ${at - (at % hour)}, '${user.name}', 15, 1, ${quota})
        ON CONFLICT (user_id, model_name, created_at)
        DO UPDATE SET token_used = known.token_used + 15, count = known.count + 1, quota = known.quota + ${quota}`,
    );
  }

  async function addChannel(name: string, values: Record<string, unknown>): Promise<void> {
    const input = channelCreateSchema.parse({ name, type: 1, key: `sk-${name}`, models: 'gpt-4o' });
    const [channel] = await services.channels.create(carol, input);
    channels[name] = channel?.id ?? 0;
    await services.database.channels.update(values, { where: { id: channels[name] } });
  }

  beforeAll(async () => {
    services = await createTestServices(engine);
    const { database, secretBox, audit, options, logs, now } = services;
    overview = createOverviewService({
      database,
      reports: primaryReports(database),
      secretBox,
      audit,
      options,
      logs,
      now,
    });
    alice = await services.createUser('alice');
    bob = await services.createUser('bob');
    await database.users.update({ quota: 100 * dollar }, { where: { id: alice.id } });
    await database.users.update({ quota: 100 }, { where: { id: bob.id } });
    carol = await services.createUser('carol', { role: role.root });
    thisHour = now() - (now() % hour);
    await addChannel('works', { test_time: now() - 60, response_time: 300 });
    await addChannel('revoked', {
      status: 3,
      other_info: JSON.stringify({ status_reason: '401 invalid key', status_time: now() - 840 }),
    });
    await addChannel('slow', { test_time: now() - 60, response_time: 9000 });
    await addChannel('silent', { test_time: now() - 2 * day, response_time: 300 });
    await addChannel('broken', { test_time: now() - 60, response_time: 0 });
    await addChannel('off', { status: 2, balance: 0, balance_updated_time: now() });
    await addChannel('poor', { balance: 0.4, balance_updated_time: now() - 60 });
    await addCall(alice, thisHour, { channel: channels.works, quota: 400 });
    await addCall(bob, thisHour - hour, { channel: channels.works, quota: 100, model: 'claude' });
    await addCall(bob, thisHour - hour, { channel: channels.slow, quota: 200, model: 'claude', token: 77 });
    // A failed request, and a row that stands for four more.
    const failed = { user_id: bob.id, username: 'bob', type: 5, created_at: thisHour - hour, content: 'no channel' };
    await database.logs.bulkCreate([
      { ...failed, request_id: 'failed:1' },
      { ...failed, other: JSON.stringify({ count: 4 }) },
    ]);
    // The day before.
    await addCall(alice, thisHour - 26 * hour, { quota: 50 });
    await addCall(alice, thisHour - 26 * hour, { quota: 50, model: 'claude' });
  });
  afterAll(() => services.remove());

  const lastDay = () => query({ start_timestamp: thisHour - 23 * hour });

  it('compares the figures of a time with those of the time before', async () => {
    const { current, previous, series, top_models, top_users } = await overview.read(carol, lastDay());
    expect(current).toEqual({ requests: 3, quota: 700, tokens: 45, users: 2, failed: 5 });
    expect(previous).toEqual({ requests: 2, quota: 100, tokens: 30, users: 1, failed: 0 });
    expect(series.map(({ model_name, created_at, quota }) => [model_name, created_at, quota])).toEqual([
      ['claude', thisHour - hour, 300],
      ['gpt-4o', thisHour, 400],
    ]);
    expect(top_models).toEqual([
      { name: 'gpt-4o', requests: 1, quota: 400, previous_quota: 50 },
      { name: 'claude', requests: 2, quota: 300, previous_quota: 50 },
    ]);
    expect(top_users).toEqual([
      { id: alice.id, name: 'alice', requests: 1, quota: 400, previous_quota: 100 },
      { id: bob.id, name: 'bob', requests: 2, quota: 300, previous_quota: 0 },
    ]);
  });

  it('tells how fast the latest requests were, and which failed', async () => {
    const { latency, previous_latency, failures } = await overview.read(carol, lastDay());
    expect(latency).toEqual({ p50: 2000, p95: 4000, first_p50: 200, first_p95: 400 });
    expect(previous_latency).toMatchObject({ p50: 500, first_p95: 50 });
    expect(failures.map(({ type, content }) => [type, content])).toEqual([
      [5, 'no channel'],
      [5, 'no channel'],
    ]);
    expect((await overview.readOwn(alice, lastDay())).failures).toEqual([]);
    expect((await overview.readOwn(alice, lastDay())).current.failed).toBe(0);
  });

  it('tells how the requests of each hour ended, and adds up to the figures', async () => {
    const erin = await services.createUser('erin');
    const at = thisHour - 2 * hour;
    await addCall(erin, at, { model: 'gpt-4o' });
    await addCall(erin, at, { model: 'gpt-4o' });
    await addCall(erin, at, { model: 'gpt-4o' });
    const { logs } = services.database;
    const [first] = await logs.findAll({ where: { user_id: erin.id }, order: ['id'], limit: 1 });
    await first?.update({ content: 'broken' });
    const failed = { user_id: erin.id, username: 'erin', type: 5, created_at: at + hour, content: 'no' };
    const outcomes = ['refused', 'limited', 'shed', 'upstream', 'unavailable', 'clientGone', 'error'];
    await logs.bulkCreate([
      ...outcomes.map((outcome) => ({ ...failed, request_id: `ended:${outcome}`, other: JSON.stringify({ outcome }) })),
      { ...failed, other: JSON.stringify({ count: 30 }) },
    ]);
    const found = await overview.readUser(erin, erin.id, lastDay());
    expect(found.outcomes).toEqual([
      { created_at: at, ok: 2, cut: 1, refused: 0, failed: 0 },
      { created_at: at + hour, ok: 0, cut: 0, refused: 33, failed: 4 },
    ]);
    expect(found.current).toMatchObject({ requests: 3, failed: 37 });
    const byDay = await overview.readUser(erin, erin.id, { ...lastDay(), unit: 'week', utc_offset: 0 });
    const sum = (key: 'ok' | 'cut' | 'refused') => byDay.outcomes.reduce((total, one) => total + one[key], 0);
    expect([sum('ok'), sum('cut'), sum('refused')]).toEqual([2, 1, 33]);
    await logs.destroy({ where: { user_id: erin.id } });
    await services.database.sequelize.query(`DELETE FROM usage_data WHERE user_id = ${erin.id}`);
  });

  it('tells how fast the requests of each hour, day and week were', async () => {
    const frank = await services.createUser('frank');
    // A Wednesday, and the Tuesday before it.
    const wednesday = Date.UTC(2026, 8, 16, 10) / 1000;
    const row = { user_id: frank.id, username: 'frank', type: 2, quota: 1, model_name: 'gpt-4o' };
    const took = (created_at: number, duration_ms: number, frt: number) => ({
      ...row,
      created_at,
      other: JSON.stringify({ frt, duration_ms }),
    });
    await services.database.logs.bulkCreate([
      took(wednesday, 1000, 100),
      took(wednesday + 60, 3000, -1000),
      took(wednesday + hour, 5000, 500),
      took(wednesday - day, 8000, 800),
      { ...row, created_at: wednesday + 2 * hour, other: '' },
      { ...row, created_at: wednesday + 2 * hour, other: 'imported "frt":x' },
    ]);
    const read = (unit: 'hour' | 'day' | 'week') =>
      overview.readOwn(frank, {
        ...query({ start_timestamp: wednesday - day, end_timestamp: wednesday + 3 * hour }),
        unit,
      });
    expect((await read('hour')).latencies).toEqual([
      { created_at: wednesday - day, p50: 8000, p95: 8000, first_p50: 800, first_p95: 800 },
      { created_at: wednesday, p50: 1000, p95: 3000, first_p50: 100, first_p95: 100 },
      { created_at: wednesday + hour, p50: 5000, p95: 5000, first_p50: 500, first_p95: 500 },
    ]);
    const midnight = wednesday - 10 * hour;
    expect((await read('day')).latencies.map(({ created_at, p50 }) => [created_at, p50])).toEqual([
      [midnight - day, 8000],
      [midnight, 3000],
    ]);
    const [week, ...more] = (await read('week')).latencies;
    expect(more).toEqual([]);
    expect(week).toEqual({ created_at: midnight - 2 * day, p50: 3000, p95: 8000, first_p50: 500, first_p95: 800 });
    await services.database.logs.destroy({ where: { user_id: frank.id } });
  });

  it('compares with the time that is asked for', async () => {
    const week = query({
      start_timestamp: thisHour - 23 * hour,
      previous_start: thisHour - 27 * hour,
      previous_end: thisHour - 25 * hour - 1,
    });
    expect((await overview.read(carol, week)).previous).toMatchObject({ requests: 2, quota: 100 });
    const quiet = { ...week, previous_start: thisHour - 90 * hour, previous_end: thisHour - 80 * hour };
    expect((await overview.read(carol, quiet)).previous).toEqual({
      requests: 0,
      quota: 0,
      tokens: 0,
      users: 0,
      failed: 0,
    });
  });

  it('tells how many requests the last minute had, and the same minute of the time before', async () => {
    const now = services.now();
    const dave = await services.createUser('dave');
    const row = { user_id: dave.id, username: 'dave', type: 2, prompt_tokens: 2, completion_tokens: 1 };
    const at = [now - 5, now - 30, now - day - 10, now - day - 90];
    await services.database.logs.bulkCreate(at.map((created_at) => ({ ...row, created_at })));
    const span = { start_timestamp: now - hour, end_timestamp: now };
    const before = { previous_start: now - day - hour, previous_end: now - day };
    const { pace, previous_pace } = await overview.readOwn(dave, query({ ...span, ...before }));
    expect(pace).toEqual({ rpm: 2, tpm: 6 });
    expect(previous_pace).toEqual({ rpm: 1, tpm: 3 });
    await services.database.logs.destroy({ where: { user_id: dave.id } });
  });

  it('says of each channel what is known, failing ones first, and proven only by the last hour', async () => {
    const found = (await overview.read(carol, lastDay())).channels;
    expect(found.map(({ name, state }) => [name, state])).toEqual([
      ['revoked', 'failing'],
      ['broken', 'failing'],
      ['slow', 'slow'],
      ['works', 'working'],
      ['silent', 'unknown'],
      ['poor', 'unknown'],
      ['off', 'off'],
    ]);
    expect(found[0]).toMatchObject({ reason: '401 invalid key', since: expect.any(Number) });
    expect(found.find(({ name }) => name === 'works')).toMatchObject({ requests: 2, quota: 500 });
  });

  it('lists of many channels those in trouble and the busiest ones, and counts all of them', async () => {
    const row = { type: 1, key_hash: '', key_encrypted: '', models: 'm', created_time: 1, test_time: 1 };
    await services.database.channels.bulkCreate(
      Array.from({ length: 80 }, (_, index) => ({ ...row, name: `many ${index}`, status: index < 60 ? 2 : 3 })),
    );
    const span = query({ start_timestamp: thisHour - 20 * hour });
    const found = await overview.read(carol, span);
    expect(found.channels).toHaveLength(50);
    expect(found.channels.slice(0, 26).map(({ state }) => state)).toEqual([
      ...Array.from({ length: 22 }, () => 'failing'),
      ...['slow', 'working', 'unknown', 'unknown'],
    ]);
    expect(found.channel_states).toEqual({ failing: 22, slow: 1, working: 1, unknown: 2, off: 61 });
    // Balances that end soon are not pushed out.
    expect(found.attention).toHaveLength(20);
    expect(found.attention.slice(-2).map(({ kind }) => kind)).toEqual(['channelBalance', 'userBalance']);
    await services.database.channels.destroy({ where: { models: 'm' } });
  });

  it('names what needs a person: channels that fail, and balances that end soon', async () => {
    const { attention } = await overview.read(carol, lastDay());
    expect(attention.map(({ kind, name }) => [kind, name])).toEqual([
      ['channelOff', 'revoked'],
      ['channelFailing', 'broken'],
      ['channelBalance', 'poor'],
      ['userBalance', 'bob'],
    ]);
    expect(attention.at(-1)).toMatchObject({ id: bob.id, left: 100 });
    // 300 units in seven days.
    expect(attention.at(-1)?.days).toBeCloseTo(7 / 3);
  });

  it('names models that no channel serves in the group that asks for them', async () => {
    const now = services.now();
    const refused = (code: 'relay.noChannel' | 'relay.unknownModel', model: string, group: string) => ({
      user_id: alice.id,
      username: 'alice',
      type: 5,
      created_at: now - 60,
      content: codedText('error', code, { model, group, near: '' }),
      other: JSON.stringify({ status: 503, outcome: 'unavailable', code }),
    });
    const rows = [
      ...Array.from({ length: 3 }, () => refused('relay.unknownModel', 'claude-opus', 'vip')),
      ...Array.from({ length: 2 }, () => refused('relay.noChannel', 'claude-opus', 'vip')),
      ...Array.from({ length: 3 }, () => refused('relay.noChannel', 'claude-opus', 'default')),
      // Mistyped once, and served again.
      refused('relay.unknownModel', 'gtp-4o', 'vip'),
      ...Array.from({ length: 4 }, () => refused('relay.noChannel', 'gpt-4o', 'default')),
      ...Array.from({ length: 9 }, () => ({
        ...refused('relay.unknownModel', 'o1', 'vip'),
        created_at: now - 2 * day,
      })),
    ];
    await services.database.logs.bulkCreate(rows.map((row, index) => ({ ...row, request_id: `unserved:${index}` })));
    const { attention } = await overview.read(carol, query({ start_timestamp: thisHour - 22 * hour }));
    expect(attention.filter(({ kind }) => kind === 'unserved')).toEqual([
      expect.objectContaining({ name: 'claude-opus', group: 'vip', count: 5 }),
      expect.objectContaining({ name: 'claude-opus', group: 'default', count: 3 }),
    ]);
    expect(attention.map(({ kind }) => kind).indexOf('unserved')).toBeLessThan(
      attention.map(({ kind }) => kind).indexOf('channelBalance'),
    );
    await services.database.logs.destroy({ where: { content: rows.map(({ content }) => content) } });
  });

  it('names channels whose slowest requests take much longer than before', async () => {
    const now = services.now();
    await addChannel('slowing', { test_time: now - 60, response_time: 300 });
    await addChannel('steady', { test_time: now - 60, response_time: 300 });
    const served = (channel: number, at: number, other: object) =>
      Array.from({ length: 25 }, (_, index) => ({
        user_id: alice.id,
        username: 'alice',
        type: 2,
        model_name: 'gpt-4o',
        channel_id: channel,
        created_at: at - index,
        other: JSON.stringify(other),
      }));
    const [slowing = 0, steady = 0] = [channels.slowing, channels.steady];
    const rows = [
      ...served(slowing, now - 60, { frt: 6000, duration_ms: 7000 }),
      ...served(slowing, now - 5 * hour, { frt: 1200, duration_ms: 7000 }),
      // More is asked for, and the first token comes as soon as ever.
      ...served(steady, now - 60, { frt: 900, duration_ms: 60_000 }),
      ...served(steady, now - 5 * hour, { frt: 800, duration_ms: 2000 }),
    ];
    await services.database.logs.bulkCreate(rows);
    const { attention } = await overview.read(carol, query({ start_timestamp: thisHour - 21 * hour }));
    expect(attention.filter(({ kind }) => /Slow$/.test(kind))).toEqual([
      expect.objectContaining({
        kind: 'channelFirstSlow',
        id: slowing,
        name: 'slowing',
        p95: 6000,
        previous_p95: 1200,
      }),
    ]);
    await services.database.logs.destroy({ where: { channel_id: [slowing, steady] } });
    await services.channels.remove(carol, [slowing, steady]);
  });

  it('names the tokens of the last day and the latest changes', async () => {
    const { top_tokens, changes } = await overview.read(carol, lastDay());
    expect(top_tokens.map(({ id, quota, username }) => [id, quota, username])).toEqual([
      [alice.id * 10, 400, 'alice'],
      [77, 200, 'bob'],
      [bob.id * 10, 100, 'bob'],
    ]);
    // Another test removes a channel meanwhile, which a reading shows once it is a few seconds old.
    expect(changes).toContainEqual(expect.objectContaining({ action: 'channel.create', actor_name: 'carol' }));
  });

  it('sums the requests of one channel, with its users and models', async () => {
    const id = channels.works ?? 0;
    const found = await overview.readChannel(carol, id, lastDay());
    expect(found).toMatchObject({ name: 'works', current: { requests: 2, quota: 500, tokens: 30, users: 2 } });
    expect(found.channels.map(({ name, state }) => [name, state])).toEqual([['works', 'working']]);
    expect(found.top_models.map(({ name, quota }) => [name, quota])).toEqual([
      ['gpt-4o', 400],
      ['claude', 100],
    ]);
    expect(found.top_users.map(({ name }) => name)).toEqual(['alice', 'bob']);
    expect(
      found.series.map(({ model_name, created_at, count, quota }) => [model_name, created_at, count, quota]),
    ).toEqual([
      ['claude', thisHour - hour, 1, 100],
      ['gpt-4o', thisHour, 1, 400],
    ]);
    await expect(overview.readChannel(alice, id, lastDay())).rejects.toMatchObject({ code: 'permission.denied' });
    await expect(overview.readChannel(carol, 4321, lastDay())).rejects.toMatchObject({ code: 'object.notFound' });
  });

  it('shows admins all requests of a model and its channels, users their own', async () => {
    const all = await overview.readModel(carol, 'claude', lastDay());
    expect(all.current).toMatchObject({ requests: 2, quota: 300, users: 1 });
    expect(all.previous).toMatchObject({ requests: 1, quota: 50 });
    expect((await overview.readModel(carol, 'gpt-4o', lastDay())).channels).toHaveLength(7);
    const own = await overview.readModel(alice, 'claude', lastDay());
    expect(own).toMatchObject({ current: { requests: 0, failed: 0 }, channels: [], top_users: [] });
    expect((await overview.readModel(alice, 'gpt-4o', lastDay())).current).toMatchObject({ requests: 1, quota: 400 });
  });

  it('shows users themselves and their tokens; others are for admins', async () => {
    expect((await overview.readUser(bob, bob.id, lastDay())).current).toMatchObject({ quota: 300, failed: 5 });
    const found = await overview.readUser(carol, bob.id, lastDay());
    expect(found).toMatchObject({ name: 'bob', current: { requests: 2, quota: 300 } });
    expect(found.failures.map(({ username }) => username)).toEqual(['bob', 'bob']);
    await expect(overview.readUser(alice, bob.id, lastDay())).rejects.toMatchObject({ code: 'object.notFound' });
    await services.database.tokens.create({ id: 77, user_id: bob.id, name: 'token 77', key_hash: 'hash' });
    const token = await overview.readToken(bob, 77, lastDay());
    expect(token).toMatchObject({ name: 'token 77', current: { requests: 1, quota: 200 } });
    expect(token.top_models.map(({ name }) => name)).toEqual(['claude']);
    expect((await overview.readToken(carol, 77, lastDay())).current.quota).toBe(200);
    await expect(overview.readToken(alice, 77, lastDay())).rejects.toMatchObject({ code: 'object.notFound' });
  });

  it('calls a channel failing whose requests fail, whatever its last test said', async () => {
    const tested = (test_time: number) => ({ test_time, response_time: 300 });
    const now = services.now();
    await addChannel('refused', tested(now - 300));
    await addChannel('once', tested(now - 300));
    await addChannel('recovered', tested(now - 30));
    const [refused, once, recovered] = ['refused', 'once', 'recovered'].map((name) => channels[name] ?? 0);
    const failure = (channel: number | undefined, outcome: string) => ({ channel, outcome, ms: 5 });
    const other = (outcome: string, status: number, attempts: object[]) =>
      JSON.stringify({ outcome, status, admin_info: { attempts } });
    const row = { user_id: alice.id, username: 'alice', created_at: now - 60, model_name: 'gpt-4o' };
    await services.database.logs.bulkCreate([
      { ...row, request_id: 'failed:2', type: 5, other: other('upstream', 502, [failure(refused, '401')]) },
      // Another channel served it.
      {
        ...row,
        type: 2,
        quota: 0,
        channel_id: channels.works,
        other: other('complete', 200, [failure(refused, '401'), failure(once, '500'), failure(channels.works, 'ok')]),
      },
      // The client's own mistake says nothing of the channel.
      { ...row, request_id: 'failed:3', type: 5, other: other('upstream', 400, [failure(once, '400')]) },
      { ...row, request_id: 'failed:4', type: 5, other: other('upstream', 502, [failure(recovered, '500')]) },
      { ...row, request_id: 'failed:5', type: 5, other: other('upstream', 502, [failure(recovered, '500')]) },
    ]);
    const stateOf = async (id: number | undefined) =>
      (await overview.readChannel(carol, id ?? 0, lastDay())).channels[0];
    expect(await stateOf(refused)).toMatchObject({ state: 'failing', since: now - 60, failed: 2 });
    expect((await stateOf(refused))?.reason).toContain('channel.keyRefused');
    expect(await stateOf(once)).toMatchObject({ state: 'working', failed: 1 });
    expect(await stateOf(recovered)).toMatchObject({ state: 'working', failed: 2 });
    const all = await overview.readChannels(carol);
    expect(all[0]).toMatchObject({ state: 'failing' });
    const works = all.find(({ name }) => name === 'works');
    expect(works).toMatchObject({ requests: 3, success: 1, p50: 5 });
    expect(works?.hours.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(all.find(({ name }) => name === 'refused')).toMatchObject({ success: 0, last_error_at: now - 60 });
    const named = await overview.readChannels(carol, [channels.works ?? 0, channels.off ?? 0, 987_654]);
    expect(named.map(({ name }) => name)).toEqual(['works', 'off']);
    await expect(overview.readChannels(alice)).rejects.toMatchObject({ code: 'permission.denied' });
  });

  it('is for admins; users see their own figures, balance and tokens only', async () => {
    await expect(overview.read(alice, lastDay())).rejects.toMatchObject({ code: 'permission.denied' });
    const own = await overview.readOwn(bob, lastDay());
    expect(own).toMatchObject({ balance: 100, spent_in_week: 300, current: { requests: 2, quota: 300 } });
    expect(own.top_models).toEqual([{ name: 'claude', requests: 2, quota: 300, previous_quota: 0 }]);
    expect(own.top_tokens.map(({ id }) => id)).toEqual([77, bob.id * 10]);
    expect(JSON.stringify(own)).not.toContain('alice');
  });
});

describe.each(engines)('the overview of a busy installation on %s', (engine) => {
  const rows = 200_000;
  let services: TestServices;

  beforeAll(async () => {
    services = await createTestServices(engine);
    const { sequelize } = services.database;
    const numbers =
      engine === 'postgres'
        ? `numbers AS (SELECT n FROM generate_series(1, ${rows}) AS series(n))`
        : `RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})`;
    const at = `${services.now()} - n * 100`;
    const insert = (target: string, values: string) =>
      sequelize.query(
        engine === 'postgres'
          ? `WITH ${numbers} INSERT INTO ${target} SELECT ${values} FROM numbers`
          : `INSERT INTO ${target} WITH ${numbers} SELECT ${values} FROM numbers`,
      );
    await insert(
      'logs (user_id, created_at, type, model_name, quota, token_id, token_name, channel_id)',
      `n % 500, ${at}, CASE WHEN n % 50 = 0 THEN 3 ELSE 2 END, 'model ' || n % 20, 10, n % 900, 'token', n % 30`,
    );
    await insert(
      'usage_data (user_id, model_name, created_at, username, token_used, count, quota)',
      `n % 500, 'model ' || n % 20, (${at}) - (${at}) % 3600 - n * 3600, 'user', 15, 1, 10`,
    );
    await sequelize.query('ANALYZE');
  }, 120_000);
  afterAll(() => services.remove());

  /** What the engine would read from end to end. */
  async function scansOf(sql: string, replacements: Record<string, unknown> | undefined): Promise<string[]> {
    const { database } = services;
    if (engine === 'sqlite') {
      const plan = await database.select<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, replacements);
      return plan.map(({ detail }) => detail).filter((detail) => /^SCAN (logs|usage_data|audits)/.test(detail));
    }
    const plan = await database.select<Record<'QUERY PLAN', string>>(`EXPLAIN ${sql}`, replacements);
    // A month without rows costs nothing to go through.
    const whole = /Seq Scan on (logs|usage_data|audits)(?!.* rows=[01] )/;
    return plan.map((row) => row['QUERY PLAN']).filter((line) => whole.test(line));
  }

  it('follows an index in every statement, for operators and users', async () => {
    const { database, secretBox, audit, options, logs, now } = services;
    const asked: [sql: string, replacements: Record<string, unknown> | undefined][] = [];
    const watched: Database = {
      ...database,
      select: <T extends object>(sql: string, replacements?: Record<string, unknown>) => {
        asked.push([sql, replacements]);
        return database.select<T>(sql, replacements);
      },
      logHome: async () => watched,
    };
    const overview = createOverviewService({
      database: watched,
      reports: primaryReports(watched),
      secretBox,
      audit,
      options,
      logs,
      now,
    });
    const root = await services.createUser('root-reader', { role: role.root });
    const week = overviewQuery.parse({ start_timestamp: String(now() - 7 * day) });
    await overview.read(root, week);
    await overview.readOwn({ ...root, id: 7 }, week);
    await database.channels.create({ id: 7, type: 1, name: 'seven' });
    await database.tokens.create({ id: 7, user_id: root.id, name: 'token', key_hash: 'hash' });
    await overview.readChannel(root, 7, week);
    await overview.readChannels(root);
    await overview.readModel(root, 'model 7', week);
    await overview.readModel({ ...root, role: role.user }, 'model 7', week);
    await overview.readUser(root, root.id, week);
    await overview.readToken(root, 7, week);
    expect(asked.length).toBeGreaterThan(60);
    for (const [sql, replacements] of asked) expect(await scansOf(sql, replacements), sql).toEqual([]);
  });
});
