import { describe, expect, it } from 'vitest';
import type { StreamContext } from '../../../../core/canonical/chat-codec.ts';
import type { ChatEvent } from '../../../../core/canonical/chat-event.ts';
import { emptyUsage } from '../../../../core/canonical/usage.ts';
import { finish } from '../../../../core/lib/steps.ts';
import { geminiArrayClient, geminiClient } from '../../../../core/wire/gemini/client-codec.ts';
import { geminiUpstream } from '../../../../core/wire/gemini/upstream-codec.ts';
import { openaiChatUpstream } from '../../../../core/wire/openai-chat/upstream-codec.ts';

const read = (body: Record<string, unknown>) =>
  finish(geminiClient.readRequest(body, { model: 'gemini-3-flash', stream: true }));
const hello = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };

const context: StreamContext = {
  identity: { id: 'fx', model: 'gemini-3-flash', created: 1 },
  promptTokens: 9,
  wantsUsage: false,
  request: read(hello),
};
const usage = { ...emptyUsage, prompt: 40, completion: 21, reasoning: 12, cachedRead: 5 };

const response: ChatEvent[] = [
  { type: 'start', id: 'u', model: 'm', created: 1 },
  { type: 'open', part: 0, choice: 0, kind: 'reasoning' },
  { type: 'delta', part: 0, text: 'Need the tool.' },
  { type: 'close', part: 0, opaque: { origin: 'anthropic-messages', kind: 'signature', value: 'c2ln' } },
  { type: 'open', part: 1, choice: 0, kind: 'text' },
  { type: 'delta', part: 1, text: 'Look' },
  { type: 'delta', part: 1, text: 'ing.' },
  { type: 'close', part: 1 },
  { type: 'open', part: 2, choice: 0, kind: 'toolCall', id: 'a', name: 'weather' },
  { type: 'open', part: 3, choice: 0, kind: 'toolCall', id: 'b', name: 'now' },
  { type: 'delta', part: 2, text: '{"city":' },
  { type: 'delta', part: 2, text: '"Oslo","n":12345678901234567890}' },
  { type: 'close', part: 2 },
  { type: 'close', part: 3 },
  { type: 'usage', usage },
  { type: 'finish', choice: 0, reason: 'tool' },
  { type: 'end' },
];

