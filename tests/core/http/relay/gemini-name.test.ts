import { GoogleGenAI } from '@google/genai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';

const names = [
  'gpt-4o-mini',
  'maker/model-1',
  'accounts/fireworks/models/llama-v3',
  'llama3:8b',
  'models/odd',
  'tunedModels/mine',
  '\u6a21\u578b 1',
];

let gateway: TestGateway;
let google: GoogleGenAI;
beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.setOption('ModelRatio', JSON.stringify(Object.fromEntries(names.map((name) => [name, 1]))));
  await gateway.addChannel({ name: 'all', models: names.join(',') });
  google = new GoogleGenAI({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.url } });
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

const asked = () => gateway.upstream.requests.map(({ json }) => (json as { model: string }).model);
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];

describe('a model in a path of Google’s', () => {
  // The SDK takes these two beginnings for its own folders.
  it.each(names.filter((name) => !/^(models|tunedModels)\//.test(name)))(
    'is the one that its SDK names: %s',
    async (model) => {
      expect((await google.models.generateContent({ model, contents })).text).toContain('Hello');
      let text = '';
      for await (const chunk of await google.models.generateContentStream({ model, contents })) text += chunk.text;
      expect(text).toContain('Hello');
      expect((await google.models.countTokens({ model, contents })).totalTokens).toBeGreaterThan(0);
      expect(asked()).toEqual([model, model]);
      expect((await gateway.lastLog())?.model_name).toBe(model);
      expect((await google.models.get({ model })).name).toBe(`models/${model}`);
    },
  );

  it.each([
    ['/v1beta/models/accounts%2Ffireworks%2Fmodels%2Fllama-v3', 'accounts/fireworks/models/llama-v3'],
    ['/v1/models/accounts/fireworks/models/llama-v3', 'accounts/fireworks/models/llama-v3'],
    ['/v1beta1/projects/p/locations/l/publishers/google/models/maker/model-1', 'maker/model-1'],
    ['/v1/publishers/fireworks/models/accounts/fireworks/models/llama-v3', 'accounts/fireworks/models/llama-v3'],
    ['/v1beta/models/models/odd', 'models/odd'],
    ['/v1beta/tunedModels/mine', 'tunedModels/mine'],
    ['/v1beta/maker/model-1', 'maker/model-1'],
    ['/v1beta/models/llama3:8b', 'llama3:8b'],
  ])('is read from %s', async (path, model) => {
    const response = await gateway.call(`${path}:generateContent`, { contents });
    expect([response.status, asked()]).toEqual([200, [model]]);
  });
});
