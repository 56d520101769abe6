import Anthropic from '@anthropic-ai/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { collectSse } from '../../../support/sse.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { type FakeResponse, failure } from '../../../support/upstream-script.ts';
import { attemptsOf } from '../relay-checks.ts';
import { done, says, stops, streamOf, uses } from '../responses.ts';

type Body = { messages: Record<string, unknown>[]; max_tokens?: number; max_completion_tokens?: number };

let gateway: TestGateway;
let cases = 0;

beforeAll(async () => {
  gateway = await startGateway('sqlite', {}, { limits: { idleMs: 400, progressMs: 800 } });
});
afterEach(async () => {
  gateway.upstream.reset();
  await gateway.setOption('StreamRescue', 'exact');
  await gateway.setOption('GroupStreamRescue', '{}');
  await gateway.verifyBooks();
});
afterAll(() => gateway.stop());

/** A model at 1,000,000 tokens for 2 dollars: first an OpenAI channel, then the one that is to go on. */
async function model(next: Record<string, unknown>, given?: string): Promise<string> {
  cases += 1;
  const name = given ?? `begun-${cases}`;
  await gateway.setOption('ModelRatio', JSON.stringify({ [name]: 1 }));
  await gateway.app.database.channels.update({ status: 2 }, { where: {} });
  await gateway.addChannel({ name: 'first', models: name, priority: 9 });
  await gateway.addChannel({ name: 'next', models: name, ...next });
  return name;
}

const begun = streamOf([says('One '), says('two ')]);
const rest = (...pieces: string[]) => streamOf([...pieces.map(says), stops, uses(60, 4), done]);
const look = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
const claude = { type: 14, model_mapping: '' };

