import { describe, expect, it } from 'vitest';
import type {
  ChatProtocol,
  ChatRequest,
  Message,
  OutputFormat,
  Part,
  Sampling,
  Tool,
} from '../../../core/canonical/chat-request.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { writeJson } from '../../../core/lib/raw-json.ts';
import { finish } from '../../../core/lib/steps.ts';
import { clients, upstreams } from '../../support/chat-codecs.ts';
import { chatRequest } from '../../support/chat-request.ts';

const names = Object.keys(upstreams) as ChatProtocol[];
const models: Record<ChatProtocol, string> = {
  'openai-chat': 'gpt-5.2',
  'openai-responses': 'gpt-5.2',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-pro',
};

type FunctionTool = Extract<Tool, { kind: 'function' }>;
type Fields = Partial<ChatRequest>;
/** A call that says one thing, and the same call without it. */
type Case = { says: Fields; without?: Fields };

const text: Part = { kind: 'text', text: 'hi' };
const user = (part: Part): Fields => ({ messages: [{ role: 'user', parts: [part] }] });
const turns = (message: Message): Fields => ({ messages: [{ role: 'user', parts: [text] }, message] });
const assistant = (part: Part): Fields => turns({ role: 'assistant', parts: [text, part] });
const schema = { type: 'object', properties: { path: { type: 'string' } } };
const tool = (more: Partial<FunctionTool> = {}): Fields => ({
  tools: [{ kind: 'function', name: 'read', schema, ...more }],
});
const call: Part = { kind: 'toolCall', id: 'c1', name: 'read', arguments: '{}' };
const result = (more: Partial<Extract<Part, { kind: 'toolResult' }>> = {}): Fields => ({
  ...tool(),
  messages: [
    { role: 'user', parts: [text] },
    { role: 'assistant', parts: [call] },
    { role: 'tool', parts: [{ kind: 'toolResult', callId: 'c1', name: 'read', parts: [text], ...more }] },
  ],
});
const output = (more: Partial<Extract<OutputFormat, { kind: 'schema' }>>): Fields => ({
  output: { kind: 'schema', name: 'answer', schema, ...more },
});
const picture = { type: 'data', mime: 'image/png', data: 'UElD' } as const;
const pdf = { type: 'data', mime: 'application/pdf', data: 'UERG' } as const;

/** Every field of a call; one that is added must be added here. */
const top: Record<Exclude<keyof ChatRequest, 'origin' | 'model' | 'stream' | 'sampling' | 'output'>, Case> = {
  maxOutput: { says: { maxOutput: 77 } },
  stop: { says: { stop: ['END'] } },
  logprobs: { says: { logprobs: { top: 3 } } },
  instructions: { says: { instructions: [{ kind: 'text', text: 'SYSTEM' }] } },
  messages: { says: user({ kind: 'text', text: 'other' }) },
  tools: { says: tool() },
  toolChoice: { says: { ...tool(), toolChoice: { mode: 'named', name: 'read' } }, without: tool() },
  parallelTools: { says: { ...tool(), parallelTools: false }, without: tool() },
  reasoning: { says: { reasoning: { mode: 'effort', effort: 'high' } } },
  cache: { says: { cache: { key: 'prefix', automatic: '5m' } } },
  userId: { says: { userId: 'person' } },
  serviceTier: { says: { serviceTier: 'flex' } },
  metadata: { says: { metadata: { order: '7' } } },
  store: { says: { store: true } },
  previousResponseId: { says: { previousResponseId: 'resp_1' } },
  extras: { says: { extras: { odd_member: 7 } } },
};
const sampling: Record<keyof Sampling, Sampling> = {
  temperature: { temperature: 0.5 },
  topP: { topP: 0.9 },
  topK: { topK: 5 },
  seed: { seed: 5 },
  frequencyPenalty: { frequencyPenalty: 0.5 },
  presencePenalty: { presencePenalty: 0.5 },
  logitBias: { logitBias: { '5': 1 } },
  choices: { choices: 2 },
};
const form: Record<'kind' | 'name' | 'schema' | 'strict' | 'description' | 'verbosity' | 'modalities' | 'audio', Case> =
  {
    kind: { says: { output: { kind: 'json' } } },
    name: { says: output({ name: 'other' }), without: output({}) },
    schema: { says: output({}) },
    strict: { says: output({ strict: true }), without: output({}) },
    description: { says: output({ description: 'WHAT' }), without: output({}) },
    verbosity: { says: { output: { kind: 'text', verbosity: 'low' } } },
    modalities: { says: { output: { kind: 'text', modalities: ['audio'] } } },
    audio: { says: { output: { kind: 'text', audio: { voice: 'a' } } } },
  };
