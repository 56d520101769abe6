import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, role, systemActor } from '../../../../core/schemas/actor.ts';
import { channelCreateSchema, channelListSchema, channelUpdateSchema } from '../../../../core/schemas/channel.ts';
import { createChannelStateService } from '../../../../core/services/channel/state.ts';
import { createChannelStore } from '../../../../core/services/channel/store.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const base = { type: 1, name: 'main', key: 'sk-first-upstream-key', models: 'gpt-4o,gpt-4', group: 'default' };
const input = (values: Record<string, unknown> = {}) => channelCreateSchema.parse({ ...base, ...values });
const change = (values: Record<string, unknown>) => channelUpdateSchema.parse(values);
const listOf = (values: Record<string, unknown> = {}) => channelListSchema.parse(values);
const admin: Actor = { id: 2, name: 'admin', role: role.admin, address: '' };
const user: Actor = { id: 3, name: 'user', role: role.user, address: '' };

describe('channel input', () => {
  it.each([
    { type: 99 },
    { type: null },
    { name: '' },
    { models: '' },
    { models: ' , ,' },
    { group: ',' },
    { key: '' },
    { models: 'x'.repeat(256) },
    { name: 'a\r\nb' },
    { openai_organization: 'org\r\nX-Evil: 1' },
    { priority: 'high' },
    { priority: -1000 },
    { weight: 1.5 },
    { model_mapping: '{"a":1}' },
    { model_mapping: '["a"]' },
    { model_mapping: '{"a":"b"' },
    { model_mapping: JSON.stringify({ a: 'x'.repeat(1_000_000) }) },
    { status_code_mapping: '{"abc":"500"}' },
    { status_code_mapping: '{"429":"99"}' },
    { status_code_mapping: '{"600":"500"}' },
    { status_code_mapping: '{"200":"500"}' },
    { status_code_mapping: '{"500":"200"}' },
    { setting: '{"force_format":"yes"}' },
    { setting: '{"inference_profile":"../x"}' },
    { setting: '{"native":"yes"}' },
    { setting: '{"options":[1]}' },
    { setting: '{"keep_alive":true}' },
    { setting: '{"anthropic_betas":"context-1m-2025-08-07"}' },
    { setting: '{"proxy":"file:///etc/passwd"}' },
    { setting: '{"proxy":"socks5://me:secret@10.0.0.9:1080"}' },
    { setting: '[]' },
    { param_override: '{"model":"x"}' },
    { param_override: '{"stream":false}' },
    { param_override: '{"n":10}' },
    { param_override: '{"max_tokens":1}' },
    { param_override: '{"__proto__":{"a":1}}' },
  ])('is refused: %j', (values) => {
    expect(channelCreateSchema.safeParse({ ...base, ...values }).success).toBe(false);
  });

  it('G-144 G-145 says of a fraction that a whole number is needed, also when it comes as text', () => {
    for (const priority of [1.5, '1.5']) {
      const [issue] = channelCreateSchema.safeParse({ ...base, priority }).error?.issues ?? [];
      expect(issue).toMatchObject({ code: 'invalid_type', expected: 'int', path: ['priority'] });
    }
  });

  it('is cleaned: lists without repeats, text numbers, a weight below zero, types by name', () => {
    expect(
      input({
        type: 'azure',
        models: ' a, b,a,',
        groups: ['vip', 'default'],
        group: '',
        weight: '-1',
        priority: '5',
        tag: null,
      }),
    ).toMatchObject({ type: 3, models: 'a,b', group: 'vip,default', weight: 0, priority: 5, tag: '' });
    expect(input({ weight: '', priority: null })).toMatchObject({ weight: undefined, priority: undefined });
    expect(input({ model_mapping: '{"a":"b","b":"a"}' }).model_mapping).toBe('{"a":"b","b":"a"}');
  });

  it('contains no column that belongs to the server', () => {
    const parsed = input({
      used_quota: 5,
      balance: 9,
      created_time: 1,
      status: 3,
      private_allowed: true,
      key_hash: 'x',
    });
    for (const name of ['used_quota', 'balance', 'created_time', 'status', 'private_allowed', 'key_hash']) {
      expect(parsed).not.toHaveProperty(name);
    }
  });
});