/** Claude's stream of a text. */
function spoken(...pieces: string[]): FakeResponse {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
  const events: ({ type: string } & Record<string, unknown>)[] = [
    { type: 'message_start', message: { ...message, usage: { input_tokens: 60, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  ];
  return streamOf(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
}

const chat = async (name: string, more: Record<string, unknown> = {}) =>
  collectSse(await gateway.chat({ model: name, stream: true, ...more }));
const bodyOf = (index: number) => JSON.parse(gateway.upstream.requests[index]?.body.toString() ?? '{}') as Body;

describe('a vendor that goes on with a turn that has begun', () => {
  it('gets what was delivered as the start of its response, and says the rest alone', async () => {
    const name = await model(claude, 'claude-3-5-haiku-20241022');
    gateway.upstream.respond(begun, spoken(' three ', 'four.'));
    const { text, done: ends, chunks } = await chat(name, { max_tokens: 500 });
    expect(text).toBe('One two three four.');
    expect(ends).toBe(1);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    const { messages, max_tokens: bound } = bodyOf(1);
    // Anthropic refuses a turn that ends with a blank.
    expect(messages.at(-1)).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'One two' }] });
    expect(bound).toBe(498);
    const row = await gateway.lastLog();
    // One prompt and what was delivered, as we count them; the second upstream's prompt has both.
    expect(row?.other).toMatchObject({ usage_source: 'counted', rescued: true, outcome: 'complete' });
    expect(row?.prompt_tokens).toBeLessThan(30);
    expect(row?.completion_tokens).toBe(5);
    const [first, second] = row ? attemptsOf(row) : [];
    expect(first).toMatchObject({ outcome: 'broken', spent: { completion: expect.any(Number) } });
    expect(second).toMatchObject({ outcome: 'ok', continued: 'prefill', spent: { prompt: 60, completion: 4 } });
  });

  it('goes on for a client of its own protocol, in the block that is open', async () => {
    const name = await model(claude, 'claude-sonnet-4-5');
    const client = new Anthropic({ apiKey: gateway.key, baseURL: gateway.url, maxRetries: 0 });
    gateway.upstream.respond(begun, spoken('three ', 'four.'));
    const stream = client.messages.stream({ model: name, max_tokens: 99, messages: [{ role: 'user', content: 'hi' }] });
    const message = await stream.finalMessage();
    expect(message.content).toMatchObject([{ type: 'text', text: 'One two three four.' }]);
    expect(message.stop_reason).toBe('end_turn');
    expect(message.usage.output_tokens).toBe(5);
  });

  it('is told so by the member that its vendor names', async () => {
    const name = await model({ type: 25 }, 'moonshot-v1-8k');
    gateway.upstream.respond(begun, rest('three ', 'four.'));
    expect((await chat(name)).text).toBe('One two three four.');
    expect(bodyOf(1).messages.at(-1)).toEqual({ role: 'assistant', content: 'One two', partial: true });
  });

  it('is sent the call as it was when it refuses to', async () => {
    const name = await model(claude, 'claude-3-opus-20240229');
    gateway.upstream.respond(begun, failure(400), spoken('One two ', 'three ', 'four.'));
    expect((await chat(name)).text).toBe('One two three four.');
    expect(bodyOf(2).messages.at(-1)).toMatchObject({ role: 'user' });
    expect((await gateway.lastLog())?.other).toMatchObject({ usage_source: 'upstream' });
  });

  it.each([
    ['a model whose vendor refuses it', 'claude-opus-4-6', {}],
    ['a model that is to think first', 'claude-sonnet-4-5', { reasoning_effort: 'high' }],
    ['several choices', 'claude-3-haiku-20240307', { n: 2 }],
    ['JSON', 'claude-3-haiku-20240307', { response_format: { type: 'json_object' } }],
    ['a call that has to call a tool', 'claude-3-haiku-20240307', { tools: [look], tool_choice: 'required' }],
    [
      'a turn that the client itself began',
      'claude-3-haiku-20240307',
      { messages: [{ role: 'assistant', content: 'So' }] },
    ],
  ])('is sent the whole call for %s', async (_case, name, more) => {
    await model(claude, name);
    gateway.upstream.respond(begun, spoken('One two ', 'three.'));
    await chat(name, { messages: [{ role: 'user', content: 'hi' }], ...more }).catch(() => undefined);
    const last = gateway.upstream.requests.at(-1)?.body.toString() ?? '';
    expect(last).not.toContain('One two');
  });

  it('may break off as well: the next one goes on from there, and only what was delivered is paid', async () => {
    const name = await model(claude, 'claude-3-5-sonnet-20241022');
    await gateway.addChannel({ name: 'last', type: 14, models: name });
    const broken = spoken('three ', 'four.');
    gateway.upstream.respond(begun, { ...broken, pieces: broken.pieces?.slice(0, 3) ?? [] }, spoken('four.'));
    expect((await chat(name)).text).toBe('One two three four.');
    expect(bodyOf(2).messages.at(-1)).toMatchObject({ content: [{ text: 'One two three' }] });
    expect((await gateway.lastLog())?.completion_tokens).toBe(5);
  });
});

