import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { historyText } from '../../../../cli/print/receipt.ts';
import { createSpeak } from '../../../../cli/text.ts';
import type { ExplanationView } from '../../../../core/schemas/explain.ts';
import type { FirstTokenLimit } from '../../../../core/schemas/first-token.ts';
import { createConsoleClient } from '../../../support/console-client.ts';
import { collectSse } from '../../../support/sse.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { type FakeResponse, fixture, fixtureBytes, stall } from '../../../support/upstream-script.ts';
import { attemptsOf, expectCharged } from '../relay-checks.ts';
import { done, says, stops, streamOf, uses } from '../responses.ts';

/** Far below the shipped ones, which are longer than a test can wait. */
const figures = {
  plain: { minMs: 400, unknownMs: 500, raisedMs: 3000 },
  reasoning: { minMs: 1500, unknownMs: 1800, raisedMs: 6000 },
  maxMs: 60_000,
};
let gateway: TestGateway;
let cases = 0;

beforeAll(async () => {
  gateway = await startGateway('sqlite', { METRICS_TOKEN: 'figures' }, { limits: { firstToken: figures } });
  await gateway.setOption('SelfUseModeEnabled', 'true');
});
afterEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

/** A model of its own, with a channel that is tried first and others behind it; resolves with their ids. */
async function channelsOf(
  count: number,
  input: Record<string, unknown> = {},
): Promise<{ model: string; ids: number[] }> {
  cases += 1;
  const model = `model-${cases}`;
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const more = { name: `c${index}`, key: `key-${index}`, models: model, priority: 9 - index };
    ids.push(await gateway.addChannel({ ...more, ...input }));
  }
  return { model, ids };
}

/** What the first channel sends; the others send a whole response at once. */
function firstSends(first: FakeResponse, whole: FakeResponse = fixture('openai/chat.sse')): void {
  gateway.upstream.always(({ headers }) => {
    const key = String(headers['x-api-key'] ?? headers.authorization);
    return key.endsWith('key-0') ? first : whole;
  });
}

/** One event after another, with a pause before each but the first. */
const slowly = (delayMs: number, ...parts: (object | string)[]) => streamOf(parts, { delayMs });

const role = { ...says(''), choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] };
const late = [says('too late'), stops, uses(8, 2), done];

async function limitsOfLast(): Promise<{ channel: number; outcome: string; first_token?: FirstTokenLimit }[]> {
  return attemptsOf(await expectCharged(gateway));
}

