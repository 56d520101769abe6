import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PriceExtras, prepareRates, priceQuota } from '../../../../core/billing/price.ts';
import { jobRatesFor, type RateTables, ratesFor } from '../../../../core/billing/rates.ts';
import { writeBill } from '../../../../core/billing/receipt.ts';
import { emptyUsage, type Usage } from '../../../../core/canonical/usage.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { priceRehearsalSchema } from '../../../../core/schemas/price-rehearsal.ts';
import { createPriceRehearsal, type PriceRehearsals } from '../../../../core/services/pricing/price-rehearsal.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const groupRatio = { default: 1, vip: 0.8219178082 };
const base: RateTables = {
  modelRatio: { a: 1.25, b: 0.075 },
  modelPrice: { fixed: 0.04 },
  completionRatio: { a: 4.3 },
  cacheRatio: { a: 0.5 },
  groupRatio,
  quotaPerUnit: 500_000,
  selfUse: false,
};
const models = ['a', 'b', 'fixed', 'gpt-4o', 'dall-e-3'];

interface Call {
  model: string;
  group: string;
  user: number;
  usage: Usage;
  extras: PriceExtras;
}

const count = fc.integer({ min: 0, max: 100_000 });
const sometimes = fc.oneof(fc.constant(0), count);
const call: fc.Arbitrary<Call> = fc.record({
  model: fc.constantFrom(...models),
  group: fc.constantFrom('default', 'vip'),
  user: fc.integer({ min: 1, max: 4 }),
  usage: fc
    .record({ prompt: count, completion: count, cachedRead: sometimes, cacheWrite: sometimes, audioInput: sometimes })
    .map((counts) => ({ ...emptyUsage, ...counts })),
  extras: fc.oneof(fc.constant({}), fc.record({ calls: fc.integer({ min: 0, max: 9 }) })),
});
const ratio = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 90_000 }).map((digits) => digits / 1000),
);
const tables: fc.Arbitrary<RateTables> = fc
  .record({ a: ratio, b: ratio, output: ratio, cache: ratio, price: ratio, vip: ratio })
  .map(({ a, b, output, cache, price, vip }) => ({
    ...base,
    modelRatio: { a, b },
    completionRatio: { a: output },
    cacheRatio: { b: cache },
    modelPrice: { fixed: price },
    groupRatio: { default: 1, vip },
  }));

const optionsOf = ({ modelRatio, modelPrice, completionRatio, cacheRatio, groupRatio }: RateTables) => ({
  ModelRatio: modelRatio,
  ModelPrice: modelPrice,
  CompletionRatio: completionRatio,
  CacheRatio: JSON.stringify(cacheRatio),
  GroupRatio: groupRatio,
});

const costOf = (rates: RateTables, { model, group, usage, extras }: Call) =>
  priceQuota(prepareRates(ratesFor(rates, model, group)), usage, extras);

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