const message: Record<Exclude<keyof Message, 'role' | 'parts'>, Case> = {
  name: { says: { messages: [{ role: 'user', parts: [text], name: 'bob' }] } },
  phase: {
    says: turns({ role: 'assistant', parts: [text], phase: 'commentary' }),
    without: turns({ role: 'assistant', parts: [text] }),
  },
};
const tools: Record<Exclude<keyof FunctionTool, 'kind' | 'name' | 'schema' | 'namespace'>, Case> = {
  description: { says: tool({ description: 'WHAT' }), without: tool() },
  strict: { says: tool({ strict: true }), without: tool() },
  cache: { says: tool({ cache: '5m' }), without: tool() },
  extras: { says: tool({ extras: { odd: 1 } }), without: tool() },
};
const rest: Record<string, Case> = {
  'a closed object': {
    says: tool({ schema: { ...schema, additionalProperties: false } }),
    without: tool(),
  },
  'a pattern of names': {
    says: tool({ schema: { ...schema, patternProperties: { '^x': { type: 'string' } } } }),
    without: tool(),
  },
  'a rule inside a schema': {
    says: tool({ schema: { type: 'object', properties: { path: { type: 'string', pattern: '^a' } } } }),
    without: tool(),
  },
  'a rule of the answer’s schema': {
    says: output({ schema: { ...schema, additionalProperties: false, minProperties: 1 } }),
    without: output({}),
  },
  'a custom tool': { says: { tools: [{ kind: 'custom', name: 'patch', grammar: { type: 'text' } }] } },
  'a hosted tool': { says: { tools: [{ kind: 'hosted', type: 'web_search', raw: { type: 'web_search' } }] } },
  'an allowed tool': {
    says: { ...tool(), toolChoice: { mode: 'allowed', names: ['read'], required: true } },
    without: tool(),
  },
  'a budget of thinking': { says: { reasoning: { mode: 'budget', budget: 4000 } } },
  'thinking switched off': { says: { reasoning: { mode: 'off' } } },
  'a picture': { says: user({ kind: 'image', source: picture }), without: user(text) },
  'the detail of a picture': {
    says: user({ kind: 'image', source: picture, detail: 'high' }),
    without: user({ kind: 'image', source: picture }),
  },
  'a mark on a picture': {
    says: user({ kind: 'image', source: picture, cache: '5m' }),
    without: user({ kind: 'image', source: picture }),
  },
  'a mark on a text': { says: user({ ...text, cache: '5m' } as Part) },
  'a mark on a system text': {
    says: { instructions: [{ kind: 'text', text: 'S', cache: '5m' }] },
    without: { instructions: [{ kind: 'text', text: 'S' }] },
  },
  'a sound': { says: user({ kind: 'audio', data: 'UElD', format: 'wav' }), without: user(text) },
  'a document': { says: user({ kind: 'document', source: pdf }), without: user(text) },
  'the name of a document': {
    says: user({ kind: 'document', source: pdf, name: 'a.pdf' }),
    without: user({ kind: 'document', source: pdf }),
  },
  'the title of a document': {
    says: user({ kind: 'document', source: pdf, title: 'A' }),
    without: user({ kind: 'document', source: pdf }),
  },
  'what a document is about': {
    says: user({ kind: 'document', source: pdf, context: 'A' }),
    without: user({ kind: 'document', source: pdf }),
  },
  'citations of a document': {
    says: user({ kind: 'document', source: pdf, citations: true }),
    without: user({ kind: 'document', source: pdf }),
  },
  'citations of an earlier answer': {
    says: turns({ role: 'assistant', parts: [{ kind: 'text', text: 'hi', citations: [{ type: 'x' }] }] }),
    without: turns({ role: 'assistant', parts: [text] }),
  },
  'earlier thinking': {
    says: assistant({ kind: 'reasoning', text: 'hm', form: 'full' }),
    without: turns({ role: 'assistant', parts: [text] }),
  },
  'an earlier refusal': {
    says: assistant({ kind: 'refusal', text: 'no' }),
    without: turns({ role: 'assistant', parts: [text] }),
  },
  'a part of another vendor': {
    says: assistant({ kind: 'native', origin: 'openai-responses', raw: { type: 'x', id: 'y' } }),
    without: turns({ role: 'assistant', parts: [text] }),
  },
  'a picture among the instructions': {
    says: { instructions: [text, { kind: 'image', source: picture }] },
    without: { instructions: [text] },
  },
  'a document among the instructions': {
    says: { instructions: [text, { kind: 'document', source: pdf }] },
    without: { instructions: [text] },
  },
  'instructions alone': {
    says: { instructions: [{ kind: 'text', text: 'SYSTEM' }], messages: [] },
    without: { messages: [] },
  },
  'a picture in an earlier answer': {
    says: assistant({ kind: 'image', source: picture }),
    without: turns({ role: 'assistant', parts: [text] }),
  },
  'a document in an earlier answer': {
    says: assistant({ kind: 'document', source: pdf }),
    without: turns({ role: 'assistant', parts: [text] }),
  },
  'a sound in an earlier answer': {
    says: assistant({ kind: 'audio', data: 'UElD', format: 'wav' }),
    without: turns({ role: 'assistant', parts: [text] }),
  },
  'a result in an earlier answer': {
    says: assistant({ kind: 'toolResult', callId: 'c9', parts: [{ kind: 'text', text: 'R' }] }),
    without: turns({ role: 'assistant', parts: [text] }),
  },
  'a sound in a result': {
    says: result({ parts: [text, { kind: 'audio', data: 'UElD', format: 'wav' }] }),
    without: result(),
  },
  'a document in a result': { says: result({ parts: [text, { kind: 'document', source: pdf }] }), without: result() },
  'a part of another vendor in a result': {
    says: result({ parts: [text, { kind: 'native', origin: 'openai-responses', raw: { type: 'x' } }] }),
    without: result(),
  },
  'a refusal of the user': {
    says: user({ kind: 'refusal', text: 'no' }),
    without: { messages: [{ role: 'user', parts: [] }] },
  },
  'a thought of the user': {
    says: { messages: [{ role: 'user', parts: [text, { kind: 'reasoning', text: 'hm', form: 'full' }] }] },
    without: user(text),
  },
  'a call of the user': { says: { messages: [{ role: 'user', parts: [text, call] }] }, without: user(text) },
  'a part of another vendor of the user': {
    says: {
      messages: [{ role: 'user', parts: [text, { kind: 'native', origin: 'openai-responses', raw: { type: 'x' } }] }],
    },
    without: user(text),
  },
  'a mark on a text in a result': { says: result({ parts: [{ ...text, cache: '5m' } as Part] }), without: result() },
  'a mark on an earlier text': {
    says: turns({ role: 'assistant', parts: [{ ...text, cache: '5m' } as Part] }),
    without: turns({ role: 'assistant', parts: [text] }),
  },
  'the name of an earlier speaker': {
    says: turns({ role: 'assistant', parts: [text], name: 'bob' }),
    without: turns({ role: 'assistant', parts: [text] }),
  },
  'detail in a result': {
    says: result({ parts: [{ kind: 'image', source: picture, detail: 'high' }] }),
    without: result({ parts: [{ kind: 'image', source: picture }] }),
  },
  'a picture in a later system message': {
    says: turns({ role: 'system', parts: [text, { kind: 'image', source: picture }] }),
    without: turns({ role: 'system', parts: [text] }),
  },
  'an address of a picture': {
    says: user({ kind: 'image', source: { type: 'url', url: 'https://a.b/c.png' } }),
    without: user(text),
  },
  'a file that is kept': { says: user({ kind: 'document', source: { type: 'file', id: 'f1' } }), without: user(text) },
  'a failed result': { says: result({ isError: true }), without: result() },
  'a picture in a result': {
    says: result({ parts: [text, { kind: 'image', source: picture }] }),
    without: result(),
  },
  'a mark on a result': { says: result({ cache: '5m' }), without: result() },
  'a mark on an earlier call': {
    says: { ...tool(), ...assistant({ ...call, cache: '5m' } as Part) },
    without: { ...tool(), ...assistant(call) },
  },
};

