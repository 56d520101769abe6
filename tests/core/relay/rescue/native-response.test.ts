import OpenAI from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import type { FakeResponse } from '../../../support/upstream-script.ts';

const usage = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 8 },
  total_tokens: 50,
};
const models = Array.from({ length: 60 }, (_, index) => `m-${index}`);

/** A response as OpenAI streams it, with the ids of one upstream: hidden thoughts, text, a tool call. */
function vendorStream(upstream: string): string[] {
  const response = {
    id: `resp_${upstream}`,
    object: 'response',
    created_at: 1_767_322_800,
    status: 'in_progress',
    model: 'm',
    output: [] as unknown[],
    store: true,
    metadata: {},
    tools: [],
  };
  const thought = { id: `rs_${upstream}`, type: 'reasoning', summary: [] };
  const text = { type: 'output_text', text: 'One two three.', annotations: [], logprobs: [] };
  const message = { id: `msg_${upstream}`, type: 'message', status: 'in_progress', role: 'assistant', content: [] };
  const saidMessage = { ...message, status: 'completed', content: [text] };
  const call = { id: `fc_${upstream}`, type: 'function_call', status: 'in_progress', call_id: 'call_1', name: 'look' };
  const madeCall = { ...call, status: 'completed', arguments: '{"at":"Oslo"}' };
  const inMessage = { item_id: message.id, output_index: 1, content_index: 0 };
  const inCall = { item_id: call.id, output_index: 2 };
  const events: ({ type: string } & Record<string, unknown>)[] = [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    { type: 'response.output_item.added', output_index: 0, item: thought },
    { type: 'response.output_item.done', output_index: 0, item: thought },
    { type: 'response.output_item.added', output_index: 1, item: message },
    { type: 'response.content_part.added', ...inMessage, part: { ...text, text: '' } },
    ...['One ', 'two ', 'three.'].map((delta) => ({
      type: 'response.output_text.delta',
      ...inMessage,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...inMessage, text: text.text, logprobs: [] },
    { type: 'response.content_part.done', ...inMessage, part: text },
    { type: 'response.output_item.done', output_index: 1, item: saidMessage },
    { type: 'response.output_item.added', output_index: 2, item: { ...call, arguments: '' } },
    { type: 'response.function_call_arguments.delta', ...inCall, delta: '{"at":' },
    { type: 'response.function_call_arguments.delta', ...inCall, delta: '"Oslo"}' },
    { type: 'response.function_call_arguments.done', ...inCall, name: 'look', arguments: madeCall.arguments },
    { type: 'response.output_item.done', output_index: 2, item: madeCall },
    {
      type: 'response.completed',
      response: { ...response, status: 'completed', output: [thought, saidMessage, madeCall], usage },
    },
  ];
  return events.map(
    ({ type, ...members }, index) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: index, ...members })}\n\n`,
  );
}

const sent = (events: string[]): FakeResponse => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: Buffer.from(events.join('')),
});

let gateway: TestGateway;
let calls = 0;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))));
  for (const name of ['one', 'other']) await gateway.addChannel({ name, models: models.join(',') });
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

/** What the `openai` package makes of the stream, and every event of it. */
async function asked() {
  const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const stream = client.responses.stream({ model: models[calls++ % models.length] ?? '', input: 'hi' });
  const events: ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return { events, response: await stream.finalResponse() };
}

const cuts = vendorStream('first').map((event, index, all) => ({ index, after: event.split('\n')[0], of: all.length }));

describe('a stream of the Responses API that passes as it is', () => {
  // From the first text on: before it nothing has gone out, and another channel serves from the start.
  it.each(cuts.slice(6, -1))(
    'goes on in its own names when it breaks off after event $index, $after',
    async ({ index }) => {
      gateway.upstream.respond(sent(vendorStream('first').slice(0, index + 1)), sent(vendorStream('second')));
      const { events, response } = await asked();
      expect(gateway.upstream.requests).toHaveLength(2);
      expect(JSON.stringify(events)).not.toContain('_second');
      expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, number) => number));
      const once = events
        .filter(({ type }) => !type.endsWith('.delta'))
        .map((event) => JSON.stringify([event.type, event]));
      expect(new Set(once.map((text) => text.replace(/"sequence_number":\d+/, ''))).size).toBe(once.length);
      expect(response).toMatchObject({
        id: 'resp_first',
        status: 'completed',
        store: false,
        output: [
          { id: 'rs_first', type: 'reasoning' },
          { id: 'msg_first', content: [{ text: 'One two three.' }] },
          { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"at":"Oslo"}' },
        ],
        usage: { input_tokens: 30, output_tokens: 20 },
      });
      const names = events.flatMap((event) => ('item_id' in event ? [event.item_id] : []));
      expect(response.output.map(({ id }) => id)).toEqual(expect.arrayContaining([...new Set(names)]));
      expect(await gateway.lastLog()).toMatchObject({ prompt_tokens: 30, completion_tokens: 20, quota: 50 });
      await gateway.verifyBooks();
    },
  );

  it('ends with an error where one item has several texts, which no other upstream can be put after', async () => {
    const events = vendorStream('first');
    const second = events.slice(5, 7).map((event) => event.replace('"content_index":0', '"content_index":1'));
    gateway.upstream.respond(sent([...events.slice(0, 9), ...second]), sent(vendorStream('second')));
    expect((await asked()).response.status).toBe('failed');
    expect(gateway.upstream.requests).toHaveLength(1);
  });

  it('cannot be named by a later call: no upstream has kept what two have said', async () => {
    gateway.upstream.respond(sent(vendorStream('first').slice(0, 8)), sent(vendorStream('second')));
    const { response } = await asked();
    const later = await gateway.call('/v1/responses', {
      model: models[0],
      input: 'and?',
      previous_response_id: response.id,
    });
    expect(later.status).toBe(400);
    expect(await later.text()).toContain('resp_first');
  });
});