describe('a generateContent request', () => {
  it('is read in either spelling of its members', () => {
    const request = read({
      system_instruction: { parts: [{ text: 'Be short.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'what is this?' }, { inline_data: { mime_type: 'image/png', data: 'aGk=' } }] },
        {
          parts: [
            { inlineData: { mimeType: 'application/pdf', data: 'JVBE' } },
            { inlineData: { mimeType: 'audio/mpeg', data: 'SUQz' } },
          ],
        },
      ],
      tools: [
        {
          function_declarations: [
            { name: 'f', parameters: { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true } } } },
          ],
        },
        { googleSearch: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      generationConfig: {
        maxOutputTokens: 256,
        temperature: 0,
        stopSequences: ['END'],
        responseMimeType: 'application/json',
        responseSchema: { type: 'OBJECT', properties: { a: { type: 'INTEGER' } }, propertyOrdering: ['a'] },
        thinkingConfig: { thinkingBudget: 0, includeThoughts: true },
        mediaResolution: 'MEDIA_RESOLUTION_LOW',
      },
      safetySettings: [],
    });
    expect(request).toMatchObject({
      model: 'gemini-3-flash',
      stream: true,
      maxOutput: 256,
      sampling: { temperature: 0 },
      stop: ['END'],
      instructions: [{ kind: 'text', text: 'Be short.' }],
      toolChoice: { mode: 'named', name: 'f' },
      reasoning: { mode: 'off', visible: 'summary' },
      output: { kind: 'schema', schema: { type: 'object', properties: { a: { type: 'integer' } } } },
      extras: { safetySettings: [], generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' } },
    });
    expect(request.messages.map(({ parts }) => parts.map(({ kind }) => kind))).toEqual([
      ['text', 'image'],
      ['document', 'audio'],
    ]);
    expect(request.tools).toEqual([
      { kind: 'function', name: 'f', schema: { type: 'object', properties: { a: { type: ['string', 'null'] } } } },
      { kind: 'hosted', type: 'googleSearch', raw: { googleSearch: {} } },
    ]);
  });

  it('lets null through wherever its schema says so: among listed values and alternatives, too', () => {
    const either = { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }], nullable: true };
    const properties = { a: { type: 'STRING', enum: ['x', 'y'], nullable: true }, b: either };
    const { output } = read({
      ...hello,
      generationConfig: { responseMimeType: 'application/json', responseSchema: { type: 'OBJECT', properties } },
    });
    expect(output).toMatchObject({
      schema: {
        properties: {
          a: { type: ['string', 'null'], enum: ['x', 'y', null] },
          b: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
        },
      },
    });
  });

  it('keeps what else is said of a function, for Google, and names it elsewhere', () => {
    const own = { name: 'f', behavior: 'NON_BLOCKING', response: { type: 'STRING' } };
    const request = read({ ...hello, tools: [{ functionDeclarations: [own] }] });
    const write = (upstream: typeof geminiUpstream) =>
      finish(upstream.writeRequest(request, { model: 'gemini-3-flash', defaultMaxOutput: 1 }));
    expect(write(geminiUpstream).body.tools).toEqual([{ functionDeclarations: [own] }]);
    const lost = ['tools.behavior', 'tools.response'].map((field) => ({ field, kind: 'dropped' }));
    expect(write(openaiChatUpstream).losses).toEqual(lost);
  });

  it('keeps a form of response that only Google has, so that others name it as lost', () => {
    const format = { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['x', 'y'] } };
    const request = read({ ...hello, generationConfig: { ...format, temperature: 1 } });
    expect(request.extras).toEqual({ generationConfig: format });
    const { losses } = finish(openaiChatUpstream.writeRequest(request, { model: 'gpt-4o', defaultMaxOutput: 1 }));
    const lost = ['responseMimeType', 'responseSchema'].map((key) => `generationConfig.${key}`);
    expect(losses).toEqual(lost.map((field) => ({ field, kind: 'dropped' })));
    expect(read({ ...hello, generationConfig: { responseMimeType: 'text/plain' } }).extras).toEqual({});
  });

  it('gives results to the calls of their name in order, where there are no ids', () => {
    const { messages } = read({
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' },
            { functionCall: { name: 'g' } },
            { functionCall: { name: 'f', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'f', response: { output: 'one' } } },
            { functionResponse: { name: 'f', response: { error: 'two' } } },
            { functionResponse: { name: 'g', response: { deep: [1] } } },
          ],
        },
      ],
    });
    const calls = messages[1]?.parts.map((part) => part.kind === 'toolCall' && part.id);
    expect(messages[1]?.parts[0]).toMatchObject({ opaque: { origin: 'gemini', value: 'c2ln' }, arguments: '{"a":1}' });
    expect(messages[2]).toMatchObject({
      role: 'tool',
      parts: [
        { callId: calls?.[0], parts: [{ text: 'one' }] },
        { callId: calls?.[1], parts: [{ text: '{"deep":[1]}' }] },
        { callId: calls?.[2], parts: [{ text: 'two' }], isError: true },
      ],
    });
  });

  it.each([
    [{}, 'contents'],
    [{ contents: 'hi' }, 'contents'],
    [{ contents: [{ role: 'robot', parts: [] }] }, 'contents.0.role'],
    [{ contents: [{ parts: [{ functionCall: {} }] }] }, 'contents.0.parts.0.functionCall.name'],
    [{ ...hello, generationConfig: { maxOutputTokens: '9' } }, 'generationConfig.maxOutputTokens'],
    [{ ...hello, tools: [null] }, 'tools.0'],
  ])('refuses %j and names the field', (body, param) => {
    expect(() => read(body)).toThrowError(expect.objectContaining({ param }));
  });
});

