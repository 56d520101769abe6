import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';
import { streamOf } from '../responses.ts';

/** An id as chat services make them: a double would round it to 1234567890123456800. */
const id = '1234567890123456789';
const args = `{"id":${id},"text":"say \\"${id}\\"","rows":[-${id},5]}`;
/** As OpenAI has it. */
const asText = JSON.stringify(args).slice(1, -1);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.setOption('SelfUseModeEnabled', 'true');
  await gateway.addChannel({ type: 24, models: 'gemini-2.5-flash' });
  await gateway.addChannel({ type: 14, models: 'claude-sonnet-4-5' });
});
afterEach(() => gateway.upstream.reset());
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});

const usage = '"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":2,"totalTokenCount":6}';
const called = `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"find","args":${args}}}]},"finishReason":"STOP"}],${usage}}`;
const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object', properties: {} } } }];

/** As Anthropic has it. */
const used = `{"type":"tool_use","id":"toolu_1","name":"find","input":${args}}`;
const message = `{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[${used}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":4,"output_tokens":2}}`;
const streamed = [
  'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":4,"output_tokens":1}}}\n\n',
  `event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":${used}}\n\n`,
  'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":2}}\n\n',
  'event: message_stop\ndata: {"type":"message_stop"}\n\n',
];

describe('a whole number of many digits in the arguments of a call', () => {
  it.each([false, true])('comes from Google with all of them (stream: %s)', async (stream) => {
    const plain = { status: 200, body: Buffer.from(called), headers: { 'content-type': 'application/json' } };
    gateway.upstream.always(stream ? streamOf([`data: ${called}\n\n`]) : plain);
    const messages = [{ role: 'user', content: 'hi' }];
    const response = await gateway.call('/v1/chat/completions', { model: 'gemini-2.5-flash', messages, tools, stream });
    expect(await response.text()).toContain(asText);
  });

  it.each([false, true])('comes from Anthropic with all of them (stream: %s)', async (stream) => {
    const plain = { status: 200, body: Buffer.from(message), headers: { 'content-type': 'application/json' } };
    gateway.upstream.always(stream ? streamOf(streamed) : plain);
    const messages = [{ role: 'user', content: 'hi' }];
    const response = await gateway.call('/v1/chat/completions', {
      model: 'claude-sonnet-4-5',
      messages,
      tools,
      stream,
    });
    expect(await response.text()).toContain(asText);
  });

  it.each([
    ['gpt-4o-mini', asText],
    ['gemini-2.5-flash', args],
  ])('comes from a client of Anthropic’s with all of them: %s', async (model, written) => {
    const messages = `[{"role":"user","content":"hi"},{"role":"assistant","content":[${used}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}]`;
    await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': gateway.key, 'content-type': 'application/json' },
      body: `{"model":"${model}","max_tokens":9,"messages":${messages}}`,
    });
    expect(gateway.upstream.requests[0]?.body.toString()).toContain(written);
  });

  it.each(['/v1/messages', '/v1beta'])('goes to a client of %s with all of them', async (path) => {
    const toolCalls = [{ id: 'call_1', type: 'function', function: { name: 'find', arguments: args } }];
    const choices = [
      { index: 0, message: { role: 'assistant', content: null, tool_calls: toolCalls }, finish_reason: 'tool_calls' },
    ];
    const usage = { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 };
    gateway.upstream.always(
      json(200, { id: 'c', object: 'chat.completion', created: 1, model: 'gpt-4o-mini', choices, usage }),
    );
    const isMessages = path === '/v1/messages';
    const response = await fetch(`${gateway.url}${isMessages ? path : '/v1beta/models/gpt-4o-mini:generateContent'}`, {
      method: 'POST',
      headers: { 'x-api-key': gateway.key, 'x-goog-api-key': gateway.key, 'content-type': 'application/json' },
      body: JSON.stringify(
        isMessages
          ? { model: 'gpt-4o-mini', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }
          : { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
      ),
    });
    expect(await response.text()).toContain(args);
  });

  it.each([
    ['gpt-4o-mini', asText],
    ['claude-sonnet-4-5', args],
  ])('comes from a client of Google’s with all of them: %s', async (model, written) => {
    const contents = `[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"functionCall":{"name":"find","args":${args}}}]},{"role":"user","parts":[{"functionResponse":{"name":"find","response":{"ok":true}}}]}]`;
    await fetch(`${gateway.url}/v1beta/models/${model}:generateContent`, {
      method: 'POST',
      headers: { 'x-goog-api-key': gateway.key, 'content-type': 'application/json' },
      body: `{"contents":${contents}}`,
    });
    expect(gateway.upstream.requests[0]?.body.toString()).toContain(written);
  });
});
