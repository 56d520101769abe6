import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';
import { expectCharged } from '../relay-checks.ts';

const gpt = 'gpt-5.4';
const claude = 'claude-sonnet-4-6';
const url = 'https://news.example/a';
const messages = [{ role: 'user', content: 'News?' }];
const tokens = { input_tokens: 1000, output_tokens: 200 };
/** 10 dollars per thousand, at 500 quota each. */
const price = 5000;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  const each = JSON.stringify({ [gpt]: 1, [claude]: 1 });
  // One quota for each token.
  await gateway.setOption('ModelRatio', each);
  await gateway.setOption('CompletionRatio', each);
  await gateway.addChannel({ type: 1, name: 'gpt', models: gpt, setting: '{"responses":true}' });
  await gateway.addChannel({ type: 14, name: 'claude', models: claude });
});
afterEach(() => gateway.upstream.reset());
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});

function gptSearched(): void {
  const search = { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'news' } };
  const annotations = [{ type: 'url_citation', url, title: 'A', start_index: 0, end_index: 2 }];
  const content = [{ type: 'output_text', text: 'It rains.', annotations }];
  const message = { id: 'm', type: 'message', role: 'assistant', status: 'completed', content };
  const output = [{ id: 'a', ...search }, { id: 'b', ...search }, message];
  const usage = { ...tokens, total_tokens: 1200 };
  const whole = { id: 'resp_1', object: 'response', status: 'completed', model: gpt, output, usage };
  gateway.upstream.respond(json(200, whole));
}

function claudeSearched(): void {
  const id = 'srvtoolu_1';
  const result = { type: 'web_search_result', url, title: 'A', encrypted_content: 'E', page_age: null };
  const citation = { type: 'web_search_result_location', url, title: 'A', cited_text: 'Rain.', encrypted_index: 'I' };
  const content = [
    { type: 'server_tool_use', id, name: 'web_search', input: { query: 'news' } },
    { type: 'web_search_tool_result', tool_use_id: id, content: [result] },
    { type: 'text', text: 'It rains.', citations: [citation] },
  ];
  const usage = { ...tokens, server_tool_use: { web_search_requests: 2 } };
  const more = { stop_reason: 'end_turn', stop_sequence: null, usage };
  gateway.upstream.respond(
    json(200, { id: 'msg_1', type: 'message', role: 'assistant', model: claude, content, ...more }),
  );
}

async function asked(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await gateway.call(path, body);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Record<string, unknown>;
}

describe('a search of the web at an upstream of another protocol', () => {
  it('serves clients of Claude with pages and a count, and costs what it costs there', async () => {
    gptSearched();
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 4 }];
    const response = await asked('/v1/messages', { model: gpt, max_tokens: 100, messages, tools });
    expect(gateway.upstream.requests.at(-1)).toMatchObject({
      path: '/v1/responses',
      json: { tools: [{ type: 'web_search' }], max_tool_calls: 4 },
    });
    expect(response).toMatchObject({
      content: [
        { type: 'text', text: 'It rains.', citations: [{ type: 'web_search_result_location', url, title: 'A' }] },
      ],
      stop_reason: 'end_turn',
      usage: { server_tool_use: { web_search_requests: 2 } },
    });
    expect((await expectCharged(gateway, { serverTools: { web_search: 2 } })).quota).toBe(1200 + 2 * price);
  });

  it('serves clients of Gemini at OpenAI', async () => {
    gptSearched();
    const body = { contents: [{ role: 'user', parts: [{ text: 'News?' }] }], tools: [{ googleSearch: {} }] };
    const response = await asked(`/v1beta/models/${gpt}:generateContent`, body);
    expect(JSON.stringify(response)).toContain(url);
    expect((await expectCharged(gateway)).quota).toBe(1200 + 2 * price);
  });

  it.each([
    ['Responses', '/v1/responses', { input: 'News?', tools: [{ type: 'web_search' }] }],
    ['chat', '/v1/chat/completions', { messages, web_search_options: {} }],
    [
      'Gemini',
      `/v1beta/models/${claude}:generateContent`,
      { contents: [{ role: 'user', parts: [{ text: 'News?' }] }], tools: [{ google_search: {} }] },
    ],
  ])('serves clients of %s at Claude', async (_name, path, body) => {
    claudeSearched();
    const response = await asked(path, { model: claude, ...body });
    expect(gateway.upstream.requests.at(-1)?.json).toMatchObject({
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
    });
    expect(JSON.stringify(response)).toContain('It rains.');
    expect(JSON.stringify(response)).toContain(url);
    expect((await expectCharged(gateway, { serverTools: { web_search: 2 } })).quota).toBe(1200 + 2 * price);
  });

  it('is refused by name where it would run at its own vendor alone', async () => {
    const tools = [{ type: 'web_fetch_20250910', name: 'web_fetch' }];
    const response = await gateway.call('/v1/messages', { model: gpt, max_tokens: 100, messages, tools });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('web_fetch_20250910')]);
  });
});
