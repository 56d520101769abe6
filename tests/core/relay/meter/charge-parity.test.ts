import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiptOf } from '../../../../core/billing/receipt.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import type { ExplanationView } from '../../../../core/schemas/explain.ts';
import { limitCreateSchema } from '../../../../core/schemas/limit.ts';
import { priceRehearsalSchema } from '../../../../core/schemas/price-rehearsal.ts';
import { usageReportSchema } from '../../../../core/schemas/usage-report.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { type FakeResponse, json } from '../../../support/upstream-script.ts';
import { chatResponse, done, says, stops, streamOf, uses } from '../responses.ts';

/** A figure that is written with three decimals at most, as a whole number of thousandths. */
const figure = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20_000 }));
const count = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 200_000 }));

const prices = fc.record({
  ratio: figure,
  output: figure,
  cached: figure,
  written: figure,
  hour: figure,
  group: figure,
  call: figure,
  flex: figure,
  search: figure,
  long: fc.option(fc.record({ above: fc.integer({ min: 1, max: 100_000 }), prompt: figure, output: figure }), {
    nil: undefined,
  }),
});
type Prices = typeof prices extends fc.Arbitrary<infer T> ? T : never;

const usage = fc.record({
  fresh: count,
  read: count,
  written: count,
  hour: count,
  output: count,
  searches: fc.nat(3),
  tier: fc.constantFrom('', 'batch'),
});
type Used = typeof usage extends fc.Arbitrary<infer T> ? T : never;

const way = fc.constantFrom('plain', 'stream', 'claude', 'fixed');
type Way = typeof way extends fc.Arbitrary<infer T> ? T : never;

const models: Record<Way, string> = { plain: 'p-chat', stream: 'p-chat', claude: 'p-messages', fixed: 'p-fixed' };
const dollar = 500_000n;

const question = 'Hi';
const text = 'Hello';
/** What we count ourselves of the call below: a prompt as that of a chat. */
const own = { prompt: 3 + 3 + countTokens('user') + countTokens(question), output: countTokens(text) };

/** The rules of docs/billing.md once more, in whole numbers, by a way of its own. */
function expected(
  by: Way,
  { ratio, output, cached, written, hour, group, call, flex, search, long }: Prices,
  used: Used,
) {
  const big = BigInt;
  if (by === 'fixed') {
    const quota = (big(call) * big(group) * dollar) / 1_000_000n;
    return Number(quota === 0n && call * group > 0 ? 1n : quota);
  }
  const isClaude = by === 'claude';
  const [five, sixty] = isClaude ? [big(used.written), big(used.hour)] : [0n, 0n];
  const read = big(used.read);
  // A side that the upstream leaves out is counted by us.
  const fresh = big(used.fresh) + read + five + sixty > 0n ? big(used.fresh) : big(own.prompt);
  const delivered = big(used.output || own.output);
  const prompt = fresh + read + five + sixty;
  const isLong = long !== undefined && prompt > big(long.above);
  const [inFactor, outFactor] = isLong ? [big(long.prompt), big(long.output)] : [1000n, 1000n];
  const tier = isClaude && used.tier === 'batch' ? big(flex) : 1000n;
  const one = 1000n;
  // Each product has five factors in thousandths: ratio, group, tier, length, kind.
  const input = fresh * one + read * big(cached) + five * big(written) + sixty * big(hour);
  const tokens = (input * inFactor + delivered * big(output) * outFactor) * big(ratio) * big(group) * tier;
  const scale = 10n ** 15n;
  const searches = isClaude ? (big(used.searches) * big(search) * big(group) * dollar * scale) / 10n ** 9n : 0n;
  const exact = tokens + searches;
  const rounded = (exact * 2n + scale) / (scale * 2n);
  // Any call of a model that is not free, also one whose tokens their own ratio makes free.
  const isOfPaidModel = ratio * group * (isLong ? long.prompt : 1) > 0 && tier > 0n;
  return Number(rounded === 0n && (exact > 0n || isOfPaidModel) ? 1n : rounded);
}

const thousandths = (value: number) => value / 1000;

