import { type CreditRow, creditKey, type EndRow, type HoldRow, type Refusal } from './ledger-store.ts';

export type HoldResult = { ok: true } | { ok: false; refused: Refusal };
export type EndOutcome = 'booked' | 'already' | 'spooled';
export type Outcome = HoldResult | EndOutcome | boolean;

export interface HoldWork {
  kind: 'hold';
  row: HoldRow;
}
export interface EndWork {
  kind: 'end';
  row: EndRow;
  /** Already on disk: when the database is away it stays there instead of being spooled again. */
  fromSpool: boolean;
}
export interface CreditWork {
  kind: 'credit';
  row: CreditRow;
}
export type Work = HoldWork | EndWork | CreditWork;

export interface WorkItem {
  work: Work;
  key: string;
  /** Monotonic milliseconds. */
  sinceMs: number;
  isAnswered: boolean;
  /** A COMMIT that contained it was never answered. */
  isRepeated: boolean;
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
}

export interface WorkQueue {
  add(work: Work): Promise<Outcome>;
  take(limit: number): WorkItem[];
  items(): WorkItem[];
  length(): number;
}

/** In order of arrival; two pieces of work on the same hold (or the same credit) are never taken together. */
export function createWorkQueue(): WorkQueue {
  let waiting: WorkItem[] = [];

  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        const item: WorkItem = {
          work,
          key: work.kind === 'credit' ? creditKey(work.row) : work.row.id,
          sinceMs: performance.now(),
          isAnswered: false,
          isRepeated: false,
          resolve(outcome) {
            item.isAnswered = true;
            resolve(outcome);
          },
          reject(error) {
            item.isAnswered = true;
            reject(error);
          },
        };
        waiting.push(item);
      }),
    take(limit) {
      const keys = new Set<string>();
      const taken: WorkItem[] = [];
      const left: WorkItem[] = [];
      for (const item of waiting) {
        // Turned down or spooled while it waited.
        if (item.isAnswered) continue;
        if (taken.length < limit && !keys.has(item.key)) taken.push(item);
        else left.push(item);
        if (taken.length < limit) keys.add(item.key);
      }
      waiting = left;
      return taken;
    },
    items: () => waiting,
    length: () => waiting.length,
  };
}
