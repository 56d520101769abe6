import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { receiptOf } from '../../../../core/billing/receipt.ts';
import { type LogEntry, startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { json } from '../../../support/upstream-script.ts';
import { expectCharged } from '../relay-checks.ts';
import { chatResponse, done, says, stops, streamOf } from '../responses.ts';

const tokens = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 };
const messages = [{ role: 'user', content: 'Hi' }];

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  // One quota for each token.
  const models = ['sonar', 'sonar-pro', 'sonar-deep-research', 'grok-4.6', 'grok-3'];
  const each = (value: number) => JSON.stringify(Object.fromEntries(models.map((model) => [model, value])));
  await gateway.setOption('ModelRatio', each(1));
  await gateway.setOption('CompletionRatio', each(1));
  await gateway.addChannel({ type: 27, name: 'perplexity', models: 'sonar,sonar-pro,sonar-deep-research' });
  await gateway.addChannel({ type: 48, name: 'xai', models: 'grok-3' });
  await gateway.addChannel({ type: 1, name: 'xai-responses', models: 'grok-4.6' });
});
afterEach(() => gateway.upstream.reset());
afterAll(async () => {
  await gateway.verifyBooks();
  await gateway.stop();
});

async function charged(model: string, usage: object, more: object = {}): Promise<LogEntry> {
  gateway.upstream.respond(json(200, chatResponse({ ...tokens, ...usage })));
  const response = await gateway.chat({ model, messages, ...more });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return await expectCharged(gateway, { prompt: 1000 });
}

function lines(row: LogEntry) {
  return receiptOf(JSON.stringify(row.other))?.lines.map(({ what, count }) => [what, count]);
}

describe('a search by Perplexity', () => {
  // Dollars per thousand responses, times 500 quota.
  it.each([
    ['sonar', 'low', 2500],
    ['sonar', 'medium', 4000],
    ['sonar', 'high', 6000],
    ['sonar-pro', 'low', 3000],
    ['sonar-pro', 'high', 7000],
  ])('is paid once by %s with %s context', async (model, size, price) => {
    const row = await charged(model, { search_context_size: size, citation_tokens: 7, num_search_queries: 1 });
    expect(row.quota).toBe(1200 + price);
    expect(row.other).toMatchObject({ [`search_${size}_call_count`]: 1, [`search_${size}_price`]: price / 500 });
    expect(lines(row)).toContainEqual([`search_${size}`, 1]);
  });

  it('is paid once in a stream, whose events all repeat the usage', async () => {
    const usage = { ...tokens, search_context_size: 'low', num_search_queries: 2 };
    const counted = [says('Hello'), says(' world'), stops].map((event) => ({ ...event, usage }));
    gateway.upstream.respond(streamOf([...counted, done]));
    await (await gateway.chat({ model: 'sonar', messages, stream: true })).text();
    expect((await expectCharged(gateway)).quota).toBe(1200 + 2500);
  });

  it.each([
    ['sonar-pro', 'medium', 0.018, 9000],
    ['sonar-pro', 'high', 0.014, 7000],
    ['sonar', 'high', 0.022, 6000],
  ])(
    'costs more as the Pro Search that the fee tells of: %s, %s context, %d dollars',
    async (model, size, fee, price) => {
      const usage = { search_context_size: size, cost: { request_cost: fee, total_cost: fee + 0.01 } };
      expect((await charged(model, usage)).quota).toBe(1200 + price);
    },
  );

  it.each(['pro', 'auto'])('that may be a Pro Search is held for as one (%s)', async (search_type) => {
    // 3 for the prompt, 7 for the response; 6 and 8 dollars per thousand.
    const key = await gateway.addToken(await gateway.addUser(`seeker-${search_type}`, 3500));
    const asked = { model: 'sonar-pro', messages, max_tokens: 7, web_search_options: { search_type } };
    const response = await gateway.chat(asked, { key });
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('insufficient_user_quota')]);
  });

  it('is free for a response that did not search', async () => {
    const cost = { request_cost: 0, total_cost: 0.0012 };
    expect((await charged('sonar', { search_context_size: 'low', cost })).quota).toBe(1200);
  });

  it('is paid the same by clients of other protocols', async () => {
    const usage = { ...tokens, search_context_size: 'medium' };
    for (const [path, body] of [
      ['/v1/messages', { model: 'sonar', max_tokens: 100, messages }],
      ['/v1/responses', { model: 'sonar', input: 'Hi' }],
    ] as const) {
      gateway.upstream.respond(json(200, chatResponse(usage)));
      const text = await (await gateway.call(path, body)).text();
      expect([path, (await expectCharged(gateway)).quota]).toEqual([path, 1200 + 4000]);
      if (path === '/v1/responses') expect(text).toContain('"search_context_size":"medium"');
    }
  });

  it('for deep research is paid by queries, citations and reasoning', async () => {
    const row = await charged('sonar-deep-research', {
      citation_tokens: 20_028,
      num_search_queries: 28,
      reasoning_tokens: 193_944,
      search_context_size: 'low',
    });
    // 28 x 2.5, 20028 x 0.001 and 193944 x 0.0015 quota: dollars per thousand, 500 quota each
    expect(row.quota).toBe(Math.round(1200 + 28 * 2500 + 20_028 * 1 + 193_944 * 1.5));
    expect(lines(row)).toEqual(
      expect.arrayContaining([
        ['search_query', 28],
        ['citation_token', 20_028],
        ['reasoning_token', 193_944],
      ]),
    );
  });

  it('costs what the operator says', async () => {
    await gateway.setOption('ToolPrice', '{"search_low:sonar":1}');
    expect((await charged('sonar', { search_context_size: 'low' })).quota).toBe(1700);
    await gateway.setOption('ToolPrice', '{}');
  });
});

