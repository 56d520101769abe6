import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../../../core/canonical/chat-event.ts';
import type { ChatProtocol } from '../../../../core/canonical/chat-request.ts';
import { emptyChatRequest } from '../../../../core/canonical/empty-request.ts';
import { type FoldedResponse, foldEvents } from '../../../../core/canonical/fold.ts';
import { emptyUsage } from '../../../../core/canonical/usage.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { clients, upstreams } from '../../../support/chat-codecs.ts';
import { brokenRules, readStreamText } from '../../../support/chat-events.ts';
import { splitSse } from '../../../support/sse.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { type FakeResponse, fixtureBytes } from '../../../support/upstream-script.ts';

const channelTypes: Partial<Record<ChatProtocol, number>> = {
  'openai-chat': 1,
  'openai-responses': 1,
  'anthropic-messages': 14,
  gemini: 24,
};
const identity = { id: 'r1', model: 'm', created: 1_767_322_800 };
const usage = { ...emptyUsage, prompt: 40, completion: 21 };
/** 200,000 calls instead of 4 an event, for a longer look than each run of the tests can take. */
const isEveryByte = Boolean(process.env.TOLLGATE_EVERY_BYTE);
const callsAtOnce = 16;
/** The retry budget is counted by model. */
const models = Array.from({ length: isEveryByte ? 1500 : 150 }, (_, index) => `m-${index}`);

let gateway: TestGateway;
let calls = 0;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))));
  await gateway.setOption('RetryTimes', '3');
  const { services } = gateway.app;
  await services.users.adjustQuota(systemActor, { id: gateway.userId, amount: 1_000_000_000, note: 'test' });
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

const start: ChatEvent = { type: 'start', ...identity };
const said: ChatEvent[] = [
  { type: 'open', part: 0, choice: 0, kind: 'text' },
  ...['Grüß ', 'Gott, ', '世界 ', '"quoted"\n', '🙂 done.'].map(
    (text): ChatEvent => ({ type: 'delta', part: 0, text }),
  ),
  { type: 'close', part: 0 },
];
const thought: ChatEvent[] = [
  { type: 'open', part: -1, choice: 0, kind: 'reasoning' },
  { type: 'delta', part: -1, text: 'First ' },
  { type: 'delta', part: -1, text: 'think, ' },
  { type: 'delta', part: -1, text: 'then speak.' },
  { type: 'close', part: -1, opaque: { origin: 'gemini', kind: 'signature', value: 'c2lnbmVk' } },
];
const unsigned = thought.map(
  (event): ChatEvent => (event.type === 'close' ? { type: 'close', part: event.part } : event),
);
const renumbered = (event: ChatEvent): ChatEvent => ('part' in event ? { ...event, part: event.part + 1 } : event);
const called: ChatEvent[] = [
  { type: 'open', part: 1, choice: 0, kind: 'toolCall', id: 'call_1', name: 'weather' },
  { type: 'delta', part: 1, text: '{"city":' },
  { type: 'delta', part: 1, text: '"Berlin"}' },
  { type: 'close', part: 1 },
];
const ends = (reason: 'stop' | 'tool'): ChatEvent[] => [
  { type: 'usage', usage },
  { type: 'finish', choice: 0, reason },
];

/** A stream as an upstream of this protocol sends it. */
function written(protocol: ChatProtocol, events: readonly ChatEvent[]): Buffer {
  const request = emptyChatRequest(protocol, 'm');
  const writer = clients[protocol].createStreamWriter({ identity, promptTokens: 40, wantsUsage: true, request });
  return Buffer.from([start, ...events].map((event) => writer.event(event)).join('') + writer.end(usage));
}

interface CutStream {
  protocol: ChatProtocol;
  bytes: Buffer;
  /** Who asks; all four when left out. */
  clients?: ChatProtocol[];
  /** Of both channels. */
  setting?: object;
}

const streams: Record<string, CutStream> = {
  'OpenAI, recorded': { protocol: 'openai-chat', bytes: fixtureBytes('openai/chat.sse') },
  'OpenAI, a recorded tool call': { protocol: 'openai-chat', bytes: fixtureBytes('openai/chat-tool.sse') },
  'OpenAI, text and a tool call': {
    protocol: 'openai-chat',
    bytes: written('openai-chat', [...said, ...called, ...ends('tool')]),
  },
  'Anthropic, recorded thinking': {
    protocol: 'anthropic-messages',
    bytes: fixtureBytes('anthropic/message-thinking.sse'),
  },
  'Anthropic, a recorded tool call': {
    protocol: 'anthropic-messages',
    bytes: fixtureBytes('anthropic/message-tool.sse'),
  },
  'Gemini, thoughts and a tool call': {
    protocol: 'gemini',
    bytes: written('gemini', [...thought, ...said, ...called, ...ends('tool')].map(renumbered)),
  },
  'Gemini, text': { protocol: 'gemini', bytes: written('gemini', [...said, ...ends('stop')]) },
  'Responses, thoughts, text and a tool call': {
    protocol: 'openai-responses',
    bytes: written('openai-responses', [...unsigned, ...said, ...called, ...ends('tool')].map(renumbered)),
    clients: ['openai-responses'],
  },
  'OpenAI, put into strict form': {
    protocol: 'openai-chat',
    bytes: fixtureBytes('openai/chat-tool.sse'),
    clients: ['openai-chat'],
    setting: { force_format: true },
  },
  'OpenAI, thoughts moved into the content': {
    protocol: 'openai-chat',
    bytes: written('openai-chat', [...unsigned, ...said, ...called, ...ends('tool')].map(renumbered)),
    clients: ['openai-chat'],
    setting: { thinking_to_content: true },
  },
};