describe('the first-token limit that sets itself', () => {
  it.each<[string, FakeResponse]>([
    ['sends no headers', stall('headers')],
    ['says nothing after its headers', stall('body', streamOf([role]), 200)],
    ['sends comments that keep the connection alive', slowly(40, role, ...new Array(60).fill(': ping\n\n'), ...late)],
  ])('leaves an upstream that %s, and the row says for what limit', async (_name, silent) => {
    const { model, ids } = await channelsOf(2);
    firstSends(silent);
    const { text } = await collectSse(await gateway.chat({ model, stream: true }));
    expect(text).toBe('Hi there. 你好。');
    expect(await limitsOfLast()).toMatchObject([
      {
        channel: ids[0],
        outcome: 'first_token_timeout',
        first_token: { ms: 500, source: 'default', samples: 0, abandoned: 0 },
      },
      { channel: ids[1], outcome: 'ok' },
    ]);
    expect((await limitsOfLast())[1]?.first_token, 'no other channel was left').toBeUndefined();
    expect(gateway.upstream.requests[0]?.aborted).toBe(true);
  });

  describe('of a Claude stream', () => {
    const whole = fixture('anthropic/message-thinking.sse');
    const [start = '', block = '', , firstThought = '', ...rest] = fixtureBytes('anthropic/message-thinking.sse')
      .toString()
      .split(/(?<=\n\n)/);
    const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
    const ask = (model: string) =>
      gateway.call('/v1/messages', {
        model,
        max_tokens: 100,
        stream: true,
        messages: [{ role: 'user', content: 'hi' }],
      });

    it('is not met by pings', async () => {
      const { model, ids } = await channelsOf(2, { type: 14 });
      firstSends(slowly(40, start, block, ...new Array(60).fill(ping), firstThought, ...rest), whole);
      expect(await (await ask(model)).text()).toContain('"text":"42"');
      expect((await limitsOfLast()).map(({ channel, outcome }) => [channel, outcome])).toEqual([
        [ids[0], 'first_token_timeout'],
        [ids[1], 'ok'],
      ]);
    });

    it('is met by a thought', async () => {
      const { model, ids } = await channelsOf(2, { type: 14 });
      // The text comes long after the limit.
      firstSends(slowly(60, start + block + firstThought, ...new Array(15).fill(ping), ...rest), whole);
      expect(await (await ask(model)).text()).toContain('"text":"42"');
      expect(await limitsOfLast()).toMatchObject([{ channel: ids[0], outcome: 'ok', first_token: { ms: 500 } }]);
    });
  });

  it('gives a call that asks for reasoning much longer', async () => {
    const { model, ids } = await channelsOf(2);
    firstSends({ ...streamOf([says('thought through'), stops, done]), firstByteMs: 900 });
    const asks = [{ reasoning_effort: 'high' }, { thinking: { type: 'enabled' } }, { enable_thinking: true }];
    for (const more of asks) {
      const { text } = await collectSse(await gateway.chat({ model, stream: true, ...more }));
      expect(text).toBe('thought through');
    }
    expect(await limitsOfLast()).toMatchObject([
      { channel: ids[0], outcome: 'ok', first_token: { source: 'measured', samples: 2, reasoning: true } },
    ]);
  });

  it('leaves a call alone that is not streamed, and one that no other channel is left for', async () => {
    const slow = { ...fixture('openai/chat.json'), firstByteMs: 900 };
    const two = await channelsOf(2);
    firstSends(slow);
    expect((await gateway.chat({ model: two.model })).status).toBe(200);
    expect(await limitsOfLast()).toEqual([{ channel: two.ids[0], outcome: 'ok', ms: expect.any(Number) }]);
    const one = await channelsOf(1);
    firstSends({ ...fixture('openai/chat.sse'), firstByteMs: 900 });
    expect((await collectSse(await gateway.chat({ model: one.model, stream: true }))).done).toBe(1);
    expect(await limitsOfLast()).toEqual([{ channel: one.ids[0], outcome: 'ok', ms: expect.any(Number) }]);
  });

  it('learns from what the channel takes, from waits that were given up, and gives it more time then', async () => {
    const { model, ids } = await channelsOf(2);
    firstSends(fixture('openai/chat.sse'));
    for (let call = 0; call < 20; call += 1) await collectSse(await gateway.chat({ model, stream: true }));
    await collectSse(await gateway.chat({ model, stream: true }));
    expect(await limitsOfLast()).toMatchObject([{ channel: ids[0], first_token: { samples: 20, abandoned: 0 } }]);
    const other = await channelsOf(2);
    firstSends(stall('headers'));
    for (let call = 0; call < 4; call += 1) await collectSse(await gateway.chat({ model: other.model, stream: true }));
    expect(await limitsOfLast()).toMatchObject([
      { first_token: { ms: 750, source: 'abandoned', abandoned: 3, factor: 1.5 } },
      { outcome: 'ok' },
    ]);
  });

  it('fails no call because all of them are slow: without a retry left they wait on', async () => {
    const { model, ids } = await channelsOf(2);
    firstSends({ ...fixture('openai/chat.sse'), firstByteMs: 2500 });
    const calls = Array.from({ length: 60 }, async () => collectSse(await gateway.chat({ model, stream: true })));
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(new Array(60).fill('Hi there. 你好。'));
    const servedBy = (await gateway.logs()).filter((row) => row.model_name === model).map((row) => row.channel_id);
    // A budget of 20 and a fifth of the calls leaves the others where they are.
    expect(servedBy.filter((id) => id === ids[1]).length).toBeGreaterThanOrEqual(20);
    expect(servedBy.filter((id) => id === ids[0]).length).toBeGreaterThan(0);
  });

  it('does not keep a client without the pings it is to get', async () => {
    await gateway.setOption('general_setting.ping_interval_enabled', 'true');
    await gateway.setOption('general_setting.ping_interval_seconds', '1');
    const { model, ids } = await channelsOf(2);
    const end = [says('at last'), stops].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + done;
    firstSends(slowly(2500, role, end));
    const bytes = await (await gateway.chat({ model, stream: true, reasoning_effort: 'high' })).text();
    expect(bytes).toContain(': ping');
    expect(bytes).toContain('at last');
    expect(await limitsOfLast()).toMatchObject([{ channel: ids[0], outcome: 'ok', first_token: { ms: 1800 } }]);
    await gateway.setOption('general_setting.ping_interval_enabled', 'false');
  });

  it('is off, or what the operator says, when the option is a number', async () => {
    const { model, ids } = await channelsOf(2);
    firstSends({ ...fixture('openai/chat.sse'), firstByteMs: 900 });
    await gateway.setOption('FirstTokenTimeout', '0');
    await collectSse(await gateway.chat({ model, stream: true }));
    expect(await limitsOfLast()).toEqual([{ channel: ids[0], outcome: 'ok', ms: expect.any(Number) }]);
    await gateway.setOption('FirstTokenTimeout', '20');
    await collectSse(await gateway.chat({ model, stream: true }));
    expect(await limitsOfLast()).toMatchObject([
      { channel: ids[0], outcome: 'ok', first_token: { ms: 20_000, source: 'setting' } },
    ]);
    await gateway.setOption('FirstTokenTimeout', 'auto');
  });
});

