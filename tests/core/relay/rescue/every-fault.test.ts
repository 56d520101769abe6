import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlackHole, openBlackHole } from '../../../support/black-hole.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { type FakeResponse, failure, fixture, json, raw, stall } from '../../../support/upstream-script.ts';
import { done, says, stops, streamOf, uses } from '../responses.ts';

const text = 'One two three, 世界 four.';
const pieces = ['One ', 'two ', 'three, ', '世界 ', 'four.'];

type Dialect = 'openai' | 'anthropic';
const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const said = (words: string) =>
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } } as { type: string });
const spoken = [
  event({
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 30, output_tokens: 1 },
    },
  } as { type: string }),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as { type: string }),
  ...pieces.map(said),
  event({ type: 'content_block_stop', index: 0 } as { type: string }),
  event({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 9 },
  } as { type: string }),
  event({ type: 'message_stop' }),
];
const role = { ...says(''), choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] };
const streams: Record<Dialect, (object | string)[]> = {
  openai: [role, ...pieces.map(says), stops, uses(30, 9), done],
  anthropic: spoken,
};
/** Where its third piece of text begins. */
const third: Record<Dialect, number> = { openai: 3, anthropic: 4 };

const whole = (dialect: Dialect) => streamOf(streams[dialect]);
const bytesOf = (dialect: Dialect) => Buffer.concat(whole(dialect).pieces ?? []);
function begun(dialect: Dialect, ...rest: (string | Buffer)[]): FakeResponse {
  return streamOf([...streams[dialect].slice(0, third[dialect]), ...rest]);
}
function cutIn(dialect: Dialect, how: 'cut' | 'reset' | 'stall', after?: number): FakeResponse {
  const bytes = bytesOf(dialect);
  return { ...whole(dialect), end: { after: after ?? bytes.length >> 1, how } };
}
/** Inside the first of the three bytes of a character. */
const inCharacter = (dialect: Dialect) => bytesOf(dialect).indexOf(Buffer.from('世')) + 1;

/** Of a response that is longer than what came of it. */
const usageOf: Record<Dialect, string[]> = {
  openai: [`data: ${JSON.stringify(uses(30, 5000))}\n\n`],
  anthropic: [event({ type: 'message_delta', delta: {}, usage: { output_tokens: 5000 } } as { type: string })],
};
/** What it says twice after it has said all; that changes neither the response nor its bill. */
const repeats: [string, (dialect: Dialect) => (object | string)[]][] = [
  ['ends twice', (dialect) => [...streams[dialect], streams[dialect].at(-1) ?? '']],
  ['tells its usage and its end twice', (dialect) => [...streams[dialect], ...streams[dialect].slice(-3)]],
];

