import { describe, expect, it } from 'vitest';
import { Breaker } from '../../../../core/relay/attempt/breaker.ts';
import { chancesOf, chooseChannel } from '../../../../core/relay/attempt/choose-channel.ts';
import { type PreferenceDependencies, preferenceOf } from '../../../../core/relay/attempt/preference.ts';
import { turnsOf } from '../../../../core/relay/explain/turns.ts';
import type { RoutingStrategy } from '../../../../core/schemas/routing-strategy.ts';
import type { ChannelSpeed } from '../../../../core/services/health/speeds.ts';
import { createPricing } from '../../../../core/services/pricing/pricing.ts';
import { type RoutedChannel, readChannel, type Tiers } from '../../../../core/services/routing.ts';
import { channelRow } from '../../../support/channel-row.ts';

interface Made {
  priority?: number;
  setting?: object;
  mapping?: Record<string, string>;
}

const channel = (id: number, { priority = 0, setting = {}, mapping = {} }: Made = {}): RoutedChannel =>
  readChannel(
    { ...channelRow, id, priority, setting: JSON.stringify(setting), model_mapping: JSON.stringify(mapping) },
    'key',
  );

const pricing = createPricing(() => ({
  modelRatio: { 'house-large': 10, 'house-small': 1 },
  modelPrice: {},
  completionRatio: {},
  cacheRatio: {},
  groupRatio: { default: 1 },
  quotaPerUnit: 500_000,
  selfUse: false,
}));

function choiceOf(strategy: RoutingStrategy, model: string, speeds: Record<number, ChannelSpeed> = {}) {
  const dependencies: PreferenceDependencies = {
    speeds: { of: (id) => speeds[id] },
    pricing,
    options: { routingStrategy: (group) => (group === 'vip' ? strategy : 'weight') },
  };
  return { preference: preferenceOf({ model, group: 'vip' }, dependencies) };
}

const firstOf = (tiers: Tiers, choice: object) => [...chancesOf(tiers, [], new Breaker(), choice).keys()].sort();
const speed = (firstTokenMs: number, tokensPerSecond: number | null): ChannelSpeed => ({
  firstTokenMs,
  tokensPerSecond,
});

describe('a group that prefers the fastest channels', () => {
  const tier = [channel(1), channel(2), channel(3), channel(4)];

  it('goes to the fastest and to those nearly as fast, and tries those without figures of late', () => {
    const speeds = { 1: speed(400, 100), 2: speed(500, 110), 3: speed(300, 20) };
    // 2.4 s, 2.3 s and 10.3 s for 200 tokens.
    expect(firstOf([tier], choiceOf('speed', 'm', speeds))).toEqual([1, 2, 4]);
  });

  it('compares first tokens alone where the length of a stream told nothing of its speed', () => {
    const speeds = { 1: speed(400, 100), 2: speed(900, 110), 3: speed(410, null), 4: speed(3000, null) };
    expect(firstOf([tier], choiceOf('speed', 'm', speeds))).toEqual([1, 3]);
  });

  it('goes on with the slower ones of the same priority before a lower priority', () => {
    const tiers = [[channel(1, { priority: 9 }), channel(2, { priority: 9 })], [channel(3)]];
    const choice = choiceOf('speed', 'm', { 1: speed(2000, 50), 2: speed(300, 50), 3: speed(10, 500) });
    const breaker = new Breaker();
    expect(chooseChannel(tiers, [], breaker, choice)?.id).toBe(2);
    expect(chooseChannel(tiers, [2], breaker, choice)?.id).toBe(1);
    expect(chooseChannel(tiers, [2, 1], breaker, choice)?.id).toBe(3);
    const turns = turnsOf(tiers, 9, breaker, choice);
    expect(turns.map((turn) => [turn.channel.id, turn.turn])).toEqual([
      [2, 1],
      [1, 2],
      [3, 3],
    ]);
    expect(turns[1]?.reasons.map(({ code }) => code)).toEqual(['explain.slower']);
    expect(turns[1]?.reasons[0]?.text('en')).toContain('6.00 s');
    expect(turns[2]?.reasons.map(({ code }) => code)).toEqual(['explain.lowerPriority']);
  });

  it('leaves a fast channel that is paused after failures', () => {
    const breaker = new Breaker(() => 0);
    breaker.fail(2, { retryAfterSeconds: 5 });
    const choice = choiceOf('speed', 'm', { 1: speed(2000, 50), 2: speed(300, 50) });
    expect(chooseChannel([[channel(1), channel(2)]], [], breaker, choice)?.id).toBe(1);
  });

  it('keeps a conversation where its prompt is cached, and puts a new one on a fast channel', () => {
    const choice = choiceOf('speed', 'm', { 1: speed(2000, 50), 2: speed(300, 50) });
    const conversation = { id: '00112233aabbccdd', cacheSeconds: 0 };
    const at = (channelId: number) =>
      chooseChannel([[channel(1), channel(2)]], [], new Breaker(), {
        ...choice,
        attachment: { conversation, channelId },
      })?.id;
    expect([at(1), at(2), at(0)]).toEqual([1, 2, 2]);
  });
});

