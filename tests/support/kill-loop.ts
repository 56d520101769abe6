import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { type BookedCalls, compareBooks } from './booked-calls.ts';
import { askedUsage, emptyResult, runCalls } from './call-load.ts';
import type { Installation } from './installation.ts';

export interface KillFigures extends BookedCalls {
  kills: number;
  /** Of those that were acknowledged. */
  converted: number;
}

/**
 * Clients call the server without a rest; it is killed at random moments and started again on the same data. Holds of the
 * dead are returned in the end, so that what is still held is an error.
 */
export async function runKillLoop(installation: Installation, kills: number): Promise<KillFigures> {
  const { url, key, upstream } = installation;
  upstream.always(askedUsage(2));
  const result = emptyResult();
  let isOver = false;
  // While the server starts, its clients leave it the processor.
  const clients = runCalls(
    { url, key, protocols: ['chat', 'messages'], clients: 12, pauseMs: 150 },
    () => isOver,
    result,
  );
  try {
    for (let kill = 0; kill < kills; kill++) {
      const server = await installation.start();
      const before = result.seen.length;
      await expect.poll(() => result.seen.length, { interval: 5 }).toBeGreaterThan(before);
      await wait(Math.random() * 500);
      server.signal('SIGKILL');
      await server.ended;
    }
  } finally {
    isOver = true;
    await clients;
  }
  await installation.forgetTheDead();
  const last = await installation.start();
  await expect.poll(() => installation.count('quota_holds WHERE state = 0'), { timeout: 30_000 }).toBe(0);
  last.signal('SIGTERM');
  await last.ended;
  const converted = result.seen.filter(({ protocol }) => protocol !== 'chat').length;
  return { kills, converted, ...(await compareBooks(installation, result)) };
}
