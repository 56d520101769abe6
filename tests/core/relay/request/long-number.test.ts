import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
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

describe('a whole number of many digits in the arguments of a call', () => {
  it.each([false, true])('comes from Google with all of them (stream: %s)', async (stream) => {
    const plain = { status: 200, body: Buffer.from(called), headers: { 'content-type': 'application/json' } };
    gateway.upstream.always(stream ? streamOf([`data: ${called}\n\n`]) : plain);
    const messages = [{ role: 'user', content: 'hi' }];
    const response = await gateway.call('/v1/chat/completions', { model: 'gemini-2.5-flash', messages, tools, stream });
    expect(await response.text()).toContain(asText);
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
