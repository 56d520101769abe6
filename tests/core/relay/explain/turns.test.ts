import { describe, expect, it } from 'vitest';
import { Breaker } from '../../../../core/relay/attempt/breaker.ts';
import { chooseChannel } from '../../../../core/relay/attempt/choose-channel.ts';
import { turnsOf } from '../../../../core/relay/explain/turns.ts';
import { type RoutedChannel, readChannel, type Tiers } from '../../../../core/services/routing.ts';
import { channelRow } from '../../../support/channel-row.ts';

const channel = (id: number, priority: number, weight: number): RoutedChannel =>
  readChannel({ ...channelRow, id, priority, weight }, 'key');

const tiers: Tiers = [[channel(1, 9, 0), channel(2, 9, 20), channel(3, 9, 50)], [channel(4, 5, 0)], [channel(5, 1, 7)]];
/** Numbers that follow each other evenly in place of chance. */
const evenly = (step: number, steps: number) => () => (step + 0.5) / steps;

function openCircuit(breaker: Breaker, id: number, failures = 5): void {
  for (let failure = 0; failure < failures; failure += 1) breaker.fail(id);
}

describe('the order of channels that is shown', () => {
  it('has the chances of the draw itself', () => {
    const breaker = new Breaker();
    const counts = new Map<number, number>();
    for (let step = 0; step < 1000; step += 1) {
      const id = chooseChannel(tiers, [], breaker, { random: evenly(step, 1000) })?.id ?? 0;
      counts.set(id, (counts.get(id) ?? 0) + 1 / 1000);
    }
    const first = turnsOf(tiers, 9, breaker).filter(({ turn }) => turn === 1);
    expect(first.map((turn) => turn.channel.id)).toEqual([3, 2, 1]);
    for (const { channel: own, chance } of first) expect(counts.get(own.id)).toBeCloseTo(chance, 2);
    expect(first.reduce((sum, { chance }) => sum + chance, 0)).toBeCloseTo(1);
  });

  it('is the order in which failing calls go on, past circuits that are open', () => {
    const breaker = new Breaker(() => 0);
    openCircuit(breaker, 4);
    openCircuit(breaker, 1);
    const turns = turnsOf(tiers, 9, breaker);
    const tried: number[] = [];
    for (let next = chooseChannel(tiers, tried, breaker); next; next = chooseChannel(tiers, tried, breaker)) {
      tried.push(next.id);
    }
    const turnOf = (id: number) => turns.find((turn) => turn.channel.id === id)?.turn ?? 0;
    expect(tried.map(turnOf)).toEqual(tried.map(turnOf).sort((a, b) => a - b));
    expect(tried).toHaveLength(5);
    expect(turns.filter(({ turn }) => turn === 1).map((turn) => turn.channel.id)).toEqual([3, 2]);
    const resting = turns.find((turn) => turn.channel.id === 4)?.reasons.map(({ code }) => code);
    expect(resting).toContain('explain.circuitOpen');
  });

  it('ends with the retries', () => {
    const turns = turnsOf(tiers, 3, new Breaker());
    expect(turns.map(({ turn }) => turn)).toEqual([1, 1, 1, 2, undefined]);
    expect(turns.at(-1)?.reasons.map(({ code }) => code)).toContain('explain.beyondRetries');
    expect(turnsOf([], 3, new Breaker())).toEqual([]);
  });
});
