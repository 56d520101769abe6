import { describe, expect, it } from 'vitest';
import { send } from './call.ts';

describe('an embedding at Jina', () => {
  const embed = (body: Record<string, unknown>) =>
    send(38, { model: 'jina-embeddings-v3', ...body }, { protocol: 'openai-embedding' }).body;

  it('keeps its task and pictures, and has its own word for packed numbers', () => {
    const input = [{ text: 'a' }, { image: 'https://a.example/b.png' }];
    expect(embed({ input, task: 'text-matching', late_chunking: true, encoding_format: 'base64', user: 'me' })).toEqual(
      {
        model: 'jina-embeddings-v3',
        input,
        task: 'text-matching',
        late_chunking: true,
        embedding_type: 'base64',
      },
    );
    expect(embed({ input: 'a', encoding_format: 'float' })).toEqual({ model: 'jina-embeddings-v3', input: 'a' });
  });

  it('is refused for tokens of another vocabulary', () => {
    expect(() => embed({ input: [1, 2] })).toThrow(/token ids/);
    expect(() => embed({ input: [[1, 2]] })).toThrow(/token ids/);
  });
});

describe('pictures of SiliconCloud', () => {
  const draw = (body: Record<string, unknown>) =>
    send(40, { model: 'flux', prompt: 'a cat', ...body }, { protocol: 'openai-image', now: 1_700_000_000_999 });

  it('are asked for in its words', () => {
    expect(
      draw({ n: 2, size: '512x1024', quality: 'hd', style: 'vivid', seed: 7, negative_prompt: 'dogs' }).body,
    ).toEqual({
      model: 'flux',
      prompt: 'a cat',
      batch_size: 2,
      image_size: '512x1024',
      seed: 7,
      negative_prompt: 'dogs',
    });
    expect(draw({ size: 'auto', response_format: 'url' }).body).toEqual({ model: 'flux', prompt: 'a cat' });
  });

  it.each([{ n: 5 }, { stream: true }])('are refused for %o', (body) => {
    expect(() => draw(body)).toThrow(/SiliconCloud/);
  });

  it('come in OpenAI’s list, however they are named', () => {
    const { readResponse } = draw({});
    const written = { created: 1_700_000_000, data: [{ url: 'https://a/' }] };
    expect(readResponse?.({ images: [{ url: 'https://a/' }], seed: 1 })).toEqual(written);
    expect(readResponse?.({ data: [{ url: 'https://a/' }] })).toEqual(written);
    expect(() => readResponse?.({ images: [] })).toThrow(/no image/);
  });
});