describe.each(engines)('every figure of a call on %s', (engine) => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let key = '';
  let tokenId = 0;
  let limitId = 0;

  beforeAll(async () => {
    gateway = await startGateway(engine);
    root = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', 'correct horse battery'));
    await gateway.addChannel({ name: 'chat', models: 'p-chat,p-fixed', group: 'default,priced' });
    await gateway.addChannel({ name: 'claude', type: 14, models: 'p-messages', group: 'default,priced' });
    await gateway.setOption('UserUsableGroups', '{"priced":"priced"}');
    await gateway.setOption('GroupRatio', '{"default":1,"priced":1}');
    await gateway.setOption('PreConsumedQuota', '500');
    const { users, limits } = gateway.app.services;
    await users.adjustQuota(systemActor, { id: gateway.userId, amount: 9_000_000_000_000_000 - 10_000_000, note: '' });
    key = await gateway.addToken(gateway.userId, { name: 'priced', group: 'priced' });
    tokenId = (await gateway.app.database.tokens.findOne({ where: { name: 'priced' }, raw: true }))?.id ?? 0;
    const all = { subject_kind: 'token', subject: String(tokenId), measure: 'budget', period: 'month' };
    limitId = (await limits.create(systemActor, limitCreateSchema.parse({ ...all, amount: 9_000_000_000_000_000 }))).id;
    await gateway.gateway.refresh();
  });
  afterAll(() => gateway?.stop());

  function optionsOf(price: Prices) {
    const of = (value: number) => ({ 'p-chat': thousandths(value), 'p-messages': thousandths(value) });
    const long = price.long && {
      above: price.long.above,
      prompt: thousandths(price.long.prompt),
      cached: thousandths(price.long.prompt),
      completion: thousandths(price.long.output),
    };
    return {
      ModelRatio: of(price.ratio),
      CompletionRatio: of(price.output),
      CacheRatio: of(price.cached),
      CreateCacheRatio: of(price.written),
      CreateCacheHourRatio: of(price.hour),
      ModelPrice: { 'p-fixed': thousandths(price.call) },
      GroupRatio: { default: 1, priced: thousandths(price.group) },
      ServiceTierRatio: { batch: thousandths(price.flex) },
      ToolPrice: { web_search: thousandths(price.search) },
      LongPromptRatio: long ? { 'p-chat': long, 'p-messages': long } : {},
    };
  }

  function respondWith(by: Way, used: Used): FakeResponse {
    const prompt = used.fresh + used.read;
    const details = { prompt_tokens_details: { cached_tokens: used.read } };
    const chat = {
      prompt_tokens: prompt,
      completion_tokens: used.output,
      total_tokens: prompt + used.output,
      ...details,
    };
    if (by === 'stream') {
      const last = { ...uses(prompt, used.output), usage: chat };
      return streamOf([says(text), stops, last, done]);
    }
    if (by !== 'claude') return json(200, chatResponse(chat, text));
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'p-messages', stop_reason: 'end_turn' };
    const counts = {
      input_tokens: used.fresh,
      cache_read_input_tokens: used.read,
      cache_creation_input_tokens: used.written + used.hour,
      cache_creation: { ephemeral_5m_input_tokens: used.written, ephemeral_1h_input_tokens: used.hour },
      output_tokens: used.output,
      server_tool_use: { web_search_requests: used.searches },
      ...(used.tier && { service_tier: used.tier }),
    };
    return json(200, { ...message, content: [{ type: 'text', text }], usage: counts });
  }

  /** What the books say of the user, the token and the budget. */
  async function books() {
    const { users, tokens, limitUsage } = gateway.app.database;
    const user = await users.findByPk(gateway.userId, { raw: true });
    const token = await tokens.findByPk(tokenId, { raw: true });
    const budget = await limitUsage.findOne({ where: { limit_id: limitId }, raw: true });
    return [user?.quota ?? 0, token?.remain_quota ?? 0, -(user?.used_quota ?? 0), -(budget?.used ?? 0)];
  }

  it('is the same, to the unit: charged, logged, shown as receipt, rehearsed, summed up, and explained where it is known', async () => {
    let charged = 0;
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(prices, way, usage, async (price, by, used) => {
        // An upstream that reports nothing at all is not believed.
        fc.pre(used.fresh + used.read + used.output > 0);
        const options = optionsOf(price);
        for (const [name, value] of Object.entries(options)) {
          await gateway.app.services.options.set(systemActor, name, JSON.stringify(value));
        }
        await gateway.gateway.refresh();
        const body = { model: models[by], messages: [{ role: 'user', content: question }], max_tokens: 300 };
        const stream = by === 'stream' ? { stream: true, stream_options: { include_usage: true } } : {};
        const explained: ExplanationView = await root.data(
          root.post('/api/explain', { token_id: tokenId, body: JSON.stringify({ ...body, ...stream }) }),
        );
        expect(explained.refusals).toEqual([]);
        const quota = expected(by, price, used);
        const before = await books();
        gateway.upstream.respond(respondWith(by, used));
        const response = await gateway.chat({ ...body, ...stream }, { key });
        expect([response.status, (await response.text()) !== '']).toEqual([200, true]);
        const row = await gateway.lastLog();
        expect(row?.quota).toBe(quota);
        expect(receiptOf(JSON.stringify(row?.other))?.quota).toBe(quota);
        const after = await books();
        expect(after.map((value, index) => (before[index] ?? 0) - value)).toEqual([quota, quota, quota, quota]);
        if (by === 'fixed') expect(explained.price?.hold).toBe(quota);
        calls += 1;
        charged += quota;
        const input = priceRehearsalSchema.parse({ options, days: 1 });
        const report = await gateway.app.services.priceRehearsals.rehearse(systemActor, input);
        expect(report.skipped).toEqual([]);
        expect(report.total.old_quota).toBe(charged);
        expect(report.total.calls).toBe(calls);
      }),
      // Sums grow from call to call: a smaller case would be another one.
      { numRuns: engine === 'sqlite' ? 60 : 20, endOnFailure: true },
    );
    await gateway.verifyBooks();
    const span = { start_timestamp: 0, end_timestamp: Math.floor(Date.now() / 1000) + 3600 };
    for (const by of ['model', 'user', 'channel', 'day'] as const) {
      const sums = await gateway.app.services.usageReport.read(
        systemActor,
        usageReportSchema.parse({ by, username: '', ...span }),
      );
      expect([by, sums.reduce((sum, { quota }) => sum + quota, 0)]).toEqual([by, charged]);
    }
  }, 240_000);
});
