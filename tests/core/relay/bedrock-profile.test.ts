import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { expectedSignature, type FakeCloud, sendJson, startFakeCloud } from './fake-cloud.ts';
import { expectCharged } from './relay-checks.ts';

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  stop_reason: 'end_turn',
  usage: { input_tokens: 9, output_tokens: 5 },
  content: [{ type: 'text', text: 'Hello' }],
};
const refusals = {
  unknown: 'The provided model identifier is invalid.',
  bare: 'Invocation of model ID anthropic.x with on-demand throughput isn’t supported. Retry with an inference profile.',
};
const arn = 'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/ab12cd34';

let gateway: TestGateway;
let bedrock: FakeCloud;
/** What the region serves: the start of a model's id. */
let served = ['global.'];
/** Another reason to refuse everything. */
let refusal: string | undefined;

const idOf = (path: string) => decodeURIComponent(path.split('/')[2] ?? '');
const asked = () => bedrock.calls.map(({ path }) => idOf(path));

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('SelfUseModeEnabled', 'true');
  bedrock = await startFakeCloud((call, response) => {
    if (call.headers.authorization?.split('Signature=')[1] !== expectedSignature(call, secret)) {
      const type = { 'x-amzn-errortype': 'InvalidSignatureException:http://internal/' };
      return sendJson(response, { message: 'The request signature we calculated does not match' }, 403, type);
    }
    const id = idOf(call.path);
    const refused = refusal ?? (id.startsWith('anthropic.') ? refusals.bare : refusals.unknown);
    const isServed = refusal === undefined && served.some((start) => id.startsWith(start));
    if (isServed) return sendJson(response, message);
    sendJson(response, { message: refused }, 400, { 'x-amzn-errortype': 'ValidationException:http://internal/' });
  });
  const bedrockChannel = (name: string, models: string, more: object = {}) =>
    gateway.addChannel({
      type: 33,
      name,
      models,
      base_url: bedrock.url,
      key: `AKIDEXAMPLE|${secret}|eu-west-1`,
      ...more,
    });
  await bedrockChannel(
    'europe',
    'claude-sonnet-4-5-20250929,claude-opus-4-6,claude-opus-4-5-20251101,claude-sonnet-4-6',
  );
  await bedrockChannel('fixed', 'claude-haiku-4-5-20251001', { setting: '{"inference_profile":"eu"}' });
  await bedrockChannel('own', 'team-claude', { model_mapping: JSON.stringify({ 'team-claude': arn }) });
});
afterAll(async () => {
  await gateway?.stop();
  await bedrock?.close();
});
beforeEach(() => {
  bedrock.calls.length = 0;
  served = ['global.'];
  refusal = undefined;
});

describe('a model that the profile of the region does not reach', () => {
  const model = 'claude-sonnet-4-5-20250929';
  const id = 'anthropic.claude-sonnet-4-5-20250929-v1:0';

  it('is called through the global profile, signed again, and charged once', async () => {
    expect((await gateway.chat({ model })).status).toBe(200);
    expect(asked()).toEqual([`eu.${id}`, `global.${id}`]);
    const row = await expectCharged(gateway, { prompt: 9, completion: 5 });
    expect(row.other.admin_info).toMatchObject({ attempts: [{ outcome: 'ok' }] });
  });

  it('is called through that profile at once the next time', async () => {
    await (await gateway.chat({ model })).text();
    expect(asked()).toEqual([`global.${id}`]);
  });

  it('is found again when the ways to it change', async () => {
    served = ['eu.'];
    expect((await gateway.chat({ model })).status).toBe(200);
    expect(asked()).toEqual([`global.${id}`, `eu.${id}`]);
  });

  it('is called by its own ID when neither profile reaches it', async () => {
    served = ['anthropic.'];
    expect((await gateway.chat({ model: 'claude-opus-4-6' })).status).toBe(200);
    const own = 'anthropic.claude-opus-4-6-v1';
    expect(asked()).toEqual([`eu.${own}`, `global.${own}`, own]);
  });

  it('fails with what Bedrock said when nothing reaches it, and is asked for three times at most', async () => {
    served = [];
    const response = await gateway.chat({ model: 'claude-sonnet-4-6' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('on-demand throughput');
    expect(bedrock.calls).toHaveLength(3);
  });

  it('is not asked for again for any other refusal', async () => {
    refusal = 'max_tokens: must be positive';
    expect((await gateway.chat({ model: 'claude-opus-4-5-20251101' })).status).toBe(400);
    expect(bedrock.calls).toHaveLength(1);
  });

  it('stays within the profile that the channel names', async () => {
    expect((await gateway.chat({ model: 'claude-haiku-4-5-20251001' })).ok).toBe(false);
    expect(asked()).toEqual(['eu.anthropic.claude-haiku-4-5-20251001-v1:0']);
  });
});

describe('an application inference profile', () => {
  it('is called by its ARN, as one segment of the address', async () => {
    served = ['arn:'];
    expect((await gateway.chat({ model: 'team-claude' })).status).toBe(200);
    expect(bedrock.calls.map(({ path }) => path)).toEqual([`/model/${encodeURIComponent(arn)}/invoke`]);
  });

  it('has no other way', async () => {
    expect((await gateway.chat({ model: 'team-claude' })).ok).toBe(false);
    expect(asked()).toEqual([arn]);
  });
});
