import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aiClient } from '../../../support/matrix/client-ai.ts';
import { anthropicClient } from '../../../support/matrix/client-anthropic.ts';
import { geminiClient } from '../../../support/matrix/client-gemini.ts';
import { openaiChatClient } from '../../../support/matrix/client-openai.ts';
import { openaiResponsesClient } from '../../../support/matrix/client-responses.ts';
import { upstreamNames } from '../../../support/matrix/features.ts';
import { type Stage, setStage } from '../../../support/matrix/run-matrix.ts';
import { upstreamKinds } from '../../../support/matrix/upstreams.ts';
import { expectCharged } from '../relay-checks.ts';

const clients = [
  openaiChatClient,
  openaiResponsesClient,
  anthropicClient,
  geminiClient,
  aiClient('openaiChat'),
  aiClient('openaiResponses'),
  aiClient('anthropic'),
  aiClient('google'),
];
const usage = { prompt: 1000, cached: 600, written: 0, completion: 300, reasoning: 100 };

describe('a call on one upstream (M7)', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await setStage(openaiChatClient);
    // Prices that no vendor has, each of which shows in the sum.
    const models = upstreamNames.map((name) => upstreamKinds[name].model);
    const ratios = (value: number) => JSON.stringify(Object.fromEntries(models.map((model) => [model, value])));
    await stage.gateway.setOption('ModelRatio', ratios(3));
    await stage.gateway.setOption('CompletionRatio', ratios(5));
    await stage.gateway.setOption('CacheRatio', ratios(0.1));
  });
  afterEach(() => stage.upstream.reset());
  afterAll(() => stage.gateway.stop());

  it.each(upstreamNames)('costs the same through every client, plain and streamed: %s', async (upstream) => {
    const { model } = upstreamKinds[upstream];
    const { url, key } = stage.gateway;
    for (const create of clients) {
      for (const stream of [false, true]) {
        stage.upstream.say({ parts: [{ text: 'Hello from upstream.' }], finish: 'stop', usage });
        await create({ url, key }).ask({ model, stream, turns: [{ user: [{ text: 'Hi' }] }] });
        const row = await expectCharged(stage.gateway, { prompt: 1000, cachedRead: 600, completion: 300 });
        // (400 + 600 x 0.1 + 300 x 5) x 3
        expect([row.model_name, row.quota]).toEqual([model, 5880]);
      }
    }
  });
});
