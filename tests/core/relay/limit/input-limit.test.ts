import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openExplain } from '../../../../cli/explain/access.ts';
import { explainedCall } from '../../../../core/http/relay/explained-call.ts';
import { explanationView } from '../../../../core/relay/explain/explanation-view.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { channelUpdateSchema } from '../../../../core/schemas/channel.ts';
import { explainSchema } from '../../../../core/schemas/explain.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { expectRefused } from '../relay-checks.ts';

const long = 'word '.repeat(2000);
const messages = [{ role: 'user', content: long }];

describe('max_input_tokens of a channel', () => {
  let gateway: TestGateway;
  let first: number;
  let second: number;

  beforeAll(async () => {
    gateway = await startGateway('sqlite');
    first = 1;
    second = await gateway.addChannel({ name: 'second', priority: -1 });
  });
  afterEach(() => gateway.upstream.reset());
  afterAll(() => gateway.stop());

  async function limit(id: number, max_input_tokens: number): Promise<void> {
    await gateway.app.services.channels.update(systemActor, channelUpdateSchema.parse({ id, max_input_tokens }));
    await gateway.gateway.refresh();
  }

  const channelOfLast = async () => (await gateway.lastLog())?.channel_id;

  it('sends what is longer to another channel, and what fits to this one', async () => {
    await limit(first, 100);
    expect((await gateway.chat({ messages })).status).toBe(200);
    expect(await channelOfLast()).toBe(second);
    expect((await gateway.chat()).status).toBe(200);
    expect(await channelOfLast()).toBe(first);
    expect(gateway.upstream.requests).toHaveLength(2);
  });

  it('refuses with the figures what is too long for all of them, in the protocol of the client', async () => {
    await limit(second, 200);
    await expectRefused(gateway, () => gateway.chat({ messages }), {
      status: 400,
      code: 'context_length_exceeded',
      says: /about \d{4} tokens.*at most 200/,
    });
    const claude = { model: 'gpt-4o-mini', max_tokens: 10, messages };
    const response = await gateway.call('/v1/messages', claude);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining('at most 200') },
    });
    const google = { contents: [{ role: 'user', parts: [{ text: long }] }] };
    const gemini = await gateway.call('/v1beta/models/gpt-4o-mini:generateContent', google);
    expect(gemini.status).toBe(400);
    expect(await gemini.json()).toMatchObject({
      error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining('at most 200') },
    });
  });

  it('is said by explain', async () => {
    const explain = async () => {
      const run = await openExplain(gateway.app);
      const call = explainSchema.parse({ body: { model: 'gpt-4o-mini', messages } });
      return explanationView(await run(await explainedCall(call)), 'en');
    };
    await limit(second, 0);
    const view = await explain();
    const reasons = view.channels.find(({ id }) => id === first)?.reasons.map(({ message }) => message);
    expect(reasons?.[0]).toMatch(/the prompt is about \d{4} tokens, more than its max_input_tokens of 100/);
    expect(view).toMatchObject({ served: true, request: { channel_name: 'second' } });
    await limit(second, 200);
    const refused = await explain();
    expect(refused).toMatchObject({ served: false, refusals: [{ code: 'relay.promptTooLong' }] });
  });

  it('of 0 is not a limit', async () => {
    await limit(first, 0);
    expect((await gateway.chat({ messages })).status).toBe(200);
    expect(await channelOfLast()).toBe(first);
  });
});
