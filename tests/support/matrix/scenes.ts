import { expect } from 'vitest';
import type { FeatureName, UpstreamName } from './features.ts';
import type { Call, Question, Reply, Result, ToolDefinition } from './question.ts';
import type { Fault } from './upstreams.ts';
import type { Say, Seen, SeenPart, WireUsage } from './wire.ts';

/** One row of the matrix, played: the request, the response, and what both sides have to see. */
export interface Scene {
  question: Omit<Question, 'model' | 'stream'>;
  say: Say;
  /** What the upstream must have been told; not looked at where the cell declares a loss. */
  told?(seen: Seen, upstream: UpstreamName): void;
  /** What the client must have understood. */
  understood?(reply: Reply, upstream: UpstreamName): void;
}

/** A row that fails: what goes wrong, and the status that the SDK must raise. */
export interface Mishap {
  fault: Fault;
  /** Undefined: the response had begun, so that there is no status any more. */
  status: readonly number[] | undefined;
  streamedOnly?: boolean;
}

const usage: WireUsage = { prompt: 120, cached: 0, written: 0, completion: 30, reasoning: 0 };
const hello: Say = { parts: [{ text: 'Hello from upstream.' }], finish: 'stop', usage };
const ask = 'What is the weather in Oslo?';

export const pictureData =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const pdfData = 'JVBERi0xLjQKJSBhIHBhcGVyCg==';
export const pictureUrl = 'https://pictures.example.com/fjord.png';

export const weather: ToolDefinition = {
  name: 'weather',
  description: 'Weather of a city',
  schema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { city: { type: 'string' }, unit: { type: ['string', 'null'], enum: ['C', 'F', null] } },
    required: ['city'],
    additionalProperties: false,
  },
};
const clock: ToolDefinition = { name: 'clock', description: 'The time', schema: { type: 'object', properties: {} } };

const oslo: Call = { id: 'call_oslo1', name: 'weather', input: { city: 'Oslo' } };
const rome: Call = { id: 'call_rome1', name: 'weather', input: { city: 'Rome' } };
const schema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
};

export function asks(
  ...parts: Extract<Question['turns'][number], { user: unknown }>['user']
): Question['turns'][number] {
  return { user: [{ text: ask }, ...parts] };
}

function isHello(reply: Reply): void {
  expect(reply.text).toBe('Hello from upstream.');
  expect(reply.finish).toBe('stop');
}

function turnOf(seen: Seen, role: string): SeenPart[] {
  const found = seen.turns.filter(([own]) => own === role);
  return found.flatMap(([, ...parts]) => parts);
}

function resultScene(results: Result[], told: (parts: SeenPart[], seen: Seen) => void): Scene {
  const calls = [oslo, rome].filter(({ id }) => results.some((result) => result.id === id));
  return {
    question: {
      turns: [asks(), { assistant: { text: 'Let me look.', calls } }, { results }],
      tools: [weather],
    },
    say: hello,
    told(seen) {
      expect(turnOf(seen, 'assistant')).toEqual([
        'Let me look.',
        ...calls.map(({ name, input }) => ({ call: name, input })),
      ]);
      told(turnOf(seen, 'tool'), seen);
    },
    understood: isHello,
  };
}

const result = (call: Call, text: string, more: Partial<Result> = {}): Result => ({
  id: call.id,
  name: call.name,
  text,
  ...more,
});

function choiceScene(choice: Question['choice'], expected: Seen['choice']): Scene {
  return {
    question: { turns: [asks()], tools: [weather, clock], choice },
    say: choice === 'none' ? hello : { parts: [{ calls: [oslo] }], finish: 'tool', usage },
    told(seen) {
      expect(seen.tools).toEqual(['weather', 'clock']);
      expect(seen.choice).toEqual(expected);
    },
    understood: (reply) => expect(reply.calls.map(({ name }) => name)).toEqual(choice === 'none' ? [] : ['weather']),
  };
}

function callScene(calls: (Omit<Call, 'input'> & { input: Record<string, unknown> | undefined })[]): Scene {
  return {
    question: { turns: [asks()], tools: [weather, clock] },
    say: { parts: [{ text: 'Let me look.' }, { calls }], finish: 'tool', usage },
    told: (seen) => expect(seen.tools).toEqual(['weather', 'clock']),
    understood(reply) {
      expect(reply.text).toBe('Let me look.');
      expect(reply.calls.map(({ name, input }) => [name, input])).toEqual(
        calls.map(({ name, input }) => [name, input ?? {}]),
      );
      expect(new Set(reply.calls.map(({ id }) => id)).size).toBe(calls.length);
      expect(reply.finish).toBe('tool');
    },
  };
}

/** OpenAI's chat form never shows what its own models think. */
export const showsThinking = (upstream: UpstreamName) => upstream !== 'openai-chat';

