import { AppError } from '../../errors/app-error.ts';
import type { RunningCalls } from '../deliver/delivery.ts';

const lastMs = 10_000;

/** Lets calls under way end for `limitMs`, then ends them visibly; resolves when none is left. */
export async function drainCalls(running: RunningCalls, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (running.size > 0 && performance.now() < deadline) await pause(50);
  for (const control of running.all()) control.stop(new AppError('relay.draining', {}, { retryAfterSeconds: 1 }));
  // What is left settles now; the ledger's own limits end the wait.
  const last = performance.now() + lastMs;
  while (running.size > 0 && performance.now() < last) await pause(20);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