describe('an upstream that is asked to go on', () => {
  const differs = rest('Eins ', 'zwei.');
  const wish = 'Go on from exactly';
  const askedFor = () => gateway.upstream.requests.filter(({ body }) => body.toString().includes(wish));

  /** Breaks off, says something else as often as it is asked for the whole, and the rest when it is asked for that. */
  function respond(first: FakeResponse, last: FakeResponse): void {
    const seen = gateway.upstream.requests.length;
    gateway.upstream.always(({ body }) => {
      if (gateway.upstream.requests.length === seen + 1) return first;
      return body.toString().includes(wish) ? last : differs;
    });
  }

  it('is shown what was delivered, with the wish to go on, when its own response is another one', async () => {
    await gateway.setOption('StreamRescue', 'any');
    const name = await model({});
    respond(begun, rest('three ', 'four.'));
    expect((await chat(name)).text).toBe('One two three four.');
    const { messages } = JSON.parse(askedFor()[0]?.body.toString() ?? '{}') as Body;
    expect(messages.at(-2)).toMatchObject({ role: 'assistant', content: 'One two' });
    expect(messages.at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining(wish) });
    const row = await gateway.lastLog();
    expect(row).toMatchObject({ completion_tokens: 5, content: '' });
    const attempts = row ? attemptsOf(row) : [];
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['broken', 'rescue_differs', 'rescue_differs', 'ok']);
    expect(attempts.at(-1)).toMatchObject({ continued: 'instructed', spent: { prompt: 60, completion: 4 } });
  });

  it('says nothing twice that it repeats at first', async () => {
    await gateway.setOption('StreamRescue', 'any');
    const name = await model({});
    const long = streamOf([says('The quick brown fox jumps over ')]);
    respond(long, rest('brown fox ', 'jumps over the ', 'dog.'));
    expect((await chat(name)).text).toBe('The quick brown fox jumps over the dog.');
  });

  it('may call a tool after the text', async () => {
    await gateway.setOption('StreamRescue', 'any');
    const name = await model({});
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } };
    const delta = { ...says(''), choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] };
    const end = { ...stops, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
    respond(begun, streamOf([says('three.'), delta, end, uses(60, 9), done]));
    const { text, chunks } = await chat(name);
    expect(text).toBe('One two three.');
    expect(JSON.stringify(chunks)).toContain('{\\"at\\":1}');
    expect(JSON.stringify(chunks.at(-1))).toContain('tool_calls');
  });

  it.each([
    ['is asked in a group where the operator allows it', 'exact', '{"default":"any"}', '', true],
    ['is not asked in a group where the operator does not', 'any', '{"default":"exact"}', '', false],
    ['is asked on a channel where the operator allows it', 'exact', '{}', '{"stream_rescue":"any"}', true],
    ['is not asked on a channel where the operator does not', 'any', '{}', '{"stream_rescue":"exact"}', false],
  ])('%s', async (_case, all, groups, setting, isAsked) => {
    await gateway.setOption('StreamRescue', all);
    await gateway.setOption('GroupStreamRescue', groups);
    const name = await model({ setting });
    respond(begun, rest('three.'));
    const { text, done: ends } = await chat(name);
    expect([text, ends]).toEqual(isAsked ? ['One two three.', 1] : ['One two ', 0]);
    expect(askedFor()).toHaveLength(isAsked ? 1 : 0);
  });

  it('is left alone on a channel that takes over no streams', async () => {
    const name = await model({ setting: '{"stream_rescue":"off"}' });
    gateway.upstream.respond(begun, rest('One two ', 'three.'));
    await chat(name);
    const row = await gateway.lastLog();
    expect(new Set(row && attemptsOf(row).map(({ channel }) => channel))).toEqual(new Set([row?.channel_id]));
  });

  it.each([
    ['JSON', { response_format: { type: 'json_object' } }],
    ['several choices', { n: 2 }],
  ])('is not asked for the rest of %s', async (_case, more) => {
    await gateway.setOption('StreamRescue', 'any');
    const name = await model({});
    respond(begun, rest('three.'));
    expect((await chat(name, more)).text).toBe('One two ');
    expect(askedFor()).toEqual([]);
  });

  it('is not asked to when a tool call had begun', async () => {
    await gateway.setOption('StreamRescue', 'any');
    const name = await model({});
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":' } };
    const delta = { ...says(''), choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] };
    respond(streamOf([says('One '), delta]), rest('three.'));
    expect((await chat(name)).done).toBe(0);
    expect(askedFor()).toEqual([]);
  });
});

it('a setting or a channel that names another word is refused, with the words there are', async () => {
  await expect(gateway.setOption('GroupStreamRescue', '{"vip":"sometimes"}')).rejects.toThrow(/off.*exact.*any/s);
  await expect(gateway.addChannel({ setting: '{"stream_rescue":"sometimes"}' })).rejects.toThrow(/off, exact, any/);
});
