import OpenAI, { NotFoundError } from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { logQuery } from '../../../../core/schemas/log.ts';
import { logsIn } from '../../../../core/services/log/text.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { type FakeResponse, failure, json, resolve } from '../../../support/upstream-script.ts';
import { waitFor } from '../relay-checks.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

const client = () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key });
const ask = () => client().responses.create({ model: 'gpt-4o-mini', input: 'hi' });
const path = '/v1/responses';

const served = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'gpt-4o-mini',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello', annotations: [] }] }],
  usage: { input_tokens: 20, output_tokens: 10, total_tokens: 30 },
};
const html = { status: 405, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>405 Not Allowed</h1>') };
const missing: [string, FakeResponse][] = [
  ['FastAPI', json(404, { detail: 'Not Found' })],
  ['llama.cpp', json(404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } })],
  ['a plain server', { status: 404, body: Buffer.from('404 page not found') }],
  ['nothing', { status: 404 }],
  ['nginx', html],
  ['one-api', failure(501, { code: 'api_not_implemented', message: 'API not implemented' })],
  ['another gateway', failure(404, { message: 'Invalid URL (POST /v1/responses)', type: 'invalid_request_error' })],
];

describe('an upstream without Responses', () => {
  it.each(missing)('as %s says it: the client is told of the setting, once', async (_name, response) => {
    gateway.upstream.route(path, response);
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: 'responses_not_offered' });
    expect(String(error)).toContain('{"responses":false}');
    expect(gateway.upstream.requests).toHaveLength(1);
    // Its chat is well: the channel is not paused.
    expect(gateway.gateway.relay.breaker.isWell(1)).toBe(true);
    expect((await gateway.chat()).status).toBe(200);
  });

  it('shows the operator the setting in the row of the call and beside the attempt, in the reader’s language', async () => {
    gateway.upstream.route(path, json(404, { detail: 'Not Found' }));
    const error = await ask().catch((thrown: unknown) => thrown as InstanceType<typeof NotFoundError>);
    const { logs } = gateway.app.services;
    const row = await waitFor('the row of the call', async () => {
      const { items } = await logs.list(systemActor, { ...logQuery.parse({}), page: 1 });
      return items.find(({ request_id }) => request_id === (error as NotFoundError).requestID);
    });
    for (const [language, words] of [
      ['en', 'has no Responses API (status 404)'],
      ['zh', '没有 Responses API（状态码 404）'],
    ] as const) {
      const [shown] = logsIn(language, [row]);
      const { attempts } = JSON.parse(shown?.other ?? '').admin_info;
      for (const text of [shown?.content, attempts[0].message]) {
        expect(text).toContain(words);
        expect(text).toContain('{"responses":false}');
      }
    }
  });

  it('leaves the call to another channel that has it', async () => {
    const id = await gateway.addChannel({ name: 'second', priority: -1 });
    gateway.upstream.respond(json(404, { detail: 'Not Found' }), json(200, served));
    expect((await ask()).output_text).toBe('Hello');
    const attempts = [
      { channel: 1, outcome: 'responses_not_offered', message: expect.stringContaining('upstream.noResponses') },
      { channel: id, outcome: 'ok' },
    ];
    expect(await gateway.lastLog()).toMatchObject({ other: { admin_info: { attempts } } });
    await gateway.app.services.channels.remove(systemActor, [id]);
    await gateway.gateway.refresh();
  });

  it('is converted to chat with that setting', async () => {
    const id = await gateway.addChannel({ name: 'as chat', priority: 1, setting: '{"responses":false}' });
    gateway.upstream.route(path, json(404, { detail: 'Not Found' }));
    expect((await ask()).output_text).toBe(gateway.upstream.defaults.text);
    expect(gateway.upstream.requests.map((request) => request.path)).toEqual(['/v1/chat/completions']);
    await gateway.app.services.channels.remove(systemActor, [id]);
    await gateway.gateway.refresh();
  });
});

describe('a refusal of what was asked for', () => {
  const things = [
    ['model_not_found', 'The model `gpt-4o-mini` does not exist or you do not have access to it.'],
    ['previous_response_not_found', "Previous response with id 'resp_1' not found."],
    [null, "Item with id 'rs_1' not found."],
  ] as const;
  it.each(things)('is not taken for that: %s', async (code, message) => {
    gateway.upstream.route(path, resolve(failure(404, { code, message, type: 'invalid_request_error' })));
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(String(error)).toContain(message);
    gateway.gateway.relay.breaker.succeed(1);
  });
});