describe('what is said of the limit', () => {
  let model = '';
  let ids: number[] = [];
  beforeAll(async () => {
    ({ model, ids } = await channelsOf(2));
    firstSends(stall('headers'));
    await collectSse(await gateway.chat({ model, stream: true }));
  });

  it('is on the receipt of the command line', async () => {
    const lines = historyText({ other: JSON.stringify((await expectCharged(gateway)).other) }, createSpeak('en'));
    expect(lines[1]).toBe(`  #${ids[0]}: first-token limit 500 ms, the default while few requests are measured (0)`);
  });

  it('is in the explanation of a call, as the process that serves it has measured', async () => {
    const root = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', 'correct horse battery'));
    const explain = async (more: Record<string, unknown>, language = 'en') => {
      const { data } = await root.post('/api/explain', { model, ...more }, { 'accept-language': language });
      return (data.channels as ExplanationView['channels']).map(({ first_token: limit }) => limit);
    };
    expect((await explain({ stream: true })).slice(0, 2)).toMatchObject([
      { ms: 500, source: 'default', abandoned: 1, text: expect.stringContaining('first-token limit 500 ms') },
      // The last one is waited for.
      null,
    ]);
    expect((await explain({ stream: true }, 'zh'))[0]?.text).toContain('首字超时 500 毫秒');
    expect((await explain({ stream: false }))[0]).toBeNull();
    expect((await explain({ stream: true, channel_id: ids[0] }))[0], 'no other may serve it').toBeNull();
  });

  it('is among the figures for Prometheus', async () => {
    const response = await fetch(`${gateway.url}/metrics`, { headers: { authorization: 'Bearer figures' } });
    const text = await response.text();
    expect(text).toMatch(/tollgate_relay_first_token_limit_seconds_count\{source="default"\} [1-9]/);
    expect(text).toMatch(/tollgate_relay_first_token_timeouts_total\{source="default"\} [1-9]/);
    expect(text).toMatch(/tollgate_relay_first_token_timeouts_total\{source="abandoned"\} 1\n/);
  });
});