describe('a search by xAI', () => {
  it('is paid by the sources that were used', async () => {
    const row = await charged('grok-3', { num_sources_used: 4 }, { search_parameters: { mode: 'on' } });
    // 25 dollars per thousand
    expect(row.quota).toBe(1200 + 4 * 12_500);
    expect(lines(row)).toContainEqual(['search_source', 4]);
  });

  it('is paid by the calls of its tools, as xAI counts them', async () => {
    const usage = {
      input_tokens: 1000,
      output_tokens: 200,
      total_tokens: 1200,
      num_sources_used: 0,
      num_server_side_tools_used: 8,
      cost_in_usd_ticks: 292_331_500,
      server_side_tool_usage_details: {
        web_search_calls: 2,
        x_search_calls: 3,
        code_interpreter_calls: 1,
        file_search_calls: 1,
        mcp_calls: 1,
        document_search_calls: 1,
      },
    };
    const call = { type: 'web_search_call', status: 'completed', action: { type: 'search' } };
    const output = [
      ...['a', 'b', 'c'].map((id) => ({ ...call, id })),
      {
        id: 'm',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hi' }],
      },
    ];
    const whole = { id: 'resp_1', object: 'response', status: 'completed', model: 'grok-4.6', output, usage };
    gateway.upstream.respond(json(200, whole));
    const response = await gateway.call('/v1/responses', {
      model: 'grok-4.6',
      input: 'Hi',
      tools: [{ type: 'web_search' }],
    });
    expect(response.status, await response.text()).toBe(200);
    const row = await expectCharged(gateway, {
      serverTools: { web_search: 2, x_search: 3, code_interpreter: 1, file_search: 2 },
    });
    // 5 dollars per thousand each, files 2.50
    expect(row.quota).toBe(1200 + 6 * 2500 + 2 * 1250);
  });
});

describe('what is held', () => {
  let count = 0;

  /** The balance that is just too small for a call. */
  async function refusedAt(body: Record<string, unknown>, quota: number): Promise<number> {
    count += 1;
    const key = await gateway.addToken(await gateway.addUser(`user-${count}`, quota));
    gateway.upstream.respond(json(200, chatResponse(tokens)));
    return (await gateway.chat({ max_tokens: 10, messages, ...body }, { key })).status;
  }

  it.each([
    ['a search of Perplexity', { model: 'sonar' }, 2500],
    ['its larger context', { model: 'sonar-pro', web_search_options: { search_context_size: 'high' } }, 7000],
    [
      'the sources that xAI may use',
      { model: 'grok-3', search_parameters: { mode: 'auto', max_search_results: 2 } },
      25_000,
    ],
    ['deep research', { model: 'sonar-deep-research' }, 30 * 2500 + 50_000 + 300_000],
  ])('covers %s', async (_what, body, price) => {
    expect(await refusedAt(body, price)).toBe(403);
    expect(await refusedAt(body, price + 2000)).toBe(200);
  });

  it('has no search where the call turns it off', async () => {
    expect(await refusedAt({ model: 'grok-3', search_parameters: { mode: 'off' } }, 2000)).toBe(200);
  });
});
