import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { cut, json, sse } from '../../../support/upstream-script.ts';

let gateway: TestGateway;
let alice: OpenAI;
let bob: OpenAI;
let other: number;

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

beforeAll(async () => {
  gateway = await startGateway('sqlite');
  await gateway.addChannel({ name: 'first', models: 'gpt-r', key: 'first-key', priority: 10 });
  other = await gateway.addChannel({ name: 'second', models: 'gpt-r', key: 'second-key' });
  await gateway.addChannel({ name: 'google', type: 24, models: 'gem-r', key: 'third-key' });
  await gateway.setOption('ModelRatio', '{"gpt-r":1,"gem-r":1}');
  alice = clientOf(gateway.key);
  const userId = await gateway.addUser('bob', 10_000_000);
  bob = clientOf(await gateway.addToken(userId));
});
afterEach(async () => {
  gateway.upstream.reset();
  await gateway.verifyBooks();
});
afterAll(() => gateway.stop());

const reply = (id: string) => ({
  id,
  object: 'response',
  created_at: 1_767_322_800,
  model: 'gpt-r',
  status: 'completed',
  store: true,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  top_p: 1,
  tool_choice: 'auto',
  tools: [],
  previous_response_id: null,
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello.', annotations: [] }],
    },
  ],
  usage: {
    input_tokens: 10,
    output_tokens: 5,
    total_tokens: 15,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
});

async function create(client: OpenAI, id: string, fields: Record<string, unknown> = {}) {
  gateway.upstream.respond(json(200, reply(id)));
  const response = await client.responses.create({ model: 'gpt-r', input: 'hi', ...fields });
  expect(response.id).toBe(id);
  gateway.upstream.reset();
}

const sent = () => gateway.upstream.requests.map(({ method, path, headers }) => [method, path, headers.authorization]);

