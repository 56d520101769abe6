import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../../../core/canonical/chat-event.ts';
import type { ChatRequest } from '../../../../core/canonical/chat-request.ts';
import { foldEvents } from '../../../../core/canonical/fold.ts';
import { emptyUsage } from '../../../../core/canonical/usage.ts';
import { writeJson } from '../../../../core/lib/raw-json.ts';
import { finish } from '../../../../core/lib/steps.ts';
import { anthropicClient } from '../../../../core/wire/anthropic-messages/client-codec.ts';
import { geminiClient } from '../../../../core/wire/gemini/client-codec.ts';
import { geminiUpstream } from '../../../../core/wire/gemini/upstream-codec.ts';
import { openaiResponsesClient } from '../../../../core/wire/openai-responses/client-codec.ts';
import { brokenRules } from '../../../support/chat-events.ts';
import { chatRequest } from '../../../support/chat-request.ts';

const identity = { id: 'fx', model: 'gemini-3-flash', created: 1 };

function write(body: Record<string, unknown>, model = 'gemini-3-flash') {
  const request = finish(openaiResponsesClient.readRequest({ model: 'm', input: 'hi', ...body }));
  return writeRequest(request, model);
}

function writeRequest(request: ChatRequest, model = 'gemini-3-flash') {
  const written = finish(geminiUpstream.writeRequest(request, { model, defaultMaxOutput: 1000 }));
  return { ...written, body: JSON.parse(writeJson(written.body)) };
}

function readStream(chunks: unknown[]): ChatEvent[] {
  const reader = geminiUpstream.createStreamReader({ identity });
  return [...chunks.flatMap((chunk) => reader.event(chunk)), ...reader.end()];
}

/** The stream of the Gemini sheet, section 5. */
const sheet = [
  {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Need the tool.', thought: true }] }, index: 0 }],
    usageMetadata: { promptTokenCount: 40, thoughtsTokenCount: 12, totalTokenCount: 52 },
    modelVersion: 'gemini-3-flash',
    responseId: 'r1',
  },
  {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [{ functionCall: { id: 'fc1', name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2ln' }],
        },
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 9, thoughtsTokenCount: 12, totalTokenCount: 61 },
  },
  {
    candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: 40,
      candidatesTokenCount: 9,
      thoughtsTokenCount: 12,
      totalTokenCount: 61,
      cachedContentTokenCount: 0,
    },
  },
];

