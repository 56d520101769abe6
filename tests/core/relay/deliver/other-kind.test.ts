import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { type FakeResponse, json } from '../../../support/upstream-script.ts';
import { expectCharged, openHolds } from '../relay-checks.ts';
import { done, says, stops, streamOf, uses } from '../responses.ts';

const models = ['rerank-v3', 'embedding-001', 'text-embedding-3-small', 'omni-moderation-latest', 'tts-1', 'whisper-1'];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.setOption('ModelRatio', JSON.stringify(Object.fromEntries(models.map((name) => [name, 1]))));
  await gateway.addChannel({ name: 'all', models: models.join(',') });
});
afterEach(() => {
  gateway.upstream.reset();
  for (const id of [1, 2]) gateway.gateway.relay.breaker.succeed(id);
});
afterAll(() => gateway.stop());

function transcribe(path = 'transcriptions'): Promise<Response> {
  const body = new FormData();
  body.append('model', 'whisper-1');
  body.append('response_format', 'text');
  body.append('file', new Blob([Buffer.alloc(40_000, 'x')]), 'a.mp3');
  const headers = { authorization: `Bearer ${gateway.key}` };
  return fetch(`${gateway.url}/v1/audio/${path}`, { method: 'POST', headers, body });
}
const documents = { query: 'q', documents: ['a', 'b'] };
const calls: Record<string, () => Promise<Response>> = {
  rerank: () => gateway.call('/v1/rerank', { model: 'rerank-v3', ...documents }),
  'a rerank of Cohere’s SDK': () => gateway.call('/v2/rerank', { model: 'rerank-v3', ...documents }),
  embeddings: () => gateway.call('/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' }),
  'an embedding of Google’s SDK': () =>
    gateway.call('/v1beta/models/embedding-001:embedContent', { content: { parts: [{ text: 'hi' }] } }),
  moderation: () => gateway.call('/v1/moderations', { model: 'omni-moderation-latest', input: 'hi' }),
  speech: () => gateway.call('/v1/audio/speech', { model: 'tts-1', input: 'hello you', voice: 'alloy' }),
  transcription: () => transcribe(),
  translation: () => transcribe('translations'),
};

const typed = (type: string | undefined, text: string): FakeResponse => ({
  status: 200,
  headers: type === undefined ? {} : { 'content-type': type },
  body: Buffer.from(text),
});
const stream = streamOf([says('hi'), stops, uses(3, 1), done]);
/** Nothing that any of the calls above could have for a response. */
const others: [string, FakeResponse][] = [
  ['a web page without a type', typed(undefined, '\n<!DOCTYPE html>\n<html><title>Sign in</title></html>')],
  ['a web page that calls itself bytes', typed('application/octet-stream', '<html>Sign in</html>')],
  ['an empty object', json(200, {})],
  ['an empty object without a type', typed(undefined, '{}')],
  ['an error in words of its own', json(200, { detail: 'Not enough credit' })],
  ['null', json(200, 'null')],
  ['a stream that was not asked for', stream],
];

async function expectFree(call: () => Promise<Response>, response: FakeResponse): Promise<void> {
  const balance = await gateway.quotaOf(gateway.userId);
  gateway.upstream.always(response);
  const { status } = await call();
  expect(status).toBe(502);
  expect(await gateway.quotaOf(gateway.userId)).toBe(balance);
  expect(await openHolds(gateway)).toBe(0);
}

describe.each(Object.entries(calls))('%s that gets', (name, call) => {
  it.each(others)('%s is refused and costs nothing', async (_what, response) => {
    await expectFree(call, response);
  });

  it.skipIf(name === 'transcription' || name === 'translation')('a line of text is refused, too', async () => {
    await expectFree(call, typed('text/plain', 'no healthy upstream'));
  });
});

describe('a response that is what was asked for, under another name,', () => {
  it.each([
    ['transcription', typed('text/plain; charset=utf-8', 'Hello.\n'), 'Hello.\n'],
    ['transcription', typed('application/octet-stream', 'Hello.'), 'Hello.'],
    ['transcription', json(200, { text: '' }), '{"text":""}'],
    ['moderation', typed('text/plain', '{"results":[]}'), '{"results":[]}'],
    ['rerank', typed(undefined, ' {"results":[]}'), '{"model":"rerank-v3","results":[]}'],
  ])('passes: %s', async (name, response, expected) => {
    gateway.upstream.respond(response);
    const reply = await calls[name]?.();
    expect([reply?.status, await reply?.text()]).toEqual([200, expected]);
    await expectCharged(gateway);
  });

  it('passes: speech that calls itself text', async () => {
    const sound = Buffer.from([0xff, 0xf3, 0x84, 0xc4, 0, 0, 0, 0xff]);
    gateway.upstream.respond({ status: 200, headers: { 'content-type': 'text/plain' }, body: sound });
    const reply = await calls.speech?.();
    expect(Buffer.from((await reply?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(sound);
  });
});