const cases: [string, Case][] = [
  ...Object.entries(top),
  ...Object.entries(sampling).map(([name, one]): [string, Case] => [name, { says: { sampling: one } }]),
  ...Object.entries(form).map(([name, one]): [string, Case] => [`output ${name}`, one]),
  ...Object.entries(message).map(([name, one]): [string, Case] => [`message ${name}`, one]),
  ...Object.entries(tools).map(([name, one]): [string, Case] => [`tool ${name}`, one]),
  ...Object.entries(rest),
];

/** What a call of one client becomes at an upstream, or that it cannot. */
function written(origin: ChatProtocol, upstream: ChatProtocol, fields: Fields): { sent: string; lost: string[] } {
  try {
    const request = chatRequest({ origin, ...fields });
    const { body, losses } = finish(
      upstreams[upstream].writeRequest(request, {
        model: models[upstream],
        defaultMaxOutput: 4096,
      }),
    );
    return { sent: writeJson(body), lost: losses.map(({ field, kind }) => `${field} ${kind}`) };
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('convert.')) return { sent: error.code, lost: [] };
    throw error;
  }
}

/** What says nothing more to this upstream than it does anyway. */
const says = new Map<ChatProtocol, string[]>([
  // The name of a schema is an OpenAI habit: it means nothing to the model elsewhere.
  // Its responses are strict anyway, and a model of this kind thinks only when it is told to.
  ['anthropic-messages', ['output name', 'output strict', 'thinking switched off']],
  ['gemini', ['output name', 'output strict']],
]);

