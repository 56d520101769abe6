import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { collectSse } from '../../../support/sse.ts';
import { type LogEntry, startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { type FakeResponse, failure, fixture, fixtureBytes, stall } from '../../../support/upstream-script.ts';
import { attemptsOf, waitFor } from '../relay-checks.ts';
import { done, says, stops, streamOf, uses } from '../responses.ts';

const idleMs = 400;
let gateway: TestGateway;
let cases = 0;

beforeAll(async () => {
  gateway = await startGateway('sqlite', {}, { limits: { idleMs, progressMs: 2 * idleMs } });
});
afterEach(async () => {
  gateway.upstream.reset();
  await gateway.setOption('StreamRescue', 'exact');
  await gateway.verifyBooks();
});
afterAll(() => gateway.stop());

/** A model of its own, at 1,000,000 tokens for 2 dollars, with as many channels as asked for. */
async function model(channels = 2, input: Record<string, unknown> = {}): Promise<string> {
  cases += 1;
  const name = `rescued-${cases}`;
  const prices = Array.from({ length: cases }, (_, index) => [`rescued-${index + 1}`, 1]);
  await gateway.setOption('ModelRatio', JSON.stringify(Object.fromEntries(prices)));
  for (let index = 0; index < channels; index += 1)
    await gateway.addChannel({ name: `c${index}`, models: name, ...input });
  return name;
}

const whole = [says('One '), says('two '), says('three '), says('four.'), stops, uses(30, 9), done];
const sentBefore = (count: number) =>
  Buffer.byteLength(streamOf(whole.slice(0, count)).pieces?.map(String).join('') ?? '');
const cutAfter = (count: number): FakeResponse => streamOf(whole, { end: { after: sentBefore(count), how: 'cut' } });
async function lastRow(): Promise<LogEntry> {
  const row = await gateway.lastLog();
  if (!row) throw new Error('there is no row');
  return row;
}
const chat = (name: string, more: Record<string, unknown> = {}) => gateway.chat({ model: name, stream: true, ...more });

const say = (index: number, content: string) => ({
  ...says(content),
  choices: [{ index, delta: { content }, finish_reason: null }],
});
const stallAfter = (parts: object[]): FakeResponse =>
  stall('body', streamOf([...parts, says('never sent')]), Buffer.byteLength(String(streamOf(parts).pieces)));

/** What a client reads of one of several choices. */
function textOf(chunks: Record<string, unknown>[], choice: number): string {
  return chunks
    .flatMap(({ choices }) => choices as { index: number; delta: { content?: string } }[] | undefined)
    .map((one) => (one?.index === choice ? (one.delta.content ?? '') : ''))
    .join('');
}

describe('the bill of a stream that another upstream went on with', () => {
  it('is for one prompt and what was said once; the row tells what the first upstream cost', async () => {
    const name = await model();
    gateway.upstream.respond(cutAfter(2), streamOf(whole));
    const before = await gateway.quotaOf(gateway.userId);
    const { text, done: ends, chunks } = await collectSse(await chat(name));
    expect(text).toBe('One two three four.');
    expect(ends).toBe(1);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    const row = await lastRow();
    expect(row).toMatchObject({ prompt_tokens: 30, completion_tokens: 9, quota: 30 + 9 * 1, content: '' });
    expect(row.other).toMatchObject({ outcome: 'complete', usage_source: 'upstream', rescued: true });
    expect(before - (await gateway.quotaOf(gateway.userId))).toBe(row.quota);
    const [first, second] = attemptsOf(row);
    expect(first).toMatchObject({
      outcome: 'broken',
      spent: { prompt: expect.any(Number), completion: expect.any(Number) },
    });
    expect(second).toMatchObject({ outcome: 'ok', channel: row.channel_id });
    expect(second).not.toHaveProperty('spent');
    expect(first?.channel).not.toBe(second?.channel);
  });

  it('is for what was delivered once when the second upstream breaks off as well', async () => {
    const name = await model(2);
    gateway.upstream.always(cutAfter(2));
    gateway.upstream.respond(cutAfter(2), cutAfter(3));
    const response = await collectSse(await chat(name)).catch((error: Error) => error);
    const row = await lastRow();
    expect(row.content).toBe('broken');
    expect(row.other.usage_source).toBe('counted');
    // "One two three " and the prompt of one message, counted by ourselves.
    expect(row.completion_tokens).toBeLessThan(6);
    expect(attemptsOf(row).length).toBeGreaterThan(2);
    expect(response).not.toBeInstanceOf(Error);
    expect((response as { text: string }).text).toBe('One two three ');
    expect((response as { done: number }).done).toBe(0);
  });

  it('is for what was delivered when the second upstream says something else, of which the client sees nothing', async () => {
    const name = await model(2);
    const other = streamOf([says('One '), says('2 '), says('three.'), stops, uses(30, 9), done]);
    gateway.upstream.always(other);
    gateway.upstream.respond(cutAfter(2));
    const { text, done: ends, events } = await collectSse(await chat(name));
    expect(text).toBe('One two ');
    expect(ends).toBe(0);
    expect(events.at(-1)?.data).toContain('"error"');
    const row = await lastRow();
    expect(row.content).toBe('broken');
    const last = attemptsOf(row).at(-1);
    expect(last).toMatchObject({ outcome: 'rescue_differs', spent: { completion: expect.any(Number) } });
  });
});

describe('what is billed after a rescue that did not help', () => {
  it('is all that was delivered, also of a choice that the second upstream had not come to', async () => {
    const name = await model(2);
    const [first, both] = [
      'first of two choices, with many words. ',
      'second of two choices, and more words than the first has. ',
    ];
    const begun = [say(0, first), say(1, both), say(1, both)];
    gateway.upstream.always(failure(500));
    gateway.upstream.respond(streamOf(begun), streamOf([say(0, first), say(0, 'and on')]));
    const { chunks } = await collectSse(await chat(name, { n: 2 }));
    expect(textOf(chunks, 0)).toBe(`${first}and on`);
    expect(textOf(chunks, 1)).toBe(both + both);
    const row = await lastRow();
    // 8 + 2 + 12 + 12 tokens, about; without the second choice a third of them.
    expect(row.completion_tokens).toBeGreaterThan(25);
  });

  it('is all that was delivered when the client leaves before the second upstream has caught up', async () => {
    const name = await model(2);
    const words = 'many words that were delivered before it broke off, and that have to be paid for. ';
    const rows = await gateway.logCount();
    gateway.upstream.respond(streamOf([says(words), says(words)]), stallAfter([says(words.slice(0, 9))]));
    const leaving = new AbortController();
    const response = await gateway.chat({ model: name, stream: true }, { signal: leaving.signal });
    await response.body?.getReader().read();
    await gateway.upstream.waitForRequests(2);
    await new Promise((resolve) => setTimeout(resolve, 100));
    leaving.abort();
    await waitFor('the row', async () => (await gateway.logCount()) > rows);
    const row = await lastRow();
    expect(row.content).toBe('clientGone');
    expect(row.completion_tokens).toBeGreaterThan(25);
  });

  it('keeps a comment of the second upstream from counting as a part of its response', async () => {
    const name = await model(2);
    const words = 'many words that were delivered before it broke off, and that have to be paid for. ';
    gateway.upstream.always(failure(500));
    gateway.upstream.respond(
      streamOf([says(words), says(words)]),
      streamOf([': still thinking\n\n', says(words.slice(0, 9))]),
    );
    const { text } = await collectSse(await chat(name));
    expect(text).toBe(words + words);
    expect((await lastRow()).completion_tokens).toBeGreaterThan(25);
  });
});

describe('a stream that breaks off', () => {
  it('is gone on with on the same channel where there is no other', async () => {
    const name = await model(1);
    gateway.upstream.respond(cutAfter(3), streamOf(whole));
    expect((await collectSse(await chat(name))).text).toBe('One two three four.');
  });

  it('is gone on with when the upstream falls silent, on another channel only', async () => {
    const name = await model(2);
    gateway.upstream.respond({ ...cutAfter(2), end: { after: sentBefore(2), how: 'stall' } }, streamOf(whole));
    expect((await collectSse(await chat(name))).text).toBe('One two three four.');
    const alone = await model(1);
    gateway.upstream.respond({ ...cutAfter(2), end: { after: sentBefore(2), how: 'stall' } }, streamOf(whole));
    expect((await collectSse(await chat(alone))).text).toBe('One two ');
  });

  it.each([
    ['an event that is not JSON', 'data: {"id":\n\n'],
    ['an error of the upstream', 'data: {"error":{"message":"overloaded","type":"server_error"}}\n\n'],
  ])('is gone on with after %s', async (_name, garbage) => {
    const name = await model(2);
    gateway.upstream.respond(streamOf([says('One '), says('two '), garbage]), streamOf(whole));
    expect((await collectSse(await chat(name))).text).toBe('One two three four.');
  });

  it('is gone on with when a reset met it and the next channel refuses', async () => {
    const name = await model(3);
    gateway.upstream.respond(cutAfter(2), failure(500), failure(500), streamOf(whole));
    expect((await collectSse(await chat(name))).text).toBe('One two three four.');
  });

  it('keeps the choices of a call apart', async () => {
    const name = await model(2);
    const end = (index: number) => ({ ...stops, choices: [{ index, delta: {}, finish_reason: 'stop' }] });
    const both = [say(0, 'a '), say(1, 'x '), say(0, 'b'), say(1, 'y'), end(0), end(1), uses(30, 9), done];
    // The other upstream says the same in another order.
    const turned = [say(1, 'x y'), say(0, 'a b'), end(1), end(0), uses(30, 9), done];
    gateway.upstream.respond(streamOf(both.slice(0, 3)), streamOf(turned));
    const { chunks } = await collectSse(await chat(name, { n: 2 }));
    expect([textOf(chunks, 0), textOf(chunks, 1)]).toEqual(['a b', 'x y']);
  });

  it('ends with an error when the operator has switched rescue off', async () => {
    await gateway.setOption('StreamRescue', 'off');
    const name = await model(2);
    gateway.upstream.respond(cutAfter(2), streamOf(whole));
    expect((await collectSse(await chat(name))).text).toBe('One two ');
    expect(gateway.upstream.requests).toHaveLength(1);
  });

  it('ends with an error where an upstream ran tools of its own, which would run twice', async () => {
    const name = await model(2, { type: 14 });
    const bytes = fixtureBytes('anthropic/message-search.sse');
    const after = bytes.indexOf('message_delta') - 20;
    gateway.upstream.always({ ...fixture('anthropic/message-search.sse'), end: { after, how: 'cut' } });
    const response = await gateway.call('/v1/messages', {
      model: name,
      max_tokens: 99,
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(await response.text()).toContain('event: error');
    expect(gateway.upstream.requests).toHaveLength(1);
  });

  it('is not gone on with once its client has left, and is settled for what it has', async () => {
    const name = await model(2);
    gateway.upstream.respond({ ...cutAfter(2), end: { after: sentBefore(2), how: 'stall' } }, stall('headers'));
    const leaving = new AbortController();
    const rows = await gateway.logCount();
    const response = await chat(name).then(
      async (reply) => reply,
      () => undefined,
    );
    const reading = response?.body?.getReader();
    await reading?.read();
    await gateway.upstream.waitForRequests(2);
    leaving.abort();
    await reading?.cancel();
    await waitFor('the row', async () => (await gateway.logCount()) > rows);
    expect((await gateway.lastLog())?.content).toBe('clientGone');
    expect((await gateway.lastLog())?.completion_tokens).toBeGreaterThan(0);
  });
});

describe('through the SDKs', () => {
  it('reads whole from openai, text and tool call', async () => {
    const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const name = await model(2);
    const bytes = fixtureBytes('openai/chat-tool.sse');
    gateway.upstream.respond(
      { ...fixture('openai/chat-tool.sse'), end: { after: bytes.length / 2, how: 'reset' } },
      'openai/chat-tool.sse',
    );
    const stream = client.chat.completions.stream({ model: name, messages: [{ role: 'user', content: 'hi' }] });
    const { choices } = await stream.finalChatCompletion();
    const call = choices[0]?.message.tool_calls?.[0];
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toBeTypeOf('object');
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(gateway.upstream.requests).toHaveLength(2);
  });

  it('reads whole from @anthropic-ai/sdk, on an upstream of its own and of another protocol', async () => {
    const client = new Anthropic({ apiKey: gateway.key, baseURL: gateway.url, maxRetries: 0 });
    const name = await model(1);
    await gateway.addChannel({ name: 'claude', type: 14, models: name });
    const spoken = [
      {
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
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'One two' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' three four.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    for (let call = 0; call < 6; call += 1) {
      const seen = gateway.upstream.requests.length;
      // Whichever of both is asked first breaks off.
      gateway.upstream.always(({ path }) => {
        const isFirst = gateway.upstream.requests.length === seen + 1;
        if (path.startsWith('/v1/messages')) return streamOf(isFirst ? spoken.slice(0, 3) : spoken);
        return isFirst ? cutAfter(2) : streamOf(whole);
      });
      const stream = client.messages.stream({
        model: name,
        max_tokens: 99,
        messages: [{ role: 'user', content: 'hi' }],
      });
      const message = await stream.finalMessage();
      expect(message.content).toMatchObject([{ type: 'text', text: 'One two three four.' }]);
      expect(message.stop_reason).toBe('end_turn');
    }
    await expect.poll(async () => (await gateway.lastLog())?.quota).toBe(39);
  });
});
