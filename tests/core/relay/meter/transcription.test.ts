import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneSecondOfSilence } from '../../../support/sdk-calls.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';

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

async function transcribe(model: string) {
  gateway.upstream.respond(json(200, { text: 'Hello', usage: { type: 'duration', seconds: 1 } }));
  await client.audio.transcriptions.create({ model, file: await toFile(oneSecondOfSilence(), 'voice.wav') });
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

  it('is paid by the minute where that is its price', async () => {
    expect(await transcribe('whisper-1')).toMatchObject({ prompt_tokens: 4, completion_tokens: 0, quota: 60 });
  });
});
