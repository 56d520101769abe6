import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KeyRotation } from '../../../../core/relay/attempt/key-rotation.ts';
import { joinKeys, newPool, writePool } from '../../../../core/services/channel/key-pool.ts';
import { type RoutedChannel, readChannel } from '../../../../core/services/routing.ts';
import { channelRow } from '../../../support/channel-row.ts';

function channelOf(count: number, mode: 'random' | 'polling' = 'random', off: number[] = []): RoutedChannel {
  const pool = newPool(mode, count);
  const keys = pool.keys.map((key) => (off.includes(key.id) ? { ...key, status: 2 } : key));
  const secret = joinKeys(keys.map(({ id }) => `some-upstream-key-${id}`));
  return readChannel({ ...channelRow, id: 7, key_pool: writePool({ ...pool, keys }) }, secret);
}

describe('the choice of a key', () => {
  it('passes over keys that are off, and a key that rests until its time is over', () => {
    let now = 0;
    const rotation = new KeyRotation(() => now);
    const channel = channelOf(3, 'polling', [2]);
    const first = rotation.choose(channel);
    expect(first.key).toBe('some-upstream-key-1');
    rotation.fail(first, 5);
    const next = () => rotation.choose(channel).keyId;
    expect([next(), next()]).toEqual([3, 3]);
    now = 5001;
    expect([next(), next()].sort()).toEqual([1, 3]);
  });

  it('pauses longer after each refusal without Retry-After, and starts over after a success', () => {
    let now = 0;
    const rotation = new KeyRotation(() => now);
    const key = rotation.choose(channelOf(2, 'polling'));
    const rests: number[] = [];
    for (let time = 0; time < 7; time += 1) {
      rotation.fail(key);
      rests.push(rotation.waitMs(key));
      now += 100_000;
    }
    expect(rests).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    rotation.succeed(key);
    rotation.fail(key);
    expect(rotation.waitMs(key)).toBe(2000);
  });

  it('takes the key whose rest ends first when all of them rest', () => {
    const rotation = new KeyRotation(() => 0);
    const channel = channelOf(2);
    const [one, two] = channel.pool?.all ?? [];
    if (!one || !two) throw new Error('no keys');
    rotation.fail(one, 30);
    rotation.fail(two, 10);
    expect(rotation.choose(channel).keyId).toBe(2);
    expect(rotation.channelWaitMs(channel)).toBe(10_000);
    expect(rotation.spare(one, [one])).toBeUndefined();
  });

  it('sends one conversation to one key on every node, and moves only those of a key that went off', () => {
    const conversations = Array.from({ length: 600 }, (_, index) =>
      createHash('sha256').update(`${index}`).digest('hex').slice(0, 16),
    );
    const placesOf = (channel: RoutedChannel) => {
      const rotation = new KeyRotation();
      return conversations.map((name) => rotation.choose(channel, [], name).keyId);
    };
    const before = placesOf(channelOf(3));
    expect(placesOf(channelOf(3))).toEqual(before);
    for (const id of [1, 2, 3]) {
      const share = before.filter((place) => place === id).length;
      expect(share).toBeGreaterThan(140);
      expect(share).toBeLessThan(260);
    }
    const after = placesOf(channelOf(3, 'random', [2]));
    expect(after).not.toContain(2);
    for (const [index, place] of before.entries()) if (place !== 2) expect(after[index]).toBe(place);
  });
});
