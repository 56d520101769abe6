import type { JsonObject } from '../../../core/lib/json-value.ts';
import { type FakeResponse, json, sse } from '../upstream-script.ts';
import { helloText } from './hello.ts';
import type { ChatFixture, ChatResponses } from './vendor-fixture.ts';

/** How one look-alike writes OpenAI's responses. */
export interface OpenAiWords {
  /** As this vendor spells it. */
  usage: JsonObject;
  /** Where a stream tells it: in a chunk of its own behind the finish, which is the default, on every chunk, or in the last choice. */
  usageAt?: 'end' | 'every' | 'finish' | 'choice';
  /** Beside the choices, in whole responses and chunks. */
  extra?: JsonObject;
  /** Its word for `stop`. */
  stop?: string;
  /** What it thinks before it speaks: members of the message. */
  thought?: JsonObject;
  /** Whole responses have this in place of the plain text. */
  content?: unknown;
  /** Chunks contain the whole message so far too. */
  repeatsMessage?: boolean;
  /** Each call comes in one chunk, with its arguments as an object. */
  wholeCalls?: boolean;
  /** Its finish behind calls, `tool_calls` when left out. */
  toolFinish?: string;
  /** Empty lines that keep the connection open before a whole response. */
  emptyLines?: boolean;
  /** `data: [DONE]` is left out. */
  noDone?: boolean;
  /** Comment lines that keep the connection open. */
  comment?: string;
}

const call = { name: 'get_weather', arguments: '{"city":"Paris"}' };
const identity = { id: 'chatcmpl-v1', created: 1_767_322_800 };

export function textResponses(model: string, words: OpenAiWords): ChatResponses {
  const { thought, stop = 'stop', content = helloText } = words;
  const message = { role: 'assistant', ...thought, content };
  const thoughts = thought ? [thought] : [];
  const deltas = [
    { role: 'assistant', content: '' },
    ...thoughts,
    { content: 'Hello from ' },
    { content: 'upstream.' },
  ];
  return { whole: whole(model, words, message, stop), stream: stream(model, words, deltas, stop) };
}

export function toolResponses(model: string, words: OpenAiWords): ChatResponses {
  const head = { index: 0, id: 'callP1234', type: 'function' };
  const message = {
    role: 'assistant',
    content: words.wholeCalls ? '' : null,
    tool_calls: [{ ...head, function: call }],
  };
  const deltas = words.wholeCalls
    ? [{ ...message, tool_calls: [{ ...head, function: { ...call, arguments: { city: 'Paris' } } }] }]
    : [
        { role: 'assistant', content: null, tool_calls: [{ ...head, function: { name: call.name, arguments: '' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] },
      ];
  const finish = words.toolFinish ?? 'tool_calls';
  return { whole: whole(model, words, message, finish), stream: stream(model, words, deltas, finish) };
}

/** Text and calls of one model in one vendor's words. */
export function chatResponses(model: string, words: OpenAiWords): Pick<ChatFixture, 'model' | 'text' | 'tool'> {
  return { model, text: textResponses(model, words), tool: toolResponses(model, words) };
}

function whole(model: string, words: OpenAiWords, message: JsonObject, finish: string): FakeResponse {
  const { usage, extra, emptyLines } = words;
  const choices = [{ index: 0, message, finish_reason: finish }];
  const response = { ...identity, object: 'chat.completion', model, choices, usage, ...extra };
  return json(200, `${emptyLines ? '\n\n\n' : ''}${JSON.stringify(response)}`);
}

function stream(model: string, words: OpenAiWords, deltas: JsonObject[], finish: string): FakeResponse {
  const { usage, usageAt = 'end', extra, repeatsMessage, noDone, comment } = words;
  let said = '';
  const chunk = (delta: JsonObject, reason: string | null, members: JsonObject = {}) => {
    said += typeof delta.content === 'string' ? delta.content : '';
    const message = repeatsMessage && { message: { role: 'assistant', content: said } };
    const inChoice = reason !== null && usageAt === 'choice' ? { usage } : {};
    const choices = [{ index: 0, delta, ...message, finish_reason: reason, ...inChoice }];
    return { ...identity, object: 'chat.completion.chunk', model, choices, ...extra, ...members };
  };
  const onEvery = usageAt === 'every' ? { usage } : {};
  const onLast = usageAt === 'every' || usageAt === 'finish' ? { usage } : {};
  const own = { ...identity, object: 'chat.completion.chunk', model, choices: [], usage };
  const events = sse([
    ...deltas.map((delta) => chunk(delta, null, onEvery)),
    chunk({}, finish, onLast),
    ...(usageAt === 'end' ? [own] : []),
    ...(noDone ? [] : ['[DONE]']),
  ]);
  if (!comment) return events;
  return { ...events, pieces: [Buffer.from(`: ${comment}\n\n`), ...(events.pieces ?? [])] };
}
