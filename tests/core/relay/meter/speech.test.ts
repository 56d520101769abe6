import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { sse } from '../../../support/upstream-script.ts';

let gateway: TestGateway;
let client: OpenAI;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.addChannel({ name: 'voice', models: 'gpt-4o-mini-tts,tts-1' });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
});
afterEach(() => gateway.upstream.reset());
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});

/** 12 dollars for a million tokens of sound, 0.6 for a million of text. */
const soundRate = 6;
const textRate = 0.3;
/** 150 letters are ten seconds. */
const tenSeconds = 'fifteen letters'.repeat(10);

async function speak(more: Partial<OpenAI.Audio.SpeechCreateParams> = {}) {
  const asked = { model: 'gpt-4o-mini-tts', voice: 'alloy', input: tenSeconds, ...more };
  await (await client.audio.speech.create(asked)).arrayBuffer();
  return gateway.lastLog();
}

describe('speech of a model that the price list has by tokens, of which the upstream reports none', () => {
  it('is paid by the length of its sound, not by characters at the price of text', async () => {
    const log = await speak();
    expect(log).toMatchObject({ completion_tokens: 200, other: { usage_source: 'measured', audio_output: 200 } });
    expect(log?.prompt_tokens).toBeGreaterThan(30);
    expect(log?.quota).toBe(Math.round(200 * soundRate + (log?.prompt_tokens ?? 0) * textRate));
  });

  it('is longer for signs that are syllables, and shorter when it is spoken faster', async () => {
    expect(await speak({ input: '你好'.repeat(25) })).toMatchObject({ completion_tokens: 200 });
    expect(await speak({ speed: 2 })).toMatchObject({ completion_tokens: 100 });
  });

  it('is paid as reported where it is', async () => {
    const usage = { input_tokens: 5, output_tokens: 40, total_tokens: 45 };
    gateway.upstream.respond(
      sse([
        { type: 'speech.audio.delta', audio: 'AAAA' },
        { type: 'speech.audio.done', usage },
      ]),
    );
    const log = await speak({ stream_format: 'sse' });
    expect(log).toMatchObject({ prompt_tokens: 5, completion_tokens: 40, other: { usage_source: 'upstream' } });
  });

  it('leaves what is sold by characters alone: a model of the built-in prices, and a price of the operator', async () => {
    const byCharacter = { prompt_tokens: 150, completion_tokens: 0 };
    expect(await speak({ model: 'tts-1' })).toMatchObject({ ...byCharacter, quota: 1125 });
    await gateway.setOption('ModelRatio', JSON.stringify({ 'gpt-4o-mini-tts': 6 }));
    expect(await speak()).toMatchObject({ ...byCharacter, quota: 900 });
    // Entered as dollars of input, the price of output stays beside it and is the lower one.
    await gateway.setOption('CompletionRatio', JSON.stringify({ 'gpt-4o-mini-tts': 0.8 }));
    await gateway.setOption('ModelRatio', JSON.stringify({ 'gpt-4o-mini-tts': 7.5 }));
    expect(await speak()).toMatchObject({ ...byCharacter, quota: 1125 });
  });

  it('is paid by its length at a price of tokens from a sync or of the operator, too', async () => {
    // As LiteLLM has it: 2.5 dollars for a million tokens of text, 10 for what comes out.
    await gateway.setOption('ModelRatio', JSON.stringify({ 'gpt-4o-mini-tts': 1.25 }));
    await gateway.setOption('CompletionRatio', JSON.stringify({ 'gpt-4o-mini-tts': 4 }));
    const log = await speak();
    expect(log).toMatchObject({ completion_tokens: 200, other: { usage_source: 'measured' } });
    expect(log?.quota).toBe(Math.round(200 * 5 + (log?.prompt_tokens ?? 0) * 1.25));
  });
});