describe.each(engines)('a rehearsal of prices on %s', (engine) => {
  let services: TestServices;
  let rehearsals: PriceRehearsals;

  beforeAll(async () => {
    services = await createTestServices(engine);
    const { database, options, now } = services;
    rehearsals = createPriceRehearsal({ database, options, now });
  });
  afterAll(() => services.remove());
  beforeEach(() => services.database.logs.destroy({ where: {} }));

  const rehearse = (options: object, days = 30) =>
    rehearsals.rehearse(systemActor, priceRehearsalSchema.parse({ options, days }));

  const row = (values: object) => ({
    user_id: 1,
    username: 'alice',
    type: 2,
    created_at: services.now() - 60,
    model_name: 'a',
    group: 'default',
    ...values,
  });

  async function book(rates: RateTables, calls: Call[]): Promise<void> {
    const rows = calls.map((one, index) => {
      const { model, group, user, usage, extras } = one;
      const bill = writeBill({ rates: ratesFor(rates, model, group), usage, extras });
      return row({
        user_id: user,
        username: `user-${user}`,
        created_at: services.now() - 60 - (index % 7),
        model_name: model,
        group,
        quota: costOf(rates, one),
        other: JSON.stringify({ bill, protocol: 'openai-chat' }),
      });
    });
    await services.database.logs.destroy({ where: {} });
    await services.database.logs.bulkCreate(rows);
  }

  it('of the prices that were charged gives the sums that were charged, to the unit', async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.array(call, { minLength: 1, maxLength: 30 }), async (rates, calls) => {
        await book(rates, calls);
        const { total, models: byModel, users, skipped } = await rehearse(optionsOf(rates));
        const charged = sumOf(calls.map((one) => costOf(rates, one)));
        expect(total).toEqual({ calls: calls.length, old_quota: charged, new_quota: charged });
        for (const { old_quota, new_quota } of [...byModel, ...users]) expect(new_quota).toBe(old_quota);
        expect(skipped).toEqual([]);
      }),
      { numRuns: engine === 'sqlite' ? 30 : 5 },
    );
  });

  it('of other prices gives what each request would have been charged, by model and by user', async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.array(call, { minLength: 1, maxLength: 30 }), async (rates, calls) => {
        await book(base, calls);
        const report = await rehearse(optionsOf(rates));
        for (const { model, old_quota, new_quota } of report.models) {
          const own = calls.filter((one) => one.model === model);
          expect(old_quota).toBe(sumOf(own.map((one) => costOf(base, one))));
          expect(new_quota).toBe(sumOf(own.map((one) => costOf(rates, one))));
        }
        for (const { user_id, new_quota } of report.users) {
          const own = calls.filter(({ user }) => user === user_id);
          expect(new_quota).toBe(sumOf(own.map((one) => costOf(rates, one))));
        }
        expect(sumOf(report.users.map(({ calls: number }) => number))).toBe(calls.length);
        expect(report.total.new_quota).toBe(sumOf(calls.map((one) => costOf(rates, one))));
      }),
      { numRuns: engine === 'sqlite' ? 30 : 5 },
    );
  });

  it('reads a log of many parts once each, and only the days that were asked for', async () => {
    const usage = { ...emptyUsage, prompt: 100 };
    const bill = writeBill({ rates: ratesFor(base, 'a', 'default'), usage, extras: {} });
    const other = JSON.stringify({ bill });
    const rows = Array.from({ length: 1203 }, (_, index) =>
      row({ quota: 125, other, created_at: services.now() - (index % 3) }),
    );
    const old = row({ quota: 125, other, created_at: services.now() - 8 * 86_400 });
    const topUp = row({ quota: 7, type: 1 });
    await services.database.logs.bulkCreate([...rows, old, topUp]);
    const expected = { calls: 1203, old_quota: 1203 * 125, new_quota: 1203 * 200 };
    expect((await rehearse({ ModelRatio: { a: 2 } }, 7)).total).toEqual(expected);
    expect((await rehearse({ ModelRatio: { a: 2 } }, 9)).total.calls).toBe(1204);
  });

  it('names and counts what cannot be priced again', async () => {
    const tokens = { ...emptyUsage, prompt: 10 };
    const bill = (rates: Partial<RateTables>, model: string, usage: Usage, extras: PriceExtras = {}) =>
      writeBill({ rates: ratesFor({ ...base, ...rates }, model, 'default'), usage, extras });
    const entry = (quota: number, model: string, kept: object | undefined, more: object = {}) =>
      row({ quota, model_name: model, other: kept ? JSON.stringify({ bill: kept, ...more }) : '{"old":1}' });
    await services.database.logs.bulkCreate([
      entry(1, 'a', undefined),
      entry(2, 'house', bill({ modelRatio: { house: 1 } }, 'house', tokens)),
      { ...entry(3, 'a', bill({}, 'a', tokens)), group: 'gone' },
      entry(4, 'a', bill({ modelPrice: { a: 1 } }, 'a', emptyUsage)),
      entry(5, 'fixed', bill({ modelPrice: {}, modelRatio: { fixed: 1 } }, 'fixed', tokens), { protocol: 'rerank' }),
      entry(6, 'a', bill({ quotaPerUnit: 1000 }, 'a', tokens)),
      // Nothing was delivered: it costs nothing in either way.
      entry(0, 'a', bill({ modelPrice: { a: 1 } }, 'a', emptyUsage, { calls: 0 })),
    ]);
    const report = await rehearse({ ModelRatio: { a: 2 }, ModelPrice: { fixed: 0.04 } });
    expect(report.total).toEqual({ calls: 1, old_quota: 0, new_quota: 0 });
    expect(report.skipped_calls).toBe(6);
    expect(report.skipped.map(({ reason, quota }) => [reason, quota])).toEqual([
      ['otherUnit', 6],
      ['noUnits', 5],
      ['noTokens', 4],
      ['noGroup', 3],
      ['unpriced', 2],
      ['noBill', 1],
    ]);
  });

  it('leaves out jobs that were paid back', async () => {
    const bill = writeBill({ rates: ratesFor(base, 'fixed', 'default'), usage: emptyUsage, extras: {} });
    const job = (request_id: string) =>
      row({ quota: 20_000, model_name: 'fixed', request_id, other: JSON.stringify({ bill, task_id: request_id }) });
    await services.database.logs.bulkCreate([job('kept'), job('failed')]);
    await services.database.sequelize.query(
      `INSERT INTO quota_entries (user_id, kind, ref, amount) VALUES (1, 'task_refund', 'failed', 20000)`,
    );
    const report = await rehearse({ ModelPrice: { fixed: 0.08 } });
    expect(report).toMatchObject({
      total: { calls: 1, old_quota: 20_000, new_quota: 40_000 },
      refunded_calls: 1,
      skipped_calls: 0,
    });
  });

  it('prices a job of a model that has only a ratio as it is charged', async () => {
    const job = (model: string, rates: RateTables, seconds: number) => {
      const prices = jobRatesFor(rates, model, 'vip');
      const extras = { calls: seconds };
      const other = { bill: writeBill({ rates: prices, usage: emptyUsage, extras }), task_id: `${model} ${seconds}` };
      const quota = priceQuota(prepareRates(prices), emptyUsage, extras);
      const entry = row({ model_name: model, group: 'vip', request_id: other.task_id, other: JSON.stringify(other) });
      return { ...entry, quota };
    };
    const built = { ...base, modelRatio: { 'my-video': 2, mj_imagine: 3, 'free-song': 1 } };
    const rows = [job('my-video', built, 8), job('mj_imagine', built, 1), job('free-song', built, 1)];
    await services.database.logs.bulkCreate(rows);
    const proposal = { ...built, modelRatio: { ...built.modelRatio, 'free-song': 0 } };
    const expected = [job('my-video', proposal, 8), job('mj_imagine', proposal, 1), job('free-song', proposal, 1)];
    const report = await rehearse({ ModelRatio: proposal.modelRatio, GroupRatio: groupRatio });
    const sum = (all: { quota: number }[]) => sumOf(all.map(({ quota }) => quota));
    expect(report).toMatchObject({ skipped: [], total: { old_quota: sum(rows), new_quota: sum(expected) } });
    expect(report.models.filter((one) => one.old_quota !== one.new_quota)).toMatchObject([
      { model: 'free-song', old_quota: 41_095, new_quota: 0 },
    ]);
  });

  it('changes nothing, refuses what could not be saved, and names what is no price', async () => {
    const before = services.options.get('ModelRatio');
    expect((await rehearse({ ModelRatio: { a: 9 }, SystemName: 'x' })).ignored_options).toEqual(['SystemName']);
    expect(services.options.get('ModelRatio')).toEqual(before);
    await expect(rehearse({ ModelRatio: { a: -1 } })).rejects.toMatchObject({
      code: expect.stringContaining('option.'),
    });
    await expect(rehearse({ Nonsense: 1 })).rejects.toMatchObject({ code: 'option.unknown' });
    const admin = await services.createUser(`ad-${engine}`, { role: 10 });
    const input = priceRehearsalSchema.parse({ options: {} });
    await expect(rehearsals.rehearse(admin, input)).rejects.toMatchObject({ status: 403 });
  });

  it('runs one at a time', async () => {
    const [first, second] = await Promise.allSettled([rehearse({}), rehearse({})]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'price.rehearsing' } });
    await expect(rehearse({})).resolves.toBeDefined();
  });
});
