import { describe, expect, it } from 'vitest';
import { fromOpenAiEmbedding, toOpenAiEmbedding } from '../../../../core/wire/gemini-embedding/convert.ts';
import { geminiBatchEmbedding, geminiEmbedding } from '../../../../core/wire/gemini-embedding/index.ts';
import { fieldsOf } from '../fields.ts';

const text = (words: string) => ({ parts: [{ text: words }] });
const single = { content: text('hello'), taskType: 'RETRIEVAL_QUERY', outputDimensionality: 2 };
const batch = {
  requests: [
    { model: 'models/x', content: text('one') },
    { model: 'models/x', content: text('two') },
  ],
};

describe('a Gemini embedding call', () => {
  it('has its model from the path, and asks for no completion', () => {
    expect(geminiEmbedding.parse(fieldsOf(single), 'embed-x')).toMatchObject({ model: 'embed-x', maxCompletion: 0 });
    expect(geminiBatchEmbedding.parse(fieldsOf(batch), 'embed-x')).toMatchObject({ model: 'embed-x', stream: false });
  });

  it.each([
    [geminiEmbedding, {}, 'content'],
    [geminiEmbedding, { content: 5 }, 'content'],
    [geminiEmbedding, { content: { parts: [] } }, 'content.parts'],
    [geminiEmbedding, { content: { parts: [{ text: 1 }] } }, 'content.parts.0.text'],
    [geminiEmbedding, { content: text('a'), outputDimensionality: 0 }, 'outputDimensionality'],
    [geminiBatchEmbedding, {}, 'requests'],
    [geminiBatchEmbedding, { requests: [] }, 'requests'],
    [geminiBatchEmbedding, { requests: [5] }, 'requests.0'],
    [geminiBatchEmbedding, { requests: [{}] }, 'requests.0.content'],
  ])('is refused by the name of the wrong field (%#)', (protocol, body, param) => {
    expect(() => {
      protocol.parse(fieldsOf(body), 'embed-x');
      protocol.checkBody?.(body);
    }).toThrow(expect.objectContaining({ status: 400, param }));
  });

  it('is paid by the upstream’s count, where it says one', () => {
    expect(geminiEmbedding.readUsage({ embedding: {}, usageMetadata: { promptTokenCount: 7 } })?.prompt).toBe(7);
    expect(geminiEmbedding.readUsage({ embedding: {} })).toBeUndefined();
    expect(geminiEmbedding.readUsage({ usageMetadata: { promptTokenCount: -7 } })).toBeUndefined();
  });
});

describe('a Gemini embedding call at an OpenAI upstream', () => {
  it('keeps text and length, and names the hint it loses', () => {
    expect(toOpenAiEmbedding(single, 'm')).toEqual({
      body: { model: 'm', input: 'hello', dimensions: 2 },
      losses: [{ field: 'taskType', kind: 'dropped' }],
    });
    expect(toOpenAiEmbedding(batch, 'm')).toEqual({ body: { model: 'm', input: ['one', 'two'] }, losses: [] });
  });

  it('is refused where it would come out wrong', () => {
    const picture = { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] } };
    expect(() => toOpenAiEmbedding(picture, 'm')).toThrow(expect.objectContaining({ code: 'convert.notPossible' }));
    const lengths = { requests: [{ content: text('a'), outputDimensionality: 2 }, { content: text('b') }] };
    expect(() => toOpenAiEmbedding(lengths, 'm')).toThrow(expect.objectContaining({ code: 'convert.notPossible' }));
  });

  it('gets a response in Google’s shape, each vector at the index of its text', () => {
    const data = [
      { index: 1, embedding: [3, 4] },
      { index: 0, embedding: [1, 2] },
    ];
    const usage = { prompt_tokens: 4, total_tokens: 4 };
    expect(fromOpenAiEmbedding({ data, usage }, batch)).toEqual({
      embeddings: [{ values: [1, 2] }, { values: [3, 4] }],
      usageMetadata: { promptTokenCount: 4, totalTokenCount: 4 },
    });
    expect(fromOpenAiEmbedding({ data: [{ embedding: [1, 2] }] }, single)).toEqual({ embedding: { values: [1, 2] } });
  });

  it('reads packed vectors', () => {
    const embedding = Buffer.from(new Float32Array([0.5, -2]).buffer).toString('base64');
    expect(fromOpenAiEmbedding({ data: [{ index: 0, embedding }] }, single)).toEqual({
      embedding: { values: [0.5, -2] },
    });
  });

  it.each([[{}], [null], [{ data: [] }], [{ data: [{ index: 0, embedding: [1, 'x'] }] }]])(
    'is not a response without a vector for each text (%#)',
    (response) => {
      expect(() => fromOpenAiEmbedding(response, single)).toThrow(expect.objectContaining({ status: 502 }));
    },
  );
});
