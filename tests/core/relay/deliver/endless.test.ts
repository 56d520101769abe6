import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import type { FakeResponse } from '../../../support/upstream-script.ts';
import { expectCharged, openHolds, waitFor } from '../relay-checks.ts';
import { chatResponse, done, says, stops } from '../responses.ts';

/** Far more than a response may take, so that only our own end of it ends it. */
const pieces = 400;
const everyMs = 50;
const progressMs = 800;

const write = (event: object, name = '') => `${name && `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`;
const chat = (delta: object) => write({ ...says(''), choices: [{ index: 0, delta, finish_reason: null }] });
const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };

interface Format {
  path: string;
  model: string;
  body: object;
  /** A beginning without content, and one piece of content. */
  start: string;
  word: string;
  /** What an upstream of this format may send forever without saying anything. */
  empty: Record<string, string>;
}

const always = { comments: ': still here\n\n', 'empty lines': '\n\n', 'a byte at a time': 'd' };
const response = { id: 'resp_1', object: 'response', status: 'in_progress', model: 'm', output: [] };

const formats: Record<string, Format> = {
  chat: {
    path: '/v1/chat/completions',
    model: 'as-chat',
    body: { messages: [{ role: 'user', content: 'hi' }] },
    start: chat({ role: 'assistant', content: '' }),
    word: chat({ content: 'word ' }),
    empty: {
      ...always,
      'empty deltas': chat({}),
      'deltas of a role alone': chat({ role: 'assistant', content: '', tool_calls: null }),
      'a tool call without words': chat({ tool_calls: [{ index: 0, type: 'function', function: { arguments: '' } }] }),
    },
  },
  Responses: {
    path: '/v1/responses',
    model: 'as-chat',
    body: { input: 'hi' },
    start: write({ type: 'response.created', sequence_number: 0, response }, 'response.created'),
    word: write(
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'word ' },
      'response.output_text.delta',
    ),
    empty: {
      comments: always.comments,
      'signs of life': write({ type: 'response.in_progress', sequence_number: 1, response }, 'response.in_progress'),
    },
  },
  Anthropic: {
    path: '/v1/messages',
    model: 'as-claude',
    body: { max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] },
    start: write(
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 9, output_tokens: 1 },
        },
      },
      'message_start',
    ),
    word:
      write(
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        'content_block_start',
      ) +
      write(
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word ' } },
        'content_block_delta',
      ),
    empty: { pings: write({ type: 'ping' }, 'ping') },
  },
  Gemini: {
    path: '/v1beta/models/as-gemini:streamGenerateContent?alt=sse',
    model: 'as-gemini',
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    start: write({ candidates: [{ content: { role: 'model', parts: [] }, index: 0 }] }),
    word: write({ candidates: [{ content: { role: 'model', parts: [{ text: 'word ' }] }, index: 0 }] }),
    empty: { 'empty parts': write({ candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, index: 0 }] }) },
  },
};

/** A client of one format before an upstream of another. */
const converted: Format = {
  ...formats.Anthropic,
  path: '/v1/chat/completions',
  body: { messages: [{ role: 'user', content: 'hi' }] },
} as Format;

const cases = Object.entries({ ...formats, 'Anthropic, put into chat,': converted }).flatMap(([name, format]) =>
  Object.entries(format.empty).map(([what, text]): [string, string, Format, string] => [name, what, format, text]),
);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway('sqlite', {}, { limits: { progressMs } });
  await gateway.setOption('ModelRatio', JSON.stringify({ 'as-chat': 1, 'as-claude': 1, 'as-gemini': 1 }));
  await gateway.setOption('RetryTimes', '0');
  await gateway.addChannel({ name: 'openai', models: 'as-chat' });
  await gateway.addChannel({ name: 'claude', models: 'as-claude', type: 14 });
  await gateway.addChannel({ name: 'gemini', models: 'as-gemini', type: 24 });
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

function endless(first: string, then: string, type = 'text/event-stream'): FakeResponse {
  const texts = [first, ...new Array(pieces).fill(then)].filter((text) => text !== '');
  return { headers: { 'content-type': type }, pieces: texts.map((text) => Buffer.from(text)), delayMs: everyMs };
}

function ask({ path, model, body }: Pick<Format, 'path' | 'model' | 'body'>, stream = true): Promise<Response> {
  return gateway.call(path, { model, ...body, ...(path.includes(':') ? {} : { stream }) });
}

async function expectEnded(): Promise<void> {
  const [request] = gateway.upstream.requests;
  await request?.closed;
  expect(request?.aborted).toBe(true);
  await waitFor('nothing is in flight', async () => gateway.gateway.relay.inFlight() === 0);
  expect(await openHolds(gateway)).toBe(0);
}

describe.each(cases)('a stream in the format of %s that goes on with nothing but %s', (_name, _what, format, text) => {
  it('is an error before its first word, and costs nothing', async () => {
    const balance = await gateway.quotaOf(gateway.userId);
    gateway.upstream.respond(endless(format.start, text));
    const response = await ask(format);
    expect(response.status).toBe(504);
    expect(await response.text()).toContain('stopped sending the response');
    await expectEnded();
    expect(await gateway.quotaOf(gateway.userId)).toBe(balance);
  });

  it('ends with an error in the middle, and what was said is charged', async () => {
    gateway.upstream.respond(endless(format.start + format.word, text));
    const response = await ask(format);
    expect(response.status).toBe(200);
    const written = await response.text();
    expect(written).toContain('word ');
    expect(written).toContain('stopped sending the response');
    expect(written).not.toMatch(/\[DONE\]|message_stop|response\.completed/);
    await expectEnded();
    const row = await expectCharged(gateway);
    expect(row.other.outcome).toBe('broken');
    expect(row.completion_tokens).toBeGreaterThan(0);
  });
});

it('a stream that goes on with nothing but the same usage ends, and costs nothing without a word', async () => {
  const balance = await gateway.quotaOf(gateway.userId);
  const format = formats.chat as Format;
  gateway.upstream.respond(endless(format.start, write({ ...says(''), choices: [], usage })));
  expect(await (await ask(format)).text()).toContain('stopped sending the response');
  await expectEnded();
  expect(await gateway.quotaOf(gateway.userId)).toBe(balance);
});

describe('a plain response', () => {
  it.each(['as-chat', 'as-claude'])('that comes a byte at a time is given up (%s)', async (model) => {
    const balance = await gateway.quotaOf(gateway.userId);
    gateway.upstream.respond(endless('{"id":"', 'x', 'application/json'));
    const response = await ask({ path: '/v1/chat/completions', model, body: formats.chat?.body ?? {} }, false);
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ error: { code: 'upstream_no_progress' } });
    await expectEnded();
    expect(await gateway.quotaOf(gateway.userId)).toBe(balance);
  });

  it('that is long and comes in good pieces is whole', async () => {
    const body = JSON.stringify(chatResponse(usage, 'x'.repeat(300_000)));
    const parts = body.match(/.{1,20000}/gs) ?? [];
    gateway.upstream.respond({
      headers: { 'content-type': 'application/json' },
      pieces: parts.map((part) => Buffer.from(part)),
      delayMs: 60,
    });
    const response = await ask(
      { path: '/v1/chat/completions', model: 'as-chat', body: formats.chat?.body ?? {} },
      false,
    );
    expect(await response.text()).toBe(body);
  });
});

describe('a slow stream', () => {
  const sound = (index: number) => chat({ audio: { id: 'a', data: `AAAA${index}` } });
  it.each<[string, (index: number) => string]>([
    ['words', () => chat({ content: 'word ' })],
    ['reasoning', () => chat({ reasoning_content: 'think ' })],
    ['arguments of a tool', () => chat({ tool_calls: [{ index: 0, function: { arguments: '1' } }] })],
    ['sound', sound],
    ['usage that grows', (index) => write({ ...says(''), choices: [], usage: { ...usage, completion_tokens: index } })],
  ])('goes on for as long as it brings %s', async (_what, piece) => {
    const parts = Array.from({ length: 16 }, (_, index) => piece(index + 1));
    const texts = [chat({ content: 'first ' }), ...parts, write(stops), done];
    gateway.upstream.respond({
      headers: { 'content-type': 'text/event-stream' },
      pieces: texts.map((text) => Buffer.from(text)),
      // Sixteen of them take twice as long as is allowed without any.
      delayMs: progressMs / 8,
    });
    const response = await ask({ path: '/v1/chat/completions', model: 'as-chat', body: formats.chat?.body ?? {} });
    expect(await response.text()).toContain('[DONE]');
    expect((await gateway.lastLog())?.other.outcome).toBe('complete');
  });
});
