import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAuthorizer } from '../../../../core/integrations/credential/authorizer.ts';
import { createOutbound } from '../../../../core/integrations/outbound/outbound.ts';
import { defaultModelSettings } from '../../../../core/providers/model-setting.ts';
import { createProbe } from '../../../../core/relay/probe/probe.ts';
import { channelTypeOf } from '../../../../core/schemas/channel-type.ts';
import type { RoutedChannel } from '../../../../core/services/routing.ts';
import { type FakeUpstream, startFakeUpstream } from '../../../support/fake-upstream.ts';
import { json } from '../../../support/upstream-script.ts';

describe('probe', () => {
  let upstream: FakeUpstream;
  const outbound = createOutbound({ rules: { upstreamPrivate: [], closedEndpoints: [] } });
  const saved: { id: number; ms: number | undefined }[] = [];
  const probe = createProbe({
    outbound,
    authorizer: createAuthorizer({ outbound }),
    modelSettings: () => defaultModelSettings,
    proxy: undefined,
    saveTestResult: async (id, ms) => void saved.push({ id, ms }),
  });

  beforeAll(async () => {
    upstream = await startFakeUpstream();
  });
  afterEach(() => upstream.reset());
  afterAll(async () => {
    await outbound.close();
    await upstream.close();
  });

  const channel = (fields: Partial<RoutedChannel> = {}): RoutedChannel => ({
    id: 7,
    type: 1,
    key: 'upstream-key-123',
    base_url: upstream.url,
    other: '',
    openai_organization: '',
    setting: {},
    name: 'main',
    tag: '',
    priority: 0,
    weight: 0,
    auto_ban: true,
    modelMapping: new Map(),
    statusMapping: new Map(),
    paramOverride: new Map(),
    privateAllowed: true,
    models: ['gpt-4o-mini', 'gpt-4o'],
    testModel: '',
    maxInputTokens: 0,
    streamOptionsRefusedAt: 0,
    keyId: 0,
    keyLabel: '',
    pool: undefined,
    ...fields,
  });

  it('sends one tiny call with the first model and notes the time', async () => {
    const result = await probe.test(channel());
    expect(result).toMatchObject({ ok: true, model: 'gpt-4o-mini', reason: '' });
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]?.json).toEqual({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 10,
    });
    expect(saved.at(-1)).toEqual({ id: 7, ms: result.ms });
  });

  it('prefers the model asked for, then the test model, and maps it as calls do', async () => {
    const mapped = channel({ testModel: 'mine', modelMapping: new Map([['mine', 'gpt-4o']]) });
    expect((await probe.test(mapped)).model).toBe('mine');
    expect(upstream.requests.at(-1)?.json).toMatchObject({ model: 'gpt-4o' });
    await probe.test(mapped, 'o3-mini');
    expect(upstream.requests.at(-1)?.json).toMatchObject({ model: 'o3-mini', max_completion_tokens: 16 });
    await probe.test(mapped, 'text-embedding-3-small');
    expect(upstream.requests.at(-1)?.path).toBe('/v1/embeddings');
  });

  it('sends what the channel overrides', async () => {
    await probe.test(channel({ paramOverride: new Map([['temperature', '0.5']]) }));
    expect(upstream.requests.at(-1)?.json).toMatchObject({ temperature: 0.5 });
  });

  it('tells what the upstream refused, without the key', async () => {
    upstream.respond(json(401, { error: { message: 'no such key upstream-key-123', code: 'invalid_api_key' } }));
    const refused = await probe.test(channel());
    expect(refused.ok).toBe(false);
    expect(refused.error?.disablesChannel).toBe(true);
    expect(refused.reason).not.toContain('upstream-key-123');
    expect(saved.at(-1)).toEqual({ id: 7, ms: undefined });
  });

  it('takes an error inside a response for an error, and a page for no response', async () => {
    upstream.respond(json(200, { error: { message: 'out of credit', type: 'insufficient_quota' } }));
    expect((await probe.test(channel())).ok).toBe(false);
    upstream.respond({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<html>welcome</html>'),
    });
    expect((await probe.test(channel())).ok).toBe(false);
  });

  it('reports an upstream that does not exist, and kinds it must not try', async () => {
    expect(await probe.test(channel({ base_url: 'http://127.0.0.1:1' }))).toMatchObject({ ok: false });
    expect((await probe.test(channel({ type: 9999 }))).reason).toContain('9999');
    expect(upstream.requests).toHaveLength(0);
  });

  it.each([2, 5, 36])(
    'G-275 G-297 refuses to try type %d, whose jobs cost money, in words that say so',
    async (type) => {
      const label = channelTypeOf(type)?.label ?? '';
      const { ok, error } = await probe.test(channel({ type }));
      expect(ok).toBe(false);
      expect(error?.cause).toMatchObject({ code: 'channel.untestable', details: { channelType: label } });
      const target = { ...channel({ type }), key: 'k' };
      await expect(probe.models(target, { privateAllowed: true })).rejects.toMatchObject({
        code: 'channel.noModelList',
      });
      await expect(probe.balance(target, { privateAllowed: true }, 7)).rejects.toMatchObject({
        code: 'channel.noBalance',
      });
      expect(upstream.requests).toHaveLength(0);
    },
  );

  it('reads the models an upstream serves, or says why not', async () => {
    const plain = { id: 0, other: '', openai_organization: 'org-9', setting: {} };
    const target = { ...plain, type: 1, key: 'upstream-key-123', base_url: upstream.url };
    expect(await probe.models(target, { privateAllowed: true })).toContain('gpt-4o-mini');
    expect(upstream.requests.at(-1)?.headers['openai-organization']).toBe('org-9');
    upstream.respond(json(401, { error: { message: 'no such key upstream-key-123' } }));
    const refusal = await probe.models(target, { privateAllowed: true }).catch((error: Error) => error.message);
    expect(refusal).toContain('401');
    expect(refusal).not.toContain('upstream-key-123');
    upstream.respond(json(200, { data: [] }));
    await expect(probe.models(target, { privateAllowed: true })).rejects.toThrow('does not provide a model list');
  });
});