export const scenes: Partial<Record<FeatureName, Scene>> = {
  text: {
    question: { turns: [asks()] },
    say: hello,
    told: (seen) => expect(seen.turns).toEqual([['user', ask]]),
    understood(reply) {
      isHello(reply);
      expect(reply.usage).toEqual({ prompt: 120, cached: 0, completion: 30 });
    },
  },
  system: {
    question: { system: 'Be short.', turns: [asks()] },
    say: hello,
    told(seen) {
      expect(seen.system).toBe('Be short.');
      expect(seen.turns).toEqual([['user', ask]]);
    },
    understood: isHello,
  },
  turns: {
    question: { turns: [asks(), { assistant: { text: 'It rains.' } }, { user: [{ text: 'And in Rome?' }] }] },
    say: hello,
    told: (seen) =>
      expect(seen.turns).toEqual([
        ['user', ask],
        ['assistant', 'It rains.'],
        ['user', 'And in Rome?'],
      ]),
    understood: isHello,
  },
  picture: {
    question: { turns: [asks({ picture: pictureData })] },
    say: hello,
    told: (seen) => expect(seen.turns).toEqual([['user', ask, { picture: pictureData }]]),
    understood: isHello,
  },
  'picture-url': {
    question: { turns: [asks({ pictureUrl })] },
    say: hello,
    // Vendors that fetch nothing get the picture itself.
    told: (seen) =>
      expect([{ pictureUrl }, { picture: pictureData }]).toContainEqual(seen.turns[0]?.[2] ?? 'no picture'),
    understood: isHello,
  },
  pdf: {
    question: { turns: [asks({ pdf: pdfData })] },
    say: hello,
    told: (seen) => expect(seen.turns).toEqual([['user', ask, { pdf: pdfData }]]),
    understood: isHello,
  },
  tool: callScene([oslo]),
  'parallel-tools': callScene([oslo, rome]),
  'empty-call': callScene([{ id: 'call_clock', name: 'clock', input: undefined }]),
  results: resultScene([result(rome, 'Sun, 25'), result(oslo, 'Rain, 8')], (parts) =>
    // Where bytes pass as they are, so does their order: the vendor has seen both, or would have refused.
    expect(parts.map((part) => /Rain, 8|Sun, 25/.exec(JSON.stringify(part))?.[0]).sort()).toEqual([
      'Rain, 8',
      'Sun, 25',
    ]),
  ),
  'result-picture': resultScene([result(oslo, 'The radar', { picture: pictureData })], (_parts, seen) => {
    const parts = seen.turns.flatMap(([, ...own]) => own);
    expect(parts).toContainEqual({ picture: pictureData });
    expect(JSON.stringify(parts)).toContain('The radar');
  }),
  'result-error': resultScene([result(oslo, 'no such city', { isError: true })], (parts) =>
    expect(parts).toEqual([{ result: 'no such city', isError: true }]),
  ),
  'choice-none': choiceScene('none', 'none'),
  'choice-required': choiceScene('required', 'required'),
  'choice-named': choiceScene({ name: 'weather' }, { name: 'weather' }),
  schema: {
    question: { turns: [asks()], schema },
    say: { parts: [{ text: '{"answer":"rain"}' }], finish: 'stop', usage },
    told: (seen) => expect(seen.schema).toMatchObject({ type: 'object', properties: { answer: { type: 'string' } } }),
    understood: (reply) => expect(JSON.parse(reply.text)).toEqual({ answer: 'rain' }),
  },
  cache: {
    question: { system: 'A long text that is used again.', cached: true, turns: [asks()] },
    say: { ...hello, usage: { ...usage, prompt: 400, cached: 256 } },
    told: (seen) => expect(seen.marks).toBe(1),
    understood(reply) {
      isHello(reply);
      expect(reply.usage).toEqual({ prompt: 400, cached: 256, completion: 30 });
    },
  },
  usage: {
    question: { turns: [asks()] },
    say: { ...hello, usage: { prompt: 900, cached: 640, written: 0, completion: 210, reasoning: 128 } },
    understood: (reply) => expect(reply.usage).toEqual({ prompt: 900, cached: 640, completion: 210 }),
  },
  length: {
    question: { turns: [asks()], maxTokens: 64 },
    say: { ...hello, finish: 'length' },
    told: (seen) => expect(seen.maxTokens).toBe(64),
    understood(reply) {
      expect(reply.text).toBe('Hello from upstream.');
      expect(reply.finish).toBe('length');
    },
  },
  'stop-sequence': {
    question: { turns: [asks()], stop: ['END'] },
    say: { ...hello, finish: 'stopSequence' },
    told: (seen) => expect(seen.stop).toEqual(['END']),
    understood: isHello,
  },
  refusal: {
    question: { turns: [asks()] },
    say: { parts: [], finish: 'refusal', usage: { ...usage, completion: 1 } },
    understood: (reply) => expect(reply.finish).toBe('filter'),
  },
};

export const thought = 'The city is Oslo.';

/** The response that thinks before it calls a tool; what it thought with has to come back with the result. */
export function thinkingScene(signature: string): Scene {
  return {
    question: { turns: [asks()], tools: [weather], thinking: true, maxTokens: 8000 },
    say: {
      parts: [{ thought, signature }, { calls: [oslo] }],
      finish: 'tool',
      usage: { ...usage, completion: 60, reasoning: 40 },
    },
    told: (seen) => expect(seen.thinking).toBeTruthy(),
    understood(reply, upstream) {
      expect(reply.calls.map(({ input }) => input)).toEqual([oslo.input]);
      expect(reply.reasoning).toBe(showsThinking(upstream) ? thought : '');
      expect(reply.usage.completion).toBe(60);
    },
  };
}

export const mishaps: Partial<Record<FeatureName, Mishap>> = {
  'error-400': { fault: { status: 400, message: 'The 3rd message is too strange.' }, status: [400] },
  'error-401': { fault: { status: 401, message: 'Incorrect API key provided: upstream-key.' }, status: [502] },
  'error-429': { fault: { status: 429, message: 'Slow down.', headers: { 'retry-after': '7' } }, status: [429] },
  'error-500': { fault: { status: 500, message: 'The server had an error.' }, status: [500] },
  empty: { fault: 'empty', status: [502, 503] },
  'stream-error': { fault: { midway: 'error' }, status: undefined, streamedOnly: true },
  cut: { fault: { midway: 'cut' }, status: undefined, streamedOnly: true },
  stall: { fault: { midway: 'stall' }, status: undefined, streamedOnly: true },
};
