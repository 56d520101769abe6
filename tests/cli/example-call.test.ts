import { describe, expect, it } from 'vitest';
import { exampleCall } from '../../cli/first-run/example-call.ts';

describe('the first call that is shown to be copied', () => {
  it.each([
    ['text-embedding-3-small,dall-e-3,gpt-4o-mini', 'chat/completions', 'gpt-4o-mini'],
    ['BAAI/bge-m3,Qwen/Qwen2-7B-Instruct', 'chat/completions', 'Qwen/Qwen2-7B-Instruct'],
    ['black-forest-labs/FLUX.1-schnell,deepseek-chat', 'chat/completions', 'deepseek-chat'],
    ['gpt-3.5-turbo-instruct,gpt-4o', 'chat/completions', 'gpt-4o'],
    ['m3e-base,m3e-large', 'embeddings', 'm3e-base'],
    ['text-embedding-3-small,text-embedding-3-large', 'embeddings', 'text-embedding-3-small'],
  ])('of %s is one that the model can serve', (models, path, model) => {
    const call = exampleCall('http://127.0.0.1:3000/v1', models.split(','), 'sk-x');
    expect(call).toMatch(new RegExp(`^curl http://127\\.0\\.0\\.1:3000/v1/${path} `));
    const body = JSON.parse(call.slice(call.indexOf("'") + 1, -1)) as Record<string, unknown>;
    expect(body.model).toBe(model);
    expect(Object.keys(body)).toEqual(['model', path === 'embeddings' ? 'input' : 'messages']);
  });
});