describe('a group that prefers the cheapest channels', () => {
  it('goes by the list price of the model that a channel asks for, times what its vendor charges of it', () => {
    const tier = [
      channel(1),
      channel(2, { setting: { cost_ratio: 0.6 } }),
      channel(3, { mapping: { 'gpt-4o': 'gpt-4o-mini' }, setting: { cost_ratio: 20 } }),
    ];
    expect(firstOf([tier], choiceOf('price', 'gpt-4o'))).toEqual([2]);
    const mini = [channel(1), channel(3, { mapping: { 'gpt-4o': 'gpt-4o-mini' } })];
    expect(firstOf([mini], choiceOf('price', 'gpt-4o'))).toEqual([3]);
    const turns = turnsOf([tier], 9, new Breaker(), choiceOf('price', 'gpt-4o'));
    const dearer = turns.find((turn) => turn.channel.id === 1);
    expect(dearer?.reasons.map((reason) => reason.text('en'))).toEqual(['costs you 67% more for a typical call']);
  });

  it("takes the operator's own price for a model that no list has, and spreads calls where nothing differs", () => {
    const mapped = channel(2, { mapping: { 'house-large': 'house-small' } });
    expect(firstOf([[channel(1), mapped]], choiceOf('price', 'house-large'))).toEqual([2]);
    expect(firstOf([[channel(1), channel(4)]], choiceOf('price', 'house-large'))).toEqual([1, 4]);
    expect(firstOf([[channel(1), channel(4)]], choiceOf('price', 'unpriced'))).toEqual([1, 4]);
  });

  it('takes a cost ratio that is no number, as an imported channel may have it, for the list price', () => {
    const tier = [
      channel(1, { setting: { cost_ratio: 'cheap' } }),
      channel(2, { setting: { cost_ratio: -1 } }),
      channel(3, { setting: { cost_ratio: 2 } }),
    ];
    expect(firstOf([tier], choiceOf('price', 'gpt-4o'))).toEqual([1, 2]);
  });

  it('is none of the groups that are not named', () => {
    expect(choiceOf('weight', 'm').preference).toBeUndefined();
  });
});

describe('a draw among preferred channels', () => {
  it('has the chances that are shown', () => {
    const tier = [channel(1), channel(2), channel(3)];
    const choice = choiceOf('speed', 'm', { 1: speed(100, 50), 2: speed(110, 50), 3: speed(9000, 50) });
    const counts = new Map<number, number>();
    for (let step = 0; step < 1000; step += 1) {
      const random = () => (step + 0.5) / 1000;
      const id = chooseChannel([tier], [], new Breaker(), { ...choice, random })?.id ?? 0;
      counts.set(id, (counts.get(id) ?? 0) + 1 / 1000);
    }
    const chances = chancesOf([tier], [], new Breaker(), choice);
    expect([...counts.keys()].sort()).toEqual([1, 2]);
    for (const [id, chance] of chances) expect(counts.get(id)).toBeCloseTo(chance, 2);
  });
});