describe('a generateContent stream', () => {
  function write(client = geminiClient): string {
    const writer = client.createStreamWriter(context);
    return response.map((event) => writer.event(event)).join('') + writer.end(usage);
  }

  it('shows calls whole, word for word, and ends with reason and usage', () => {
    const text = write();
    const chunks = text
      .split('\n\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line.replace(/^data: /, '')));
    const parts = chunks.map(({ candidates }) => candidates[0].content.parts[0]);
    expect(parts).toMatchObject([
      { text: 'Need the tool.', thought: true, thoughtSignature: expect.stringMatching(/^dG9sbGdhdGUu/) },
      { text: 'Look' },
      { text: 'ing.' },
      { functionCall: { id: 'a', name: 'weather' } },
      { functionCall: { id: 'b', name: 'now', args: {} } },
      { text: '' },
    ]);
    // A number beyond 2^53 is not rounded on its way.
    expect(text).toContain('"args":{"city":"Oslo","n":12345678901234567890}');
    expect(chunks.at(-1)).toMatchObject({
      candidates: [{ finishReason: 'STOP', index: 0, content: { role: 'model' } }],
      usageMetadata: {
        promptTokenCount: 40,
        candidatesTokenCount: 9,
        thoughtsTokenCount: 12,
        cachedContentTokenCount: 5,
        totalTokenCount: 61,
      },
      modelVersion: 'gemini-3-flash',
    });
    expect(chunks.slice(0, -1).every(({ candidates }) => candidates[0].finishReason === undefined)).toBe(true);
  });

  it('is one JSON array without alt=sse', () => {
    const chunks = JSON.parse(write(geminiArrayClient));
    expect(chunks).toHaveLength(6);
    expect(chunks.at(-1).candidates[0].finishReason).toBe('STOP');
  });

  it('says the same as the whole response', () => {
    const whole = geminiClient.writeResponse(response, context) as { candidates: { content: { parts: unknown[] } }[] };
    expect(whole).toMatchObject({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'Need the tool.', thought: true },
              { text: 'Looking.' },
              { functionCall: { name: 'weather' } },
              { functionCall: { name: 'now' } },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { totalTokenCount: 61 },
    });
    // What a client sends back brings the signature home (edge 8).
    const again = read({ contents: [...hello.contents, whole.candidates[0]?.content] });
    expect(again.messages[1]?.parts[0]).toMatchObject({ opaque: { origin: 'anthropic-messages', value: 'c2ln' } });
  });

  it('names cited pages where Google’s SDKs look for them', () => {
    const cited: ChatEvent[] = [
      { type: 'start', id: 'u', model: 'm', created: 1 },
      { type: 'open', part: 0, choice: 0, kind: 'text' },
      { type: 'delta', part: 0, text: 'Hello' },
      { type: 'citation', part: 0, citation: { url: 'https://a.test', title: 'A', start: 0, end: 5 } },
      { type: 'citation', part: 0, citation: { url: 'https://a.test', title: 'A' } },
      { type: 'citation', part: 0, citation: { text: 'from a document' } },
      { type: 'close', part: 0 },
      { type: 'finish', choice: 0, reason: 'stop' },
      { type: 'end' },
    ];
    const source = { startIndex: 0, endIndex: 5, uri: 'https://a.test', title: 'A' };
    const shown = {
      // As `@google/genai` reads it for the Gemini API, and for Vertex AI.
      citationMetadata: {
        citationSources: [source, { uri: 'https://a.test', title: 'A' }],
        citations: [source, { uri: 'https://a.test', title: 'A' }],
      },
      // As the AI SDK reads its sources.
      groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.test', title: 'A' } }] },
    };
    const whole = geminiClient.writeResponse(cited, context);
    expect(JSON.parse(JSON.stringify(whole))).toMatchObject({ candidates: [shown] });
    const writer = geminiClient.createStreamWriter(context);
    const stream = cited.map((event) => writer.event(event)).join('') + writer.end(usage);
    const last = stream.trimEnd().split('\n\n').at(-1) ?? '';
    expect(JSON.parse(last.replace(/^data: /, ''))).toMatchObject({ candidates: [shown] });
  });
});
