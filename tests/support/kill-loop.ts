import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { type BookedCalls, compareBooks } from './booked-calls.ts';
import { askedUsage, emptyResult, runCalls, type SeenCall } from './call-load.ts';
import type { Installation } from './installation.ts';
import { mediaModels, mediaResponse, runMediaCalls } from './media-load.ts';

export interface KillFigures extends BookedCalls {
  kills: number;
  /** Of those that were acknowledged. */
  converted: number;
  /** Pictures, speech and transcripts of them. */
  media: number;
}

/**
 * Clients call the server without a rest; it is killed at random moments and started again on the same data. Holds of the
 * dead are returned in the end, so that what is still held is an error.
 */
export async function runKillLoop(installation: Installation, kills: number): Promise<KillFigures> {
  const { url, key, upstream } = installation;
  const chat = askedUsage(2);
  upstream.always((request) => mediaResponse(request) ?? chat(request));
  const channel = JSON.parse(installation.environment.INITIAL_CHANNEL ?? '') as { models: string };
  channel.models += `,${mediaModels.join(',')}`;
  installation.environment.INITIAL_CHANNEL = JSON.stringify(channel);
  const result = emptyResult();
  let isOver = false;
  // While the server starts, its clients leave it the processor.
  const clients = runCalls(
    { url, key, protocols: ['chat', 'messages'], clients: 12, pauseMs: 150 },
    () => isOver,
    result,
  );
  const media = runMediaCalls({ url, key }, () => isOver, result);
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
    await Promise.all([clients, media]);
  }
  await installation.forgetTheDead();
  const last = await installation.start();
  await expect.poll(() => installation.count('quota_holds WHERE state = 0'), { timeout: 30_000 }).toBe(0);
  last.signal('SIGTERM');
  await last.ended;
  const countOf = (wanted: SeenCall['protocol']) => result.seen.filter(({ protocol }) => protocol === wanted).length;
  return {
    kills,
    converted: countOf('messages'),
    media: countOf('media'),
    ...(await compareBooks(installation, result)),
  };
}
