import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { chunked } from '../../../support/upstream-script.ts';
import { expectCharged } from '../relay-checks.ts';
import { done, says, stops, streamOf, uses } from '../responses.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.setOption('ModelRatio', JSON.stringify({ 'gpt-4o-mini': 1, 'gemini-own': 1 }));
  await gateway.addChannel({ name: 'google', type: 24, models: 'gemini-own' });
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

const part = (text: string, more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
});
const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 };
const streams: Record<string, readonly object[]> = {
  'gpt-4o-mini': [says('Hello'), says(' you'), stops, uses(3, 2)],
  'gemini-own': [part('Hello'), { ...part(' you', { finishReason: 'STOP' }), usageMetadata }],
};
/** As OpenRouter and DeepSeek keep a connection alive, and all else that an event stream may have beside its events. */
const comment = ': OPENROUTER PROCESSING\n\n';
const others = `: keep-alive\n\nretry: 100\n\nid: 7\n\nevent: ping\n\n`;

describe.each(Object.entries(streams))('a stream in one JSON array, of %s', (model, events) => {
  it('is JSON, whatever the upstream says between its events', async () => {
    const parts = [
      comment,
      ...events.flatMap((event) => [others, event, comment]),
      ...(model === 'gpt-4o-mini' ? [done] : []),
    ];
    for (const response of [streamOf(parts), chunked(streamOf(parts), 1), streamOf(parts, { delayMs: 5 })]) {
      gateway.upstream.respond(response);
      const reply = await gateway.call(`/v1beta/models/${model}:streamGenerateContent`, {
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      });
      const chunks = JSON.parse(await reply.text()) as ReturnType<typeof part>[];
      const text = chunks.map(({ candidates }) => candidates[0]?.content?.parts?.[0]?.text ?? '').join('');
      expect(text).toBe('Hello you');
      await expectCharged(gateway, { prompt: 3, completion: 2 });
    }
  });

  it('of events has the comments still', async () => {
    gateway.upstream.respond(streamOf([comment, ...events, ...(model === 'gpt-4o-mini' ? [done] : [])]));
    const reply = await gateway.call(`/v1beta/models/${model}:streamGenerateContent?alt=sse`, {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    });
    expect((await reply.text()).startsWith(comment)).toBe(true);
  });
});