describe('a stored response', () => {
  it('is read, listed and canceled where it is stored, without a charge', async () => {
    await create(alice, 'resp_1');
    const before = await gateway.quotaOf(gateway.userId);
    gateway.upstream.respond(
      json(200, reply('resp_1')),
      json(200, { object: 'list', data: [{ id: 'msg_0', type: 'message' }], has_more: false }),
      json(200, { ...reply('resp_1'), status: 'cancelled' }),
    );
    expect((await alice.responses.retrieve('resp_1')).output_text).toBe('Hello.');
    const items = await alice.responses.inputItems.list('resp_1', { limit: 5, order: 'asc' });
    expect(items.data).toHaveLength(1);
    expect((await alice.responses.cancel('resp_1')).status).toBe('cancelled');
    expect(sent()).toEqual([
      ['GET', '/v1/responses/resp_1', 'Bearer first-key'],
      ['GET', '/v1/responses/resp_1/input_items?limit=5&order=asc', 'Bearer first-key'],
      ['POST', '/v1/responses/resp_1/cancel', 'Bearer first-key'],
    ]);
    expect(await gateway.quotaOf(gateway.userId)).toBe(before);
    expect(await gateway.logs()).toHaveLength(1);
  });

  it('can be read again as a stream', async () => {
    const events = [
      { type: 'response.output_text.delta', sequence_number: 4, item_id: 'msg_1', delta: 'Hello.' },
      { type: 'response.completed', sequence_number: 5, response: reply('resp_1') },
    ];
    gateway.upstream.respond(sse(events));
    const stream = await alice.responses.retrieve('resp_1', { stream: true, starting_after: 3 });
    const types = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual(['response.output_text.delta', 'response.completed']);
    expect(sent()[0]?.[1]).toBe('/v1/responses/resp_1?stream=true&starting_after=3');
  });

  it('is private: others cannot read, delete or continue it', async () => {
    await expect(bob.responses.retrieve('resp_1')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(bob.responses.delete('resp_1')).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("Response with id 'resp_1' not found."),
    });
    await expect(bob.responses.inputItems.list('resp_1')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(bob.responses.cancel('resp_1')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(
      bob.responses.create({ model: 'gpt-r', input: 'hi', previous_response_id: 'resp_1' }),
    ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found', param: 'previous_response_id' });
    expect(gateway.upstream.requests).toEqual([]);
    gateway.upstream.respond(json(200, reply('resp_1')));
    expect((await alice.responses.retrieve('resp_1')).id).toBe('resp_1');
  });

  it('is gone on from on its own channel, and on no other', async () => {
    await gateway.app.services.storedResponses.remember({
      id: 'resp_other',
      userId: gateway.userId,
      channelId: other,
      model: 'gpt-r',
    });
    await create(alice, 'resp_2', { previous_response_id: 'resp_other' });
    gateway.upstream.respond(json(200, reply('resp_2')));
    await alice.responses.retrieve('resp_2');
    expect(sent()).toEqual([['GET', '/v1/responses/resp_2', 'Bearer second-key']]);
  });

  it('lends its items to its owner alone, on its own channel', async () => {
    const items = [{ type: 'item_reference', id: 'msg_of_other' }];
    const picture = [{ type: 'image_generation_call', id: 'ig_of_other' }];
    const refer = (client: OpenAI, input: object[]) =>
      client.responses.create({ model: 'gpt-r', input: input as OpenAI.Responses.ResponseInput });
    const refused = { status: 400, code: 'item_not_found', param: 'input' };
    const howTo = { message: expect.stringContaining('set `store: false` in `providerOptions.openai`') };
    await expect(refer(alice, items)).rejects.toMatchObject({ ...refused, ...howTo });
    const output = [...items, ...picture].map(({ id }) => ({ id, type: 'message', role: 'assistant', content: [] }));
    // Whole, and as a stream.
    gateway.upstream.respond(json(200, { ...reply('resp_items'), output: output.slice(0, 1) }));
    await alice.responses.create({ model: 'gpt-r', input: 'hi' });
    const last = { ...reply('resp_stream'), output: output.slice(1) };
    gateway.upstream.respond(sse([{ type: 'response.completed', sequence_number: 0, response: last }]));
    for await (const _event of await alice.responses.create({ model: 'gpt-r', input: 'hi', stream: true }));
    gateway.upstream.reset();
    await expect(refer(bob, items)).rejects.toMatchObject(refused);
    await expect(refer(bob, picture)).rejects.toMatchObject(refused);
    expect(gateway.upstream.requests).toEqual([]);
    gateway.upstream.respond(json(200, reply('resp_7')));
    expect((await refer(alice, [...items, ...picture])).id).toBe('resp_7');
    expect(sent()).toEqual([['POST', '/v1/responses', 'Bearer first-key']]);
  });

  const bringing = (type: string, tool: object) => ({ type, role: 'developer', tools: [tool] });
  const skill = (id: string) => ({ type: 'skill_reference', skill_id: id });
  it.each<[string, object]>([
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['container', { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }],
    ['file_ids', { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-1'] } }] }],
    ['vector_store_ids', { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }],
    [
      'vector_store_ids',
      { input: [bringing('additional_tools', { type: 'file_search', vector_store_ids: ['vs_1'] })] },
    ],
    ['container', { input: [bringing('tool_search_output', { type: 'code_interpreter', container: 'cntr_1' })] }],
    ['tunnel_id', { tools: [{ type: 'mcp', server_label: 'own', tunnel_id: 'tunnel_1' }] }],
    ['file_ids', { tools: [{ type: 'shell', environment: { type: 'container_auto', file_ids: ['file-1'] } }] }],
    ['skill_id', { tools: [{ type: 'shell', environment: { type: 'container_auto', skills: [skill('skill_1')] } }] }],
    [
      'file_id',
      {
        input: [{ type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', file_id: 'f' } }],
      },
    ],
    ['file_id', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] }] }],
    ['file_id', { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }] }],
  ])('is the only thing kept upstream that a call may name: not %s', async (param, more) => {
    const call = { model: 'gpt-r', input: 'hi', ...more };
    const padding = { metadata: { a: 'b' }, user: 'u' };
    for (const body of [call, { ...call, ...padding, instructions: 'long '.repeat(220_000) }]) {
      const response = await gateway.call('/v1/responses', body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { param } });
    }
    expect(gateway.upstream.requests).toEqual([]);
  });

  const claude = { model: 'gpt-r', max_tokens: 5 };
  const user = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
  const kept = { type: 'image', source: { type: 'file', file_id: 'file_1' } };
  const part = (fileData: object) => ({ contents: [{ role: 'user', parts: [{ fileData }] }] });
  const bucket = { outputUriPrefix: 'gs://bucket/' };
  const hello = { contents: [{ parts: [{ text: 'hi' }] }] };
  const uploaded = 'https://generativelanguage.googleapis.com/v1beta/files/1';
  it.each<[string, string, object]>([
    ['chat/completions', 'file_id', { model: 'gpt-r', ...user({ type: 'file', file: { file_id: 'file-1' } }) }],
    ['messages', 'file_id', { ...claude, ...user({ type: 'image', source: { type: 'file', file_id: 'file_1' } }) }],
    ['messages', 'file_id', { ...claude, ...user({ type: 'container_upload', file_id: 'file_1' }) }],
    ['messages', 'file_id', { ...claude, ...user({ type: 'document', source: { type: 'content', content: [kept] } }) }],
    [
      'messages',
      'file_id',
      {
        ...claude,
        ...user({
          type: 'tool_result',
          tool_use_id: 't',
          content: [{ type: 'document', source: { type: 'content', content: [kept] } }],
        }),
      },
    ],
    ['messages', 'container', { ...claude, ...user({ type: 'text', text: 'hi' }), container: 'container_1' }],
    [
      'messages',
      'container.skills',
      {
        ...claude,
        ...user({ type: 'text', text: 'hi' }),
        container: { skills: [{ type: 'custom', skill_id: 'skill_1' }] },
      },
    ],
    ['gemini', 'cachedContent', { contents: [{ parts: [{ text: 'hi' }] }], cachedContent: 'cachedContents/1' }],
    ['gemini', 'fileUri', part({ fileUri: uploaded })],
    [
      'gemini',
      'fileUri',
      { contents: [{ parts: [{ functionResponse: { name: 'f', parts: [{ file_data: { file_uri: uploaded } }] } }] }] },
    ],
    ['embed', 'fileUri', { content: { parts: [{ fileData: { fileUri: uploaded } }] } }],
    ['gemini', 'fileSearch', { ...hello, tools: [{ fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] } }] }],
    [
      'gemini',
      'fileSearch',
      { ...hello, tools: [{ file_search: { file_search_store_names: ['fileSearchStores/1'] } }] },
    ],
    ['gemini', 'generationOutputConfig', { ...hello, generationConfig: { generationOutputConfig: bucket } }],
    ['gemini', 'generationOutputConfig', { ...hello, generation_config: { generation_output_config: bucket } }],
    ['gemini', 'retrieval', { ...hello, tools: [{ retrieval: { vertexAiSearch: { datastore: 'projects/p' } } }] }],
  ])('is not named in another protocol either: %s %s', async (path, field, call) => {
    const urls: Record<string, string> = {
      gemini: '/v1beta/models/gem-r:generateContent',
      embed: '/v1beta/models/gem-r:embedContent',
    };
    const url = urls[path] ?? `/v1/${path}`;
    for (const more of [{}, { [urls[path] ? 'labels' : 'metadata']: { long: 'x'.repeat(1_100_000) } }]) {
      const response = await gateway.call(url, { ...call, ...more });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain(field);
    }
    expect(gateway.upstream.requests).toEqual([]);
  });

  it.each(['Conversation', 'BACKGROUND', 'Previous_Response_Id', 'Prompt', 'Container'])(
    'is not reached by a field in other letters: %s',
    async (name) => {
      const response = await gateway.call('/v1/responses', { model: 'gpt-r', input: 'hi', [name]: 'x' });
      expect(response.status).toBe(400);
      expect(gateway.upstream.requests).toEqual([]);
    },
  );

  it('opens no model that its channel does not serve to the caller', async () => {
    await gateway.addChannel({ name: 'dear', models: 'gpt-dear', key: 'dear-key' });
    const dear = { model: 'gpt-dear', input: 'hi', previous_response_id: 'resp_2' };
    await expect(alice.responses.create(dear)).rejects.toMatchObject({ code: 'previous_response_not_found' });
    const vip = { model: 'gpt-vip', input: 'hi', previous_response_id: 'resp_2' };
    await expect(alice.responses.create(vip)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    expect(gateway.upstream.requests).toEqual([]);
  });

  it('is forgotten when it was deleted', async () => {
    await create(alice, 'resp_3');
    gateway.upstream.respond(json(200, { id: 'resp_3', object: 'response', deleted: true }));
    await alice.responses.delete('resp_3');
    expect(sent()).toEqual([['DELETE', '/v1/responses/resp_3', 'Bearer first-key']]);
    await expect(alice.responses.retrieve('resp_3')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    expect(gateway.upstream.requests).toHaveLength(1);
  });

  it.each([
    ['background', true],
    ['conversation', 'conv_1'],
    ['conversation', { id: 'conv_1' }],
  ])('cannot be made where it would be unpaid or shared: %s', async (param, value) => {
    const creating = alice.responses.create({ model: 'gpt-r', input: 'hi', [param]: value });
    await expect(creating).rejects.toMatchObject({ status: 400, code: 'unsupported_parameter', param });
    expect(gateway.upstream.requests).toEqual([]);
  });

  it('that was not to be stored is not known', async () => {
    await create(alice, 'resp_4', { store: false });
    await expect(alice.responses.retrieve('resp_4')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    expect(gateway.upstream.requests).toEqual([]);
  });

  it('follows the limits of the token, and its channel', async () => {
    const limits = { model_limits_enabled: true, model_limits: 'gpt-4o-mini' };
    const limited = clientOf(await gateway.addToken(gateway.userId, limits));
    await expect(limited.responses.retrieve('resp_1')).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError);
    await gateway.app.services.storedResponses.remember({
      id: 'resp_lost',
      userId: gateway.userId,
      channelId: 999_999,
      model: 'gpt-r',
    });
    await expect(alice.responses.retrieve('resp_lost')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(clientOf('sk-nobody').responses.retrieve('resp_1')).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  it.each(['..%2F..%2Fmodels', 'a%2Fb', 'resp_1%3Fx=1', 'x'.repeat(250)])(
    'B39 is named by nothing that leads elsewhere: %s',
    async (id) => {
      const headers = { authorization: `Bearer ${gateway.key}` };
      const response = await fetch(`${gateway.url}/v1/responses/${id}`, { headers });
      expect(response.status).toBe(404);
      expect(gateway.upstream.requests).toEqual([]);
    },
  );

  it('passes on what the upstream says of it, without its key', async () => {
    const message = "Response with id 'resp_1' not found. Key first-key";
    const error = { message, type: 'invalid_request_error', param: null, code: null };
    gateway.upstream.respond(json(404, { error }));
    await expect(alice.responses.retrieve('resp_1')).rejects.toMatchObject({
      status: 404,
      message: expect.not.stringContaining('first-key'),
    });
  });

  it('is asked for once more when the kept connection to it had closed', async () => {
    gateway.upstream.respond(json(200, reply('resp_1')), cut({}, -1), json(200, reply('resp_1')));
    await alice.responses.retrieve('resp_1');
    expect((await alice.responses.retrieve('resp_1')).output_text).toBe('Hello.');
    expect(sent()).toHaveLength(3);
  });

  it('that breaks off breaks the connection', async () => {
    const whole = json(200, reply('resp_1'));
    gateway.upstream.respond({ ...whole, end: { after: 40, how: 'cut' } });
    await expect(alice.responses.retrieve('resp_1')).rejects.toThrow();
  });
});