const conversation = [
  { role: 'user', content: 'weather in Oslo?' },
  { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Oslo"}' },
  { type: 'function_call', call_id: 'c2', name: 'weather', arguments: '{"city":"Bergen"}' },
  { type: 'function_call_output', call_id: 'c2', output: 'rain' },
  { type: 'function_call_output', call_id: 'c1', output: '{"sky":"clear"}' },
];
const weather = {
  type: 'function',
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe('a Gemini upstream', () => {
  it('is sent a conversation with tools', () => {
    const { body, losses } = write({
      instructions: 'Be short.',
      input: conversation,
      tools: [weather],
      tool_choice: 'required',
      max_output_tokens: 256,
      reasoning: { effort: 'low', summary: 'auto' },
    });
    expect(losses).toEqual([]);
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'Be short.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'weather in Oslo?' }] },
        {
          role: 'model',
          parts: [
            // The client has lost the signature, and Gemini 3 insists on one at the first call of a step (edge 7).
            {
              functionCall: { id: 'c1', name: 'weather', args: { city: 'Oslo' } },
              thoughtSignature: 'skip_thought_signature_validator',
            },
            { functionCall: { id: 'c2', name: 'weather', args: { city: 'Bergen' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'c1', name: 'weather', response: { sky: 'clear' } } },
            { functionResponse: { id: 'c2', name: 'weather', response: { output: 'rain' } } },
          ],
        },
      ],
      tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: weather.parameters }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      generationConfig: { maxOutputTokens: 256, thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true } },
    });
  });

  it('is spoken to as its generation understands', () => {
    const old = write({ tools: [weather], text: { format: { type: 'json_object' } } }, 'gemini-2.0-flash');
    expect(old.body.tools[0].functionDeclarations[0].parameters.type).toBe('OBJECT');
    // A format beside functions is refused before Gemini 3: it becomes an instruction.
    expect(old.body.generationConfig).toEqual({});
    expect(old.body.systemInstruction.parts[0].text).toMatch(/JSON/);
    expect(old.losses).toEqual([{ field: 'text.format', kind: 'emulated' }]);
    const middle = write({ reasoning: { effort: 'none' } }, 'gemini-2.5-flash');
    expect(middle.body.generationConfig.thinkingConfig).toEqual({ thinkingBudget: 0 });
    const pro = write({ reasoning: { effort: 'none' } }, 'gemini-2.5-pro');
    expect(pro.body.generationConfig.thinkingConfig).toEqual({ thinkingBudget: 128 });
  });

  it('gets names it takes, and responds under the names the client knows', () => {
    const name = 'mcp/find it';
    const { body, toolNames } = write({ tools: [{ ...weather, name }], tool_choice: { type: 'function', name } });
    const sent = body.tools[0].functionDeclarations[0].name;
    expect(sent).toMatch(/^[A-Za-z0-9_.:-]{1,64}$/);
    expect(body.toolConfig.functionCallingConfig.allowedFunctionNames).toEqual([sent]);
    const reader = geminiUpstream.createStreamReader({ identity, ...(toolNames && { toolNames }) });
    const [, open] = reader.event({
      candidates: [{ content: { parts: [{ functionCall: { name: sent, args: {} } }] } }],
    });
    expect(open).toMatchObject({ type: 'open', kind: 'toolCall', name });
  });

  it('gets no name that begins with a digit or a hyphen, which it refuses (Gemini sheet, section 2)', () => {
    const all = ['3d_render', '-look', '_3d_render', '2'.repeat(64)];
    const { body, toolNames } = write({ tools: all.map((name) => ({ ...weather, name })) });
    const written: string[] = body.tools[0].functionDeclarations.map(({ name }: { name: string }) => name);
    expect(written.every((name) => /^[A-Za-z_][\w.:-]{0,63}$/.test(name))).toBe(true);
    expect(new Set(written).size).toBe(all.length);
    expect(written.map((name) => toolNames?.get(name) ?? name)).toEqual(all);
  });

  it('begins with a user, says a later system message there, and never sends an empty turn', () => {
    const { body, losses } = write({
      input: [
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: '' },
        { role: 'system', content: 'Now in French.' },
        { role: 'user', content: 'go' },
      ],
    });
    expect(body.contents).toEqual([
      { role: 'user', parts: [{ text: '.' }] },
      { role: 'model', parts: [{ text: 'Hello.' }] },
      { role: 'user', parts: [{ text: '<system>\nNow in French.\n</system>' }, { text: 'go' }] },
    ]);
    expect(losses).toEqual([{ field: 'input', kind: 'emulated' }]);
  });

  it('names what a search of its own is not told: where to look, and how much', () => {
    const own = {
      type: 'web_search_20250305',
      name: 'web_search',
      max_uses: 3,
      allowed_domains: ['a.b'],
      user_location: null,
    };
    const fields = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], tools: [own] };
    const { body, losses } = writeRequest(finish(anthropicClient.readRequest(fields)));
    expect(body.tools).toEqual([{ googleSearch: {} }]);
    const dropped = ['max_uses', 'allowed_domains'].map((key) => `tools: web_search_20250305.${key}`);
    expect(losses).toEqual(dropped.map((field) => ({ field, kind: 'dropped' })));
    expect(write({ tools: [{ type: 'web_search' }] }).losses).toEqual([]);
  });

  it('does not search where no tool is to be used, and names a choice that it cannot be told', () => {
    const search = { type: 'web_search' };
    const chosen = (tool_choice: unknown, ...tools: object[]) => {
      const { body, losses } = write({ tools, tool_choice });
      return { tools: body.tools, config: body.toolConfig, losses };
    };
    const declared = { functionDeclarations: [expect.objectContaining({ name: 'weather' })] };
    const dropped = [{ field: 'tool_choice', kind: 'dropped' }];
    const none = { functionCallingConfig: { mode: 'NONE' } };
    expect(chosen('none', search)).toEqual({ losses: [] });
    expect(chosen('none', search, weather)).toEqual({ tools: [declared], config: none, losses: [] });
    expect(chosen('auto', search)).toEqual({ tools: [{ googleSearch: {} }], losses: [] });
    for (const choice of [search, 'required'])
      expect(chosen(choice, search)).toEqual({ tools: [{ googleSearch: {} }], losses: dropped });
    expect(chosen(search, search, weather)).toEqual({ tools: [declared, { googleSearch: {} }], losses: dropped });
  });

  it('gets a seed that fits its 32 bits', () => {
    const seeded = (seed: number) => writeRequest(chatRequest({ sampling: { seed } }));
    expect(seeded(-7)).toMatchObject({ body: { generationConfig: { seed: -7 } }, losses: [] });
    const { body, losses } = seeded(1_795_788_000_123);
    expect(body.generationConfig.seed).toBe((1_795_788_000_123 % 2 ** 32) | 0);
    expect(losses).toEqual([{ field: 'seed', kind: 'emulated' }]);
  });

  it('names what it cannot express, and refuses addresses that were not fetched', () => {
    const request = finish(
      openaiResponsesClient.readRequest({
        model: 'm',
        input: 'hi',
        parallel_tool_calls: false,
        user: 'ann',
      }),
    );
    expect(writeRequest({ ...request, sampling: { logitBias: { '1': 1 } } }).losses.map(({ field }) => field)).toEqual([
      'logit_bias',
      'parallel_tool_calls',
      'safety_identifier',
    ]);
    const picture = [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://example.com/a.png' }] }];
    expect(() => write({ input: picture })).toThrowError(expect.objectContaining({ code: 'convert.notPossible' }));
  });

  it('is read as the sheet says: a tool call, though it says STOP, thoughts beside the candidates (edges 5 and 14)', () => {
    const folded = foldEvents(readStream(sheet));
    expect(folded.choices[0]?.parts).toMatchObject([
      { kind: 'reasoning', text: 'Need the tool.' },
      {
        kind: 'toolCall',
        id: 'fc1',
        name: 'weather',
        arguments: '{"city":"Oslo"}',
        opaque: { value: 'c2ln', origin: 'gemini' },
      },
    ]);
    expect(folded.choices[0]?.finish).toEqual({ reason: 'tool' });
    expect(folded.usage).toMatchObject({ prompt: 40, completion: 21, reasoning: 12 });
  });

  it('keeps the pages and the likelihoods of a text that is signed', () => {
    const notes = {
      groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }] },
      logprobsResult: { chosenCandidates: [{ token: 'Hi', logProbability: -0.5 }] },
    };
    const chunk = (parts: object[], more = {}) => ({ candidates: [{ content: { role: 'model', parts }, ...more }] });
    const signed = { thoughtSignature: 'c2ln' };
    const last = { finishReason: 'STOP', ...notes };
    for (const chunks of [
      [chunk([{ text: 'Hi', ...signed }], last)],
      [chunk([{ text: 'Hi' }]), chunk([{ text: '', ...signed }], last)],
    ]) {
      const events = readStream(chunks);
      expect(brokenRules(events)).toEqual([]);
      expect(foldEvents(events).choices[0]?.parts).toMatchObject([
        {
          ...{ kind: 'text', text: 'Hi', opaque: { origin: 'gemini', value: 'c2ln' } },
          citations: [{ url: 'https://a.example', title: 'A' }],
          logprobs: [{ token: 'Hi', logprob: -0.5 }],
        },
      ]);
    }
    // Pages that come behind the signature, or behind a call, are told as well.
    const pages = { groundingMetadata: notes.groundingMetadata, finishReason: 'STOP' };
    for (const part of [{ text: 'Hi', ...signed }, { functionCall: { name: 'f', args: {} } }]) {
      const late = readStream([chunk([part]), chunk([{ text: '' }], pages)]);
      expect(brokenRules(late)).toEqual([]);
      expect(foldEvents(late).choices[0]?.parts).toMatchObject([
        {},
        { kind: 'text', text: '', citations: [{ url: 'https://a.example', title: 'A' }] },
      ]);
    }
    // Each signature stays with its own part.
    const apart = [
      { text: 'Hm', thought: true, thoughtSignature: 'a' },
      { text: 'Hi', thoughtSignature: 'b' },
    ];
    const texts = [...apart, { text: 'there' }, { text: '', thoughtSignature: 'c' }];
    const parts = foldEvents(readStream([chunk(texts, { finishReason: 'STOP' })])).choices[0]?.parts;
    expect(parts?.map((part) => ('text' in part ? [part.text, 'opaque' in part && part.opaque?.value] : []))).toEqual([
      ['Hm', 'a'],
      ['Hi', 'b'],
      ['there', 'c'],
    ]);
  });

  it('stays cut or filtered although a tool was called (edge 6)', () => {
    const call = { functionCall: { name: 'f', args: {} } };
    const cut = readStream([{ candidates: [{ content: { parts: [call] }, finishReason: 'MAX_TOKENS' }] }]);
    expect(foldEvents(cut).choices[0]?.finish).toEqual({ reason: 'length' });
    const blocked = readStream([{ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 4 } }]);
    expect(foldEvents(blocked)).toMatchObject({ choices: [{ finish: { reason: 'filter' } }], usage: { prompt: 4 } });
  });

  it('does not count thoughts twice where the candidates contain them', () => {
    const usageMetadata = {
      promptTokenCount: 10,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 20,
      totalTokenCount: 40,
    };
    const events = readStream([
      { candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }], usageMetadata },
    ]);
    expect(foldEvents(events).usage).toMatchObject({ prompt: 10, completion: 30, reasoning: 20 });
  });

  it('pays sound and pictures from the cache once', () => {
    const kinds = (TEXT: number, AUDIO: number, IMAGE: number) =>
      Object.entries({ TEXT, AUDIO, IMAGE }).map(([modality, tokenCount]) => ({ modality, tokenCount }));
    const usageMetadata = {
      ...{ promptTokenCount: 10_000, candidatesTokenCount: 5, totalTokenCount: 10_005, cachedContentTokenCount: 6000 },
      promptTokensDetails: kinds(1000, 8000, 1000),
      cacheTokensDetails: kinds(500, 5000, 500),
    };
    const candidate = { content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' };
    expect(foldEvents(readStream([{ candidates: [candidate], usageMetadata }])).usage).toMatchObject({
      ...{ prompt: 10_000, cachedRead: 6000, audioInput: 3000, imageInput: 500 },
    });
  });

  it('is a broken one when it ends without a reason, or says that it failed (edge 24)', () => {
    expect(readStream(sheet.slice(0, 2)).at(-1)).toMatchObject({ type: 'error', status: 502 });
    expect(readStream([[{ error: { code: 429, message: 'slow', status: 'RESOURCE_EXHAUSTED' } }]])).toMatchObject([
      { type: 'error', status: 429 },
    ]);
    for (const [reason, status] of [
      ['MALFORMED_RESPONSE', 502],
      ['MISSING_THOUGHT_SIGNATURE', 400],
    ] as const) {
      const [event] = readStream([{ candidates: [{ finishReason: reason }] }]);
      expect(event).toMatchObject({ type: 'error', status, body: { code: reason } });
    }
    const reasonOf = (finishReason: string) =>
      foldEvents(readStream([{ candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason }] }])).choices[0]
        ?.finish;
    expect(
      ['CONTINUATION', 'ESCALATION', 'PUP_LIMITED_DISABLED', 'OTHER'].map((reason) => reasonOf(reason)?.reason),
    ).toEqual(['length', 'filter', 'filter', 'stop']);
    expect(readStream([{ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }])).toMatchObject([
      { type: 'error' },
    ]);
  });

  it('says the same to a client of the same protocol, whatever came', () => {
    const part = fc.record({
      kind: fc.constantFrom('text' as const, 'reasoning' as const, 'toolCall' as const),
      pieces: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        // Two texts in a row are one text here.
        const apart = parts.filter(({ kind }, index) => kind === 'toolCall' || kind !== parts[index - 1]?.kind);
        const events: ChatEvent[] = [
          { type: 'start', id: 'u', model: 'm', created: 1 },
          ...apart.flatMap(({ kind, pieces }, index): ChatEvent[] => [
            kind === 'toolCall'
              ? { type: 'open', part: index, choice: 0, kind, id: `c${index}`, name: 'f' }
              : { type: 'open', part: index, choice: 0, kind },
            ...(kind === 'toolCall' ? [JSON.stringify({ pieces })] : pieces).map(
              (text): ChatEvent => ({ type: 'delta', part: index, text }),
            ),
            { type: 'close', part: index },
          ]),
          { type: 'finish', choice: 0, reason: 'length' },
        ];
        const request = finish(geminiClient.readRequest({ contents: [{ parts: [{ text: 'x' }] }] }));
        const writer = geminiClient.createStreamWriter({ identity, promptTokens: 1, wantsUsage: false, request });
        const usage = { ...emptyUsage, prompt: 3, completion: 2 };
        const text = events.map((event) => writer.event(event)).join('') + writer.end(usage);
        const chunks = text
          .split('\n\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line.slice('data: '.length)));
        const again = foldEvents(readStream(chunks));
        expect(again.choices[0]?.parts).toEqual(foldEvents(events).choices[0]?.parts ?? []);
        expect(again.choices[0]?.finish?.reason).toBe('length');
        expect(again.usage).toEqual(usage);
      }),
      { numRuns: 300 },
    );
  });
});
