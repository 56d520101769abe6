import { setTimeout as wait } from 'node:timers/promises';
import type { Ledger } from '../../core/billing/ledger.ts';
import type { EndOutcome } from '../../core/billing/work-queue.ts';
import { newRequestId } from '../../core/lib/request-id.ts';
import { settlementOf } from './ledger-books.ts';

export interface LoadPlan {
  /** Calls that run at the same time, each hold, (sometimes) an extension, settle or release. */
  lanes: number;
  users: { userId: number; tokenId: number }[];
  channelId: number;
  /** Longest time between hold and settlement. */
  thinkMs: number;
}

export interface Settled {
  id: string;
  userId: number;
  actual: number;
  outcome: EndOutcome;
}

export interface LoadResult {
  settled: Settled[];
  /** Holds that were turned down with an error, and how long they had waited. */
  turnedDown: { code: string }[];
}

/** Calls the ledger the way the relay does until `stopped` says so; `onSettled` hears of each acknowledged charge. */
export async function runLoad(
  ledger: Ledger,
  { lanes, users, channelId, thinkMs }: LoadPlan,
  stopped: () => boolean,
  onSettled: (settled: Settled) => void = () => {},
): Promise<LoadResult> {
  const result: LoadResult = { settled: [], turnedDown: [] };

  async function call(): Promise<void> {
    const user = users[Math.floor(Math.random() * users.length)];
    if (!user) throw new Error('a load needs users');
    const id = newRequestId();
    try {
      const result = await ledger.hold({ id, ...user, amount: 100 });
      if (!result.ok) return;
    } catch (error) {
      result.turnedDown.push({ code: String((error as { code?: unknown }).code) });
      await wait(20);
      return;
    }
    if (thinkMs > 0) await wait(Math.random() * thinkMs);
    // Extensions may be turned down; the call then goes on with what it has.
    const more =
      Math.random() < 0.2 ? await ledger.hold({ id, ...user, amount: 100, part: 2 }).catch(() => {}) : undefined;
    const held = more?.ok ? 200 : 100;
    if (Math.random() < 0.1) return ledger.release({ id, ...user, held });
    const actual = Math.floor(Math.random() * 250);
    const outcome = await ledger.settle({ ...settlementOf({ id, ...user, channelId, actual }), held });
    const settled = { id, userId: user.userId, actual, outcome };
    result.settled.push(settled);
    onSettled(settled);
  }

  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (!stopped()) await call();
    }),
  );
  return result;
}
