import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneSecondOfSilence } from '../../../support/sdk-calls.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json, sse } from '../../../support/upstream-script.ts';

let gateway: TestGateway;
let client: OpenAI;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.addChannel({ name: 'ear', models: 'gpt-4o-transcribe,whisper-1' });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});

async function transcribe(
  model: string,
  file = oneSecondOfSilence(),
  response: object = { usage: { type: 'duration', seconds: 1 } },
) {
  gateway.upstream.respond(json(200, { text: 'Hello', ...response }));
  await client.audio.transcriptions.create({ model, file: await toFile(file, 'voice') });
  return gateway.lastLog();
}

describe('a transcript of which the upstream reports no tokens', () => {
  it('is paid by audio tokens where the price list has the model by tokens', async () => {
    // 6 dollars for a million tokens of sound, 10 for a million of text: with 1 second of a minute about 0.006 / 60 dollars.
    const quota = 10 * 3 + 4 * 5;
    const other = { usage_source: 'measured', audio_input: 10 };
    expect(await transcribe('gpt-4o-transcribe')).toMatchObject({
      prompt_tokens: 10,
      completion_tokens: 4,
      quota,
      other,
    });
  });

  it.each([
    ['tokens', 1.25, { prompt_tokens: 10, completion_tokens: 4, quota: 50 }],
    ['minutes', 15, { prompt_tokens: 4, completion_tokens: 0, quota: 60 }],
  ])('is paid at a price of %s that the operator entered', async (_, ratio, expected) => {
    await gateway.setOption('ModelRatio', JSON.stringify({ 'gpt-4o-transcribe': ratio }));
    expect(await transcribe('gpt-4o-transcribe')).toMatchObject(expected);
    await gateway.setOption('ModelRatio', '{}');
  });

  it('is paid by the minute where that is its price', async () => {
    expect(await transcribe('whisper-1')).toMatchObject({ prompt_tokens: 4, completion_tokens: 0, quota: 60 });
  });
});

describe('sound in a format that is not read here', () => {
  // Taken for 12 seconds by its size, at 32 kbit/s.
  const amr = Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(47_994, 0x5a)]);
  const tokens = (seconds: number) => Math.ceil((seconds * 200) / 60);

  it.each([
    ['in its usage', { usage: { type: 'duration', seconds: 60 } }],
    ['as `verbose_json` has it', { duration: 60 }],
  ])('is paid by the length that the upstream tells %s', async (_, response) => {
    const log = await transcribe('whisper-1', amr, response);
    expect(log).toMatchObject({ prompt_tokens: 200, quota: 3000, other: { usage_source: 'upstream' } });
  });

  it('is paid by audio tokens for that length where that is its price', async () => {
    const log = await transcribe('gpt-4o-transcribe', amr, { usage: { type: 'duration', seconds: 60 } });
    expect(log).toMatchObject({ prompt_tokens: 600, completion_tokens: 200, other: { audio_input: 600 } });
  });

  it.each([[{}], [{ usage: { type: 'duration', seconds: -3 } }], [{ usage: { type: 'duration', seconds: 12_345 } }]])(
    'is paid by its size where the upstream tells %j',
    async (response) => {
      const log = await transcribe('whisper-1', amr, response);
      expect(log).toMatchObject({ prompt_tokens: tokens(12), other: { usage_source: 'measured' } });
    },
  );

  it('is paid by what the last event of a stream tells', async () => {
    const done = { type: 'transcript.text.done', text: 'Hello', usage: { type: 'duration', seconds: 30 } };
    gateway.upstream.respond(sse([{ type: 'transcript.text.delta', delta: 'Hello' }, done]));
    const file = await toFile(amr, 'voice');
    const events = await client.audio.transcriptions.create({ model: 'whisper-1', file, stream: true });
    for await (const _ of events);
    expect(await gateway.lastLog()).toMatchObject({ prompt_tokens: tokens(30), other: { usage_source: 'upstream' } });
  });
});

it('a length that is measured counts, whatever the upstream tells', async () => {
  const log = await transcribe('whisper-1', oneSecondOfSilence(), { usage: { type: 'duration', seconds: 8 } });
  expect(log).toMatchObject({ prompt_tokens: 4, other: { usage_source: 'measured' } });
});
