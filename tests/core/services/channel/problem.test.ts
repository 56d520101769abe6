import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isServed } from '../../../../core/providers/registry.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { channelListSchema, channelUpdateSchema } from '../../../../core/schemas/channel.ts';
import { channelTypes } from '../../../../core/schemas/channel-type-list.ts';
import { channelIn } from '../../../../core/services/channel/view.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = {
  type: 'service_account',
  project_id: 'p-1',
  client_email: 'a@p-1.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
};
const vertexKey = JSON.stringify(account);
const english = { 'accept-language': 'en' };

describe('a channel that cannot work', () => {
  let gateway: TestGateway;
  let root: ConsoleClient;

  beforeAll(async () => {
    gateway = await startGateway();
    root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
  });
  afterEach(async () => {
    for (const { id } of await list()) if (id > 1) await gateway.app.services.channels.remove(systemActor, [id]);
  });
  afterAll(() => gateway.stop());

  const list = async () =>
    (await gateway.app.services.channels.list(systemActor, channelListSchema.parse({ page_size: 100 }))).items;
  const form = { name: 'new', models: 'some-model', group: 'default' };

  const refusals: [string, Record<string, unknown>, RegExp, RegExp][] = [
    ['a type that is gone', { type: 11 }, /PaLM API was shut down .*type 24/, /PaLM.*类型 24/],
    ['no region', { type: 41, key: vertexKey }, /needs a region/, /区域/],
    ['a map of regions without default', { type: 41, key: vertexKey, other: '{"a":"b"}' }, /needs a region/, /区域/],
    ['an invalid region', { type: 41, key: vertexKey, other: 'somewhere/else' }, /needs a region/, /区域/],
    ['a Vertex key that is no JSON', { type: 41, key: 'plain', other: 'global' }, /service account/, /服务账号/],
    [
      'an account of another kind',
      { type: 41, key: '{"type":"authorized_user"}', other: 'global' },
      /must look like \{"type":"service_account"/,
      /密钥格式应为 \{"type":"service_account"/,
    ],
    [
      'a key of AWS in two parts',
      { type: 33, key: 'AKID|secret' },
      /must look like AccessKeyId\|SecretAccessKey\|Region/,
      /密钥格式应为 AccessKeyId\|SecretAccessKey\|Region/,
    ],
    ['an invalid AWS region', { type: 33, key: 'AKID|secret|nowhere' }, /must look like .*\|Region/, /格式应为/],
    [
      'one part of a key of Baidu',
      { type: 15, key: 'k' },
      /must look like APIKey\|SecretKey or/,
      /格式应为 APIKey\|SecretKey 或/,
    ],
    [
      'no kind of app of Dify',
      { type: 37, other: 'robot' },
      /other .*Dify must be chat, agent, completion/,
      /other 字段应为 chat/,
    ],
    ['no knowledge base', { type: 21 }, /need .*: Knowledge base ID/, /填写：知识库 ID/],
    ['no account of Cloudflare', { type: 39, key: 'k' }, /Cloudflare need .*: Account ID/, /Cloudflare.*Account ID/],
    ['no address of Azure', { type: 3, key: 'k' }, /need a base URL/, /API 地址/],
    [
      'an invalid version of Azure',
      { type: 3, key: 'k', base_url: 'https://a.example', other: 'a b' },
      /api-version/,
      /api-version/,
    ],
    ['one wrong key among many', { type: 33, key: 'AKID|secret|us-east-1\nAKID|secret' }, /must look like/, /格式应为/],
  ];

  it.each(refusals)('is refused before it is saved: %s', async (_what, fields, saysEnglish, saysChinese) => {
    const body = { ...form, key: 'k', ...fields };
    expect(await root.post('/api/channel/', body, english)).toMatchObject({
      success: false,
      message: expect.stringMatching(saysEnglish),
    });
    expect((await root.post('/api/channel/', body)).message).toMatch(saysChinese);
    expect(await list()).toHaveLength(1);
  });

  it.each(channelTypes.filter(({ number, isRetired }) => !isServed(number) && !isRetired))(
    'is refused before it is saved: type $number ($name), which nothing serves',
    async ({ number, label }) => {
      const body = { ...form, type: number, key: 'k', base_url: gateway.upstream.url };
      const { success, message } = await root.post('/api/channel/', body, english);
      expect([success, message]).toEqual([
        false,
        expect.stringContaining(`does not support channels of type ${label}`),
      ]);
    },
  );

  it('is refused when an edit would make it, and can be edited otherwise', async () => {
    const id = await gateway.addChannel({ type: 33, key: 'AKID|secret|us-east-1', name: 'aws' });
    const edit = (fields: object) =>
      gateway.app.services.channels.update(systemActor, channelUpdateSchema.parse({ id, ...fields }));
    await expect(edit({ key: 'AKID' })).rejects.toMatchObject({ code: 'channel.keyForm' });
    await expect(edit({ type: 41, other: 'global', confirmKeepKey: true })).rejects.toMatchObject({
      code: 'channel.keyNotAccount',
    });
    await gateway.app.database.channels.update({ type: 28 }, { where: { id } });
    expect(await edit({ name: 'renamed' })).toMatchObject({ name: 'renamed', type: 28 });
    expect(await gateway.app.services.channels.setStatus(systemActor, [id], 2)).toBe(1);
  });

  it('is marked where channels are listed and shown, in the language of the reader', async () => {
    const id = await gateway.addChannel({ type: 33, key: 'AKID|secret|us-east-1', name: 'aws' });
    const other = await gateway.addChannel({ name: 'old' });
    await gateway.app.database.channels.update({ type: 11 }, { where: { id } });
    await gateway.app.database.channels.update({ type: 41, other: 'global' }, { where: { id: other } });
    const found = Object.fromEntries((await list()).map((channel) => [channel.id, channelIn('en', channel).problem]));
    expect(found).toEqual({
      1: '',
      [id]: expect.stringContaining('the PaLM API was shut down'),
      [other]: expect.stringContaining('must look like {"type":"service_account"'),
    });
    const [zh] = (await root.data(root.get('/api/channel/?id_sort=true'))) as { problem: string }[];
    expect(zh?.problem).toMatch(/密钥格式应为/);
    expect((await root.data(root.get(`/api/channel/${id}`))).problem).toContain('PaLM API 已于');
  });

  it('does not advertise its models, on any list', async () => {
    const id = await gateway.addChannel({ name: 'tasks', models: 'mj_imagine,gpt-4o-mini' });
    await gateway.app.database.channels.update({ type: 28 }, { where: { id } });
    await gateway.gateway.refresh();
    const names = async (path: string, headers = {}) => {
      const text = await (await fetch(`${gateway.url}${path}`, { headers: { ...headers } })).text();
      return text.includes('gpt-4o-mini') ? text.includes('mj_imagine') : undefined;
    };
    const authorization = `Bearer ${gateway.key}`;
    expect(await names('/v1/models', { authorization })).toBe(false);
    expect(await names('/v1beta/models', { authorization })).toBe(false);
    expect(await names('/api/pricing')).toBe(false);
    const alice = createConsoleClient(gateway.url);
    await alice.signIn('alice', 'correct horse battery');
    expect(await alice.data(alice.get('/api/user/models'))).toEqual(['gpt-4o-mini']);
    expect(await root.data(root.get('/api/channel/models_enabled'))).toEqual(['gpt-4o-mini']);
    await gateway.app.database.channels.update({ type: 1 }, { where: { id } });
    await gateway.gateway.refresh();
    expect(await names('/v1/models', { authorization })).toBe(true);
    expect(await names('/api/pricing')).toBe(true);
  });
});