/** What an upstream does wrong, by the list of faults and beyond. */
const faults: [string, (dialect: Dialect) => FakeResponse][] = [
  ['F5 accepts and never responds', () => stall('headers')],
  ['F6 sends headers and nothing else', (dialect) => stall('body', whole(dialect), 0)],
  ['F8 is cut before the first byte', (dialect) => cutIn(dialect, 'cut', 0)],
  ['F8 is cut in the middle', (dialect) => cutIn(dialect, 'cut')],
  ['F8 is reset in the middle', (dialect) => cutIn(dialect, 'reset')],
  ['F8 is cut inside a character', (dialect) => cutIn(dialect, 'cut', inCharacter(dialect))],
  ['F8 is cut before its last event', (dialect) => cutIn(dialect, 'cut', bytesOf(dialect).length - 20)],
  ['F9 falls silent in the middle', (dialect) => cutIn(dialect, 'stall')],
  ['F10 is limited, and says for how long', () => failure(429, { headers: { 'retry-after': '1' } })],
  ['F10 is limited', () => failure(429)],
  ['F11 has a server error', () => failure(500)],
  ['F11 is overloaded', () => failure(503)],
  ['sends a web page', () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>') })],
  ['sends an error in place of a stream', () => fixture('compatible/error-200.json')],
  ['sends nothing', () => ({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: Buffer.alloc(0) })],
  ['sends no HTTP', () => raw('SSH-2.0-OpenSSH_9.2\r\n')],
  ['refuses its key', () => json(401, { error: { message: 'invalid key', type: 'authentication_error' } })],
  ['sends garbage in the middle', (dialect) => begun(dialect, 'data: {"cho\n\n', 'data: ]]\n\n')],
  [
    'sends an error in the middle',
    (dialect) =>
      begun(dialect, 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n'),
  ],
  ['ends without an end', (dialect) => begun(dialect)],
  ['tells its usage and is cut before its end', (dialect) => begun(dialect, ...usageOf[dialect])],
  ['sends an event without bound', (dialect) => begun(dialect, 'data: "', Buffer.alloc(17 << 20, 'x'))],
];

let gateway: TestGateway;
let hole: BlackHole | undefined;
let calls = 0;

beforeAll(async () => {
  gateway = await startGateway(
    'sqlite',
    {},
    { limits: { headersMs: 1500, slowHeadersMs: 1500, idleMs: 800, progressMs: 1600 } },
  );
  await gateway.setOption(
    'ModelRatio',
    JSON.stringify(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f-${index}`, 1]))),
  );
  hole = await openBlackHole();
});
afterAll(async () => {
  hole?.close();
  await gateway.stop();
});

/** A model with a channel that fails and, behind it, one that is well. */
async function failing(
  dialect: Dialect,
  fault: (dialect: Dialect) => FakeResponse,
  base_url?: string,
): Promise<string> {
  const model = `f-${calls++}`;
  const type = dialect === 'openai' ? 1 : 14;
  await gateway.addChannel({
    name: 'ill',
    key: 'ill',
    type,
    models: model,
    priority: 9,
    ...(base_url && { base_url }),
  });
  await gateway.addChannel({ name: 'well', key: 'well', type, models: model });
  gateway.upstream.always(({ headers }) => {
    const key = headers['x-api-key'] ?? headers.authorization;
    return String(key).endsWith('ill') ? fault(dialect) : whole(dialect);
  });
  return model;
}

const messages = [{ role: 'user' as const, content: 'hi' }];
const clients: [string, Dialect, (model: string) => Promise<{ text: string; end: string | null | undefined }>][] = [
  ['openai', 'openai', askOpenai],
  ['@anthropic-ai/sdk on an upstream of OpenAI', 'openai', askAnthropic],
  ['@anthropic-ai/sdk', 'anthropic', askAnthropic],
];

async function askOpenai(model: string) {
  const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const [choice] = (await client.chat.completions.stream({ model, messages }).finalChatCompletion()).choices;
  return { text: choice?.message.content ?? '', end: choice?.finish_reason };
}

async function askAnthropic(model: string) {
  const client = new Anthropic({ apiKey: gateway.key, baseURL: gateway.url, maxRetries: 0 });
  const message = await client.messages.stream({ model, max_tokens: 99, messages }).finalMessage();
  return {
    text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    end: message.stop_reason,
  };
}

/** The whole response once, paid once. */
async function expectWhole(
  model: string,
  ask: (model: string) => Promise<{ text: string; end: string | null | undefined }>,
) {
  const { text: got, end } = await ask(model);
  expect(got).toBe(text);
  expect(['stop', 'end_turn']).toContain(end);
  expect(await gateway.lastLog()).toMatchObject({
    model_name: model,
    prompt_tokens: 30,
    completion_tokens: 9,
    quota: 39,
    content: '',
  });
}

it('has a whole and right response from an upstream of Anthropic that begins a second time', async () => {
  const again = streamOf([...spoken.slice(0, third.anthropic), ...spoken]);
  await expectWhole(await failing('anthropic', () => again), askAnthropic);
  await expectWhole(await failing('anthropic', () => again), askOpenai);
});

describe.each(clients)('%s', (_client, dialect, ask) => {
  it.each(faults)('has a whole and right response from an upstream that %s', async (_fault, fault) => {
    await expectWhole(await failing(dialect, fault), ask);
  });

  it.each(repeats)('has a whole and right response from an upstream that %s', async (_what, events) => {
    await expectWhole(await failing(dialect, () => streamOf(events(dialect))), ask);
  });

  it.each([
    ['F1 refuses connections', () => 'http://127.0.0.1:9'],
    ['F2 does not respond to a connection', () => hole && `http://127.0.0.1:${hole.port}`],
    ['F3 has no address', () => 'http://no-such-host.invalid'],
    ['F4 speaks no TLS', () => gateway.upstream.url.replace('http:', 'https:')],
  ])('has a whole and right response from an upstream that %s', async (_fault, address) => {
    await expectWhole(await failing(dialect, () => failure(500), address()), ask);
  });

  it('has its bills right', () => gateway.verifyBooks());
});
