import { setTimeout as pause } from 'node:timers/promises';

/** No batch is larger (D6), however quick the database is. */
const maxRows = 1000;
const minRows = 100;
/** How long others may wait for a batch. SQLite has one writer, so each settlement of that time waits. */
const targetMs = 25;
const minPauseMs = 5;

export interface Pacing {
  signal?: AbortSignal | undefined;
  /** Hears how many rows went so far; what it throws ends the deletion after that batch. */
  onProgress?: ((deleted: number) => void) | undefined;
}

/**
 * Deletes in batches that are as large as the database does in a few milliseconds, and rests as long as a batch took: calls
 * that are settled meanwhile wait for one batch at most, and get their turn before the next. `remove` deletes at most so many rows
 * and says how many went; fewer than asked for means that none are left. Returns how many rows went.
 */
export async function removeInBatches(
  remove: (limit: number) => Promise<number>,
  { signal, onProgress }: Pacing = {},
): Promise<number> {
  let deleted = 0;
  for (let limit = 100; !signal?.aborted; ) {
    const startedAt = performance.now();
    const count = await remove(limit);
    const tookMs = performance.now() - startedAt;
    deleted += count;
    onProgress?.(deleted);
    if (count < limit) break;
    await pause(Math.max(minPauseMs, tookMs));
    limit = nextLimit(limit, tookMs);
  }
  return deleted;
}

/** At most half or twice the last one: a batch that had to wait for the disk says little about the next. */
function nextLimit(limit: number, tookMs: number): number {
  const factor = Math.min(2, Math.max(0.5, targetMs / tookMs));
  return Math.min(maxRows, Math.max(minRows, Math.round(limit * factor)));
}