describe.each(engines)('channel on %s', (engine) => {
  let services: TestServices;
  beforeAll(async () => {
    services = await createTestServices(engine);
  });
  afterAll(() => services.remove());
  beforeEach(async () => {
    await services.database.channels.destroy({ where: {} });
    await services.database.abilities.destroy({ where: {} });
  });

  const create = async (values: Record<string, unknown> = {}, actor = systemActor) => {
    const [channel] = await services.channels.create(actor, input(values));
    if (!channel) throw new Error('no channel');
    return channel;
  };
  const update = (values: Record<string, unknown>, actor = systemActor) =>
    services.channels.update(actor, change(values));
  const keyOf = async (id: number) => {
    const row = await services.database.channels.findByPk(id, { raw: true });
    return services.secretBox.decrypt(row?.key_encrypted ?? '', `channels.key_encrypted.${id}`);
  };
  const abilitiesOf = async (id: number) =>
    (
      await services.database.abilities.findAll({ where: { channel_id: id }, order: ['group', 'model'], raw: true })
    ).map(({ group, model, enabled, priority }) => `${group}/${model} ${enabled ? 'on' : 'off'} ${priority}`);

  it('starts with the defaults of the form, its key encrypted and never shown', async () => {
    const channel = await create();
    expect(channel).toMatchObject({
      key: '',
      status: 1,
      priority: 0,
      weight: 0,
      auto_ban: 1,
      group: 'default',
      tag: null,
    });
    expect(await keyOf(channel.id)).toBe('sk-first-upstream-key');
    const everything = await Promise.all(
      ['channels', 'audits', 'changes'].map((table) => services.database.select(`SELECT * FROM ${table}`)),
    );
    const listed = await services.channels.list(admin, listOf());
    expect(JSON.stringify([everything, listed])).not.toContain('first-upstream');
    expect(listed.items[0]).not.toHaveProperty('key_hash');
  });

  it('whose key cannot be decrypted says what to do, and takes a new key', async () => {
    const { id } = await create();
    await services.database.channels.update({ key_encrypted: 'v1:damaged' }, { where: { id } });
    expect((await services.channels.list(admin, listOf())).items[0]?.problem).toContain('channel.keyUnreadable');
    expect(await update({ id, name: 'renamed' })).toMatchObject({ name: 'renamed' });
    expect(await update({ id, key: 'sk-second-upstream-key' })).toMatchObject({ problem: '' });
    expect(await keyOf(id)).toBe('sk-second-upstream-key');
  });

  it('whose keys cannot be decrypted lists them with their states, and none is lost by adding one', async () => {
    const { id } = await create({ key: 'sk-one-of-the-keys\nsk-two-of-the-keys', key_mode: 'random' });
    await services.database.channels.update({ key_encrypted: 'v1:damaged' }, { where: { id } });
    expect(await services.channels.setKeyStatus(admin, id, [2], 2)).toMatchObject([
      { id: 1, ends: '', status: 1, key_problem: expect.stringContaining('channel.keyUnreadable') },
      { id: 2, ends: '', status: 2 },
    ]);
    const refused = { code: 'channel.keyUnreadable' };
    await expect(services.channels.addKeys(admin, id, 'sk-three-of-the-keys')).rejects.toMatchObject(refused);
    await expect(services.channels.removeKeys(admin, id, [2])).rejects.toMatchObject(refused);
    expect((await services.channels.listKeys(admin, id)).map((key) => key.status)).toEqual([1, 2]);
    const row = await services.database.channels.findOne({ where: { id }, raw: true });
    expect(row?.key_encrypted).toBe('v1:damaged');
    await update({ id, key: 'sk-new-of-the-keys' });
    expect(await services.channels.listKeys(admin, id)).toEqual([
      { id: 3, ends: 'keys', status: 1, reason: '', time: 0 },
    ]);
  });

  it('serves each of its models in each of its groups, while it is enabled', async () => {
    const { id } = await create({ group: 'default,vip', priority: 3 });
    expect(await abilitiesOf(id)).toEqual([
      'default/gpt-4 on 3',
      'default/gpt-4o on 3',
      'vip/gpt-4 on 3',
      'vip/gpt-4o on 3',
    ]);
    await services.channels.setStatus(admin, [id], 2);
    expect((await abilitiesOf(id))[0]).toBe('default/gpt-4 off 3');
    await update({ id, models: 'o1', group: 'vip', priority: 0 });
    expect(await abilitiesOf(id)).toEqual(['vip/o1 off 0']);
    await update({ id, status: 1 });
    expect(await abilitiesOf(id)).toEqual(['vip/o1 on 0']);
    await services.channels.remove(admin, [id]);
    expect(await abilitiesOf(id)).toEqual([]);
  });

  it('is made once per key line, but a service account is one key', async () => {
    const three = await services.channels.create(admin, input({ key: ' sk-a\r\n\nsk-b \nsk-c\n' }));
    expect(await Promise.all(three.map(({ id }) => keyOf(id)))).toEqual(['sk-a', 'sk-b', 'sk-c']);
    const service = { type: 'service_account', project_id: 'p', client_email: 'a@p.example', private_key: 'x\ny' };
    const account = JSON.stringify(service, undefined, 2);
    const vertex = await create({ type: 41, key: account, other: 'us-central1' });
    expect(JSON.parse(await keyOf(vertex.id))).toEqual(service);
    await expect(create({ type: 41, key: 'plain', other: 'us-central1' })).rejects.toMatchObject({
      code: 'channel.keyNotAccount',
    });
    const express = await create({ type: 41, key: 'AIzaSyFixture-1', other: 'global' });
    expect(await keyOf(express.id)).toBe('AIzaSyFixture-1');
    await expect(create({ type: 41, key: account })).rejects.toMatchObject({ code: 'channel.regionNeeded' });
    await expect(create({ type: 41, key: account, other: '{"gpt":"x"}' })).rejects.toMatchObject({
      code: 'channel.regionNeeded',
    });
    await expect(create({ key: 'sk-a\rX-Evil: 1' })).rejects.toMatchObject({ code: 'channel.keyControl' });
    await expect(create({ key: '\n \n' })).rejects.toMatchObject({ code: 'channel.keyMissing' });
  });

  it('is not left half made when one of its keys is bad', async () => {
    const attempt = services.channels.create(admin, input({ key: 'sk-good\nsk-\u0007bad' }));
    await expect(attempt).rejects.toMatchObject({ code: 'channel.keyControl' });
    expect(await services.database.channels.count()).toBe(0);
  });

  it('gets the defaults of its type', async () => {
    expect((await create({ type: 3, base_url: 'https://mine.openai.azure.com/' })).other).toBe('2023-06-01-preview');
    await expect(create({ type: 3 })).rejects.toMatchObject({ code: 'channel.baseUrlNeeded' });
    expect((await create({ base_url: 'https://api.example.com/v1//' })).base_url).toBe('https://api.example.com/v1');
    const custom = await create({ type: 8, base_url: 'https://api.example.com/{model}/chat' });
    expect(custom.base_url).toBe('https://api.example.com/{model}/chat');
  });

  it.each([
    'file:///etc/passwd',
    'gopher://example.com',
    'https://user:pass@example.com',
    'https://example.com/#x',
    'http://169.254.169.254',
    'http://[::ffff:a9fe:a9fe]',
    'http://2852039166',
    'http://0xa9.254.169.254',
    'http://example.com.',
    'http://127.0.0.1:5432',
    'not a url',
  ])('is never pointed at %s', async (base_url) => {
    await expect(create({ base_url })).rejects.toMatchObject({ code: 'outbound.refused' });
  });

  it('may be pointed at a private address by root, and by an admin only where the operator listed it', async () => {
    const local = await create({ base_url: 'http://127.0.0.1:11434' });
    await expect(create({ base_url: 'http://127.0.0.1:11434' }, admin)).rejects.toMatchObject({
      code: 'outbound.refused',
    });
    await expect(create({ setting: '{"proxy":"socks5://127.0.0.1:1080"}' }, admin)).rejects.toMatchObject({
      code: 'outbound.refused',
    });
    expect((await create({ base_url: 'http://10.1.2.3' }, admin)).base_url).toBe('http://10.1.2.3');
    // Another path at the same place still rests on root's word; another place does not.
    expect((await update({ id: local.id, base_url: 'http://127.0.0.1:11434/v1' }, admin)).base_url).toBe(
      'http://127.0.0.1:11434/v1',
    );
    const moved = { id: local.id, base_url: 'http://127.0.0.1:8000', key: 'sk-known' };
    await expect(update(moved, admin)).rejects.toMatchObject({ code: 'outbound.refused' });
  });

  it('never sends its stored key to a new place', async () => {
    const { id } = await create({ base_url: 'https://api.example.com' });
    const moves = [
      { id, base_url: 'https://evil.example.com' },
      { id, base_url: '' },
      { id, base_url: 'http://api.example.com' },
      { id, type: 14 },
      { id, setting: '{"proxy":"http://evil.example.com:3128"}' },
    ];
    for (const move of moves) {
      await expect(update(move, admin)).rejects.toMatchObject({ code: 'channel.keyNeeded' });
      await expect(update({ ...move, confirmKeepKey: true }, admin)).rejects.toMatchObject({
        code: 'channel.keyNeeded',
      });
      await expect(update(move)).rejects.toMatchObject({ code: 'channel.keyNeeded' });
    }
    expect((await update({ id, base_url: 'https://new.example.com', key: 'sk-again' }, admin)).base_url).toBe(
      'https://new.example.com',
    );
    expect(await keyOf(id)).toBe('sk-again');
    await update({ id, base_url: 'https://third.example.com', confirmKeepKey: true });
    expect(await keyOf(id)).toBe('sk-again');
  });

  it('keeps what an edit leaves out or sends blank, and its counters', async () => {
    const { id } = await create({ tag: 't', test_model: 'gpt-4', model_mapping: '{"a":"b"}', weight: 7 });
    await services.database.channels.update({ used_quota: 99 }, { where: { id } });
    const same = await update({ id, name: '', key: '', models: '', group: '', type: 0, priority: '' });
    expect(same).toMatchObject({
      name: 'main',
      models: 'gpt-4o,gpt-4',
      group: 'default',
      type: 1,
      tag: 't',
      weight: 7,
    });
    expect(await keyOf(id)).toBe('sk-first-upstream-key');
    const cleared = await update({ id, tag: '', test_model: null, model_mapping: '', weight: 0, auto_ban: 0 });
    expect(cleared).toMatchObject({
      tag: null,
      test_model: null,
      model_mapping: '',
      weight: 0,
      auto_ban: 0,
      used_quota: 99,
    });
  });

  it('is found by id, a part of its name or its whole key, and filtered', async () => {
    const one = await create({ name: 'Alpha_1', priority: 1, group: 'default,vip' });
    const two = await create({ name: 'beta', key: 'sk-second-key', models: 'claude-3', group: 'vip2' });
    const ids = async (values: Record<string, unknown>) =>
      (await services.channels.list(admin, listOf(values))).items.map(({ id }) => id);
    expect(await ids({})).toEqual([one.id, two.id]);
    expect(await ids({ id_sort: true })).toEqual([two.id, one.id]);
    expect(await ids({ keyword: 'alpha_' })).toEqual([one.id]);
    expect(await ids({ keyword: '%' })).toEqual([]);
    expect(await ids({ keyword: String(two.id) })).toContain(two.id);
    expect(await ids({ keyword: 'sk-second-key' })).toEqual([two.id]);
    expect(await ids({ keyword: 'sk-second' })).toEqual([]);
    expect(await ids({ model: 'CLAUDE' })).toEqual([two.id]);
    expect(await ids({ group: 'vip' })).toEqual([one.id]);
    expect(await ids({ group: 'null' })).toHaveLength(2);
    await services.channels.setStatus(admin, [two.id], 2);
    expect(await ids({ status: 2 })).toEqual([two.id]);
    expect((await services.channels.find(admin, 'beta')).id).toBe(two.id);
    await create({ name: 'beta' });
    await expect(services.channels.find(admin, 'beta')).rejects.toMatchObject({ code: 'channel.nameAmbiguous' });
    await expect(services.channels.list(user, listOf())).rejects.toMatchObject({ code: 'permission.denied' });
  });

  it('is copied on the server with its key and without its past', async () => {
    const { id } = await create({ tag: 't', base_url: 'http://127.0.0.1:9999' });
    await services.database.channels.update({ used_quota: 5, balance: 3, response_time: 8 }, { where: { id } });
    const copy = await services.channels.copy(admin, id);
    expect(copy).toMatchObject({
      name: 'main_copy',
      tag: 't',
      base_url: 'http://127.0.0.1:9999',
      used_quota: 0,
      balance: 0,
      response_time: 0,
    });
    expect(await keyOf(copy.id)).toBe('sk-first-upstream-key');
    expect(await abilitiesOf(copy.id)).toHaveLength(2);
  });

  it('goes off by itself once when the option is on, and comes back on success', async () => {
    const { channels, options } = services;
    const { id } = await create();
    const failure = {
      message: 'Incorrect API key provided',
      coded: 'Incorrect API key provided',
      status: 401,
      disablesChannel: true,
    };
    expect(await channels.recordFailure(id, failure)).toBe(false);
    await options.set(systemActor, 'AutomaticDisableChannelEnabled', 'true');
    const harmless = { message: 'rate limited', coded: 'rate limited', status: 429, disablesChannel: false };
    expect(await channels.recordFailure(id, harmless)).toBe(false);
    const elsewhere = createChannelStateService({ ...services, store: createChannelStore(services) });
    const reports = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? channels : elsewhere).recordFailure(id, failure)),
    );
    reports.push(await elsewhere.recordFailure(id, failure));
    expect(reports.filter(Boolean)).toHaveLength(1);
    const off = await channels.get(admin, id);
    expect(off.status).toBe(3);
    expect(JSON.parse(off.other_info)).toEqual({
      status_reason: '401 Incorrect API key provided',
      status_time: expect.any(Number),
    });
    expect((await abilitiesOf(id))[0]).toContain('off');
    expect(await channels.recordSuccess(id)).toBe(false);
    await options.set(systemActor, 'AutomaticEnableChannelEnabled', 'true');
    expect(await channels.recordSuccess(id)).toBe(true);
    expect(await channels.get(admin, id)).toMatchObject({ status: 1, other_info: '' });
    expect((await abilitiesOf(id))[0]).toContain('on');
    expect(
      await services.database.audits.count({ where: { action: 'channel.autoDisable', object_id: String(id) } }),
    ).toBe(1);
    const keyword = {
      message: 'sorry: YOUR CREDIT BALANCE IS TOO LOW to go on',
      coded: 'sorry: YOUR CREDIT BALANCE IS TOO LOW to go on',
      status: 400,
      disablesChannel: false,
    };
    expect(await channels.recordFailure(id, keyword)).toBe(true);
    const stubborn = await create({ auto_ban: 0 });
    expect(await channels.recordFailure(stubborn.id, failure)).toBe(false);
  });

  it('that is off can be removed together with all others that are off', async () => {
    const [on, byHand, byItself] = [await create(), await create(), await create()];
    await services.channels.setStatus(admin, [byHand.id], 2);
    await services.database.channels.update({ status: 3 }, { where: { id: byItself.id } });
    expect(await services.channels.removeDisabled(admin)).toBe(2);
    expect((await services.channels.list(admin, listOf())).items.map(({ id }) => id)).toEqual([on.id]);
    expect(await abilitiesOf(byHand.id)).toEqual([]);
    await expect(services.channels.remove(admin, [on.id, 999])).rejects.toMatchObject({ code: 'object.notFound' });
  });

  it('has its abilities repaired: missing, wrong and orphaned ones', async () => {
    const [one, two] = [await create(), await create()];
    await services.database.abilities.destroy({ where: { channel_id: one.id } });
    await services.database.abilities.bulkCreate([{ group: 'x', model: 'y', channel_id: 999 }]);
    expect(await services.channels.fixAbilities(admin)).toBe(2);
    expect(await abilitiesOf(one.id)).toEqual(await abilitiesOf(two.id));
    expect(await abilitiesOf(999)).toEqual([]);
    expect(await services.channels.fixAbilities(admin)).toBe(0);
  });

  it('remembers when it was tested and how long that took', async () => {
    const { id } = await create();
    await services.channels.saveTestResult(id, 820.4);
    expect(await services.channels.get(admin, id)).toMatchObject({ response_time: 820, test_time: expect.any(Number) });
  });
});
