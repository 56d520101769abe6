import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectRedis } from '../../../../core/integrations/redis/redis-link.ts';
import { redisScript } from '../../../../core/integrations/redis/redis-script.ts';
import { type RedisServer, startRedis, until } from '../../../support/redis.ts';

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

it('is not taken for slow by a process that was busy itself', async () => {
  const warnings: string[] = [];
  const link = connectRedis({ url: redis.url, warn: (text) => warnings.push(text), recovered: () => undefined });
  await until('it is used', async () => link.isUp());
  const response = link.run(redisScript('return ARGV[1]'), ['key'], ['here']);
  // As in a call that was read from its connection: timers are looked at before connections are.
  await nextTurn();
  const freeAt = performance.now() + 1200;
  while (performance.now() < freeAt);
  expect(await response).toBe('here');
  expect([link.isUp(), warnings]).toEqual([true, []]);
  link.close();
});
