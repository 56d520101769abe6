import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { sse } from '../../../support/upstream-script.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway('sqlite', {}, { limits: { idleMs: 400, progressMs: 800 } });
  await gateway.setOption('SelfUseModeEnabled', 'true');
  await gateway.addChannel({ type: 24, name: 'first', models: 'gemini-3-flash', priority: 9 });
  await gateway.addChannel({ type: 24, name: 'next', models: 'gemini-3-flash' });
});
afterEach(() => gateway.upstream.reset());
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});

const says = (...parts: object[]) => ({ candidates: [{ content: { role: 'model', parts }, index: 0 }] });
const thought = (text: string) => ({ text, thought: true });
const last = {
  candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 2, totalTokenCount: 9 },
};

interface Chunk {
  candidates: { content: { parts: { text: string; thought?: boolean }[] } }[];
}

it.each([
  ['a thought', [says(thought('Hm, '))], 'Hm, so. '],
  ['two thoughts', [says(thought('Hm, ')), says(thought('so. '))], 'Hm, so. '],
  ['a text', [says(thought('Hm, ')), says(thought('so. ')), says({ text: 'One ' })], 'Hm, so. '],
])(
  'a stream in one array that breaks off after %s is one array when another upstream goes on with it',
  async (_what, begun, thinking) => {
    const whole = [says(thought('Hm, ')), says(thought('so. ')), says({ text: 'One ' }), says({ text: 'two.' }), last];
    gateway.upstream.respond(sse(begun), sse(whole));
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
    const response = await gateway.call('/v1beta/models/gemini-3-flash:streamGenerateContent', body);
    const text = await response.text();
    const chunks = JSON.parse(text) as Chunk[];
    const parts = chunks.flatMap(({ candidates }) => candidates.flatMap(({ content }) => content.parts));
    const wordsOf = (isThought: boolean) =>
      parts.map((part) => (part.thought === isThought || (!isThought && !part.thought) ? part.text : '')).join('');
    expect(wordsOf(true)).toBe(thinking);
    expect(wordsOf(false)).toBe('One two.');
    expect(gateway.upstream.requests).toHaveLength(2);
  },
);