/** How each client asks, and the path it does so on. */
const asks: Record<ChatProtocol, (model: string, question: string) => [string, object]> = {
  'openai-chat': (model, question) => [
    '/v1/chat/completions',
    { model, stream: true, stream_options: { include_usage: true }, messages: [{ role: 'user', content: question }] },
  ],
  'anthropic-messages': (model, question) => [
    '/v1/messages',
    { model, stream: true, max_tokens: 999, messages: [{ role: 'user', content: question }] },
  ],
  gemini: (model, question) => [
    `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    { contents: [{ role: 'user', parts: [{ text: question }] }] },
  ],
  'openai-responses': (model, question) => ['/v1/responses', { model, stream: true, store: false, input: question }],
};

const cut = (bytes: Buffer, after: number | undefined): FakeResponse => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: bytes,
  ...(after !== undefined && { end: { after, how: 'cut' } }),
});

/** Each question says where its first response is to be cut; asked again it gets the whole. */
function cutOnce(bytes: Buffer): void {
  const seen = new Set<string>();
  gateway.upstream.always(({ body }) => {
    const question = /cut (\d+) of \d+/.exec(body.toString());
    const isFirst = question && !seen.has(question[0]);
    if (!isFirst) return cut(bytes, undefined);
    seen.add(question[0]);
    return cut(bytes, Number(question[1]));
  });
}

/** What a client makes of the stream; ids differ from call to call, and a tool call's is the first upstream's. */
async function asked(client: ChatProtocol, after: number): Promise<{ text: string; response: FoldedResponse }> {
  const call = calls++;
  const [path, body] = asks[client](models[call % models.length] ?? '', `cut ${after} of ${call}`);
  const text = await (await gateway.call(path, body)).text();
  const events = readStreamText(upstreams[client].createStreamReader({ identity }), text);
  expect(brokenRules(events), text).toEqual([]);
  return { text, response: { ...foldEvents(events), id: '', model: '', created: 0 } };
}

/** Around the end of each event and in its middle: an event that is not whole is dropped, wherever it was cut. */
function placesIn(bytes: Buffer): number[] {
  if (isEveryByte) return Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
  const places = new Set<number>();
  let from = 0;
  for (const { length } of splitSse(bytes)) {
    for (const at of [1, length >> 1, length - 1, length]) places.add(from + at);
    from += length;
  }
  places.delete(bytes.length);
  return [...places];
}

/** A signature or an opaque thought is out, and the event that closes it is not: no other upstream can go on from there. */
function isUntold(bytes: Buffer, after: number): boolean {
  const whole = splitSse(bytes.subarray(0, after)).filter((event) => event.toString().endsWith('\n\n'));
  return /signature_delta|redacted_thinking/.test(whole.at(-1)?.toString() ?? '');
}

const shortEnd = (text: string) => JSON.stringify(text.slice(-300));

/** Names of our own items differ from call to call. */
const sameIds = (response: FoldedResponse) =>
  JSON.parse(JSON.stringify(response).replace(/[\da-f]{8}-[\da-f-]{27}/g, 'id'));

describe.each(Object.entries(streams))('%s', (_name, { protocol, bytes, clients: own, setting }) => {
  beforeAll(async () => {
    await gateway.app.database.channels.update({ status: 2 }, { where: {} });
    for (const name of ['one', 'other'])
      await gateway.addChannel({
        name,
        type: channelTypes[protocol],
        key: name,
        models: models.join(','),
        ...(setting && { setting: JSON.stringify(setting) }),
      });
  });

  it.each(own ?? (Object.keys(asks) as ChatProtocol[]))(
    'is whole for a client of %s wherever it is cut',
    async (client) => {
      cutOnce(bytes);
      const { response: whole } = await asked(client, bytes.length);
      const bill = await gateway.lastLog();
      const places = placesIn(bytes);
      const { length } = places;
      await Promise.all(
        Array.from({ length: callsAtOnce }, async () => {
          for (let after = places.shift(); after !== undefined; after = places.shift()) {
            const { text, response } = await asked(client, after);
            if (protocol === client && isUntold(bytes, after)) expect(text).toContain('event: error');
            // In one line: the summary of the tests shows the first one of a message.
            else expect(sameIds(response), `cut after ${after} bytes: ${shortEnd(text)}`).toEqual(sameIds(whole));
          }
        }),
      );
      const rows = (await gateway.logs()).slice(-length).filter(({ content }) => content === '');
      expect(
        new Set(
          rows.map(({ prompt_tokens, completion_tokens, quota }) => [prompt_tokens, completion_tokens, quota].join()),
        ),
      ).toEqual(new Set([[bill?.prompt_tokens, bill?.completion_tokens, bill?.quota].join()]));
      await gateway.verifyBooks();
    },
  );
});
