import { expect } from 'vitest';
import type { CallResult } from './call-load.ts';
import type { Installation } from './installation.ts';

export interface BookedCalls {
  acknowledged: number;
  /** Seen whole by a client, and not in the log with the right quota. */
  lost: number;
  /** Log rows beyond one for each request id, and beyond one for each call that was begun. */
  doubled: number;
  /** Differences that `ledger verify` finds. */
  wrongSums: number;
  openHolds: number;
}

/** What the clients saw, held against the log and the books. */
export async function compareBooks(installation: Installation, { seen, begun }: CallResult): Promise<BookedCalls> {
  const rows = await installation.database.select<{ request_id: string; quota: number }>(
    'SELECT request_id, quota FROM logs WHERE type = 2',
  );
  const booked = new Map(rows.map(({ request_id, quota }) => [request_id, Number(quota)]));
  const { stdout } = await installation.cli('ledger', 'verify', '--json');
  const { differenceCount } = JSON.parse(stdout) as { differenceCount: number };
  return {
    acknowledged: seen.length,
    lost: seen.filter(({ id, quota }) => booked.get(id) !== quota).length,
    doubled: rows.length - booked.size + Math.max(0, rows.length - begun),
    wrongSums: differenceCount,
    openHolds: await installation.count('quota_holds WHERE state = 0'),
  };
}

export async function expectBookedOnce(installation: Installation, result: CallResult): Promise<void> {
  const calls = await compareBooks(installation, result);
  expect(calls).toEqual({ acknowledged: result.seen.length, lost: 0, doubled: 0, wrongSums: 0, openHolds: 0 });
}