/** Members of objects that are read in part, of each client's own words. */
const inside: [ChatProtocol, Record<string, unknown>, string][] = [
  ['openai-responses', { model: 'm', input: 'hi', reasoning: { effort: 'low', context: 'all' } }, 'reasoning.context'],
  [
    'anthropic-messages',
    {
      model: 'm',
      max_tokens: 99,
      messages: [{ role: 'user', content: 'hi' }],
      output_config: { effort: 'low', task_budget: { type: 'tokens', total: 9 } },
    },
    'output_config.task_budget',
  ],
  [
    'gemini',
    { contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { temperature: 1, mediaResolution: 'LOW' } },
    'generationConfig.mediaResolution',
  ],
];

describe.each(inside)('a member that only the client’s protocol has (%s)', (origin, body, field) => {
  it.each(names)('reaches its own upstream, and is named for every other one: %s', (upstream) => {
    const request = finish(clients[origin].readRequest(body, { model: 'm' }));
    const context = { model: models[upstream], defaultMaxOutput: 4096 };
    const { body: sent, losses } = finish(upstreams[upstream].writeRequest(request, context));
    const [object = '', member = ''] = field.split('.');
    if (origin === upstream) expect(sent[object]).toHaveProperty(member);
    else expect(losses).toContainEqual({ field, kind: 'dropped' });
  });
});

describe('how Google is to read a film or a picture', () => {
  const film = { fileData: { fileUri: 'https://youtu.be/x' }, videoMetadata: { fps: 5, startOffset: '60s' } };
  const picture = {
    inline_data: { mime_type: 'image/png', data: 'UElD' },
    media_resolution: { level: 'MEDIA_RESOLUTION_HIGH' },
  };
  const read = (parts: object[]) => finish(clients.gemini.readRequest({ contents: [{ parts }] }, { model: 'm' }));
  const write = (upstream: ChatProtocol, parts: object[]) =>
    finish(upstreams[upstream].writeRequest(read(parts), { model: models[upstream], defaultMaxOutput: 4096 }));

  it.each(names)('is named when it is lost: %s', (upstream) => {
    const { losses } = write(upstream, [{ text: 'hi' }, picture]);
    const lost = losses.map(({ field }) => field);
    expect(lost).toEqual(upstream === 'gemini' ? [] : ['contents.parts.mediaResolution']);
  });

  it('reaches Google beside the part that it is for', () => {
    const { body, losses } = write('gemini', [film, picture]);
    expect(body).toMatchObject({
      contents: [{ parts: [film, { inlineData: {}, mediaResolution: picture.media_resolution }] }],
    });
    expect(losses).toEqual([]);
  });

  it('is named where a film is sent as a file', () => {
    const pdf = { inlineData: { mimeType: 'application/pdf', data: 'UERG' }, videoMetadata: { fps: 5 } };
    const { losses } = write('anthropic-messages', [pdf, pdf]);
    expect(losses).toContainEqual({ field: 'contents.parts.videoMetadata', kind: 'dropped' });
  });
});

describe.each(names)('everything that a client says to a %s upstream', (upstream) => {
  it.each(cases)('is written, named as lost, or refused: %s', (name, { says: more, without = {} }) => {
    if (says.get(upstream)?.includes(name)) return;
    const silent = names.filter((origin) => {
      const plain = written(origin, upstream, without);
      const full = written(origin, upstream, more);
      const isNamed = full.lost.some((loss) => !plain.lost.includes(loss));
      return full.sent === plain.sent && !isNamed;
    });
    expect(silent).toEqual([]);
  });
});
