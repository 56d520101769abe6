import { type CreditRow, creditKey, type EndRow, type HoldRefusal, type HoldRow } from './ledger-store.ts';

export type HoldResult = { ok: true } | { ok: false; refused: HoldRefusal };
/** `parked`: kept until an administrator decides. */
export type EndOutcome = 'booked' | 'already' | 'spooled' | 'parked';
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

/** A class, because one is made per hold and per settlement: closures of its own would cost more than all it does. */
export class WorkItem {
  readonly work: Work;
  /** Two pieces of work with the same key are never taken together. */
  readonly key: string;
  /** Monotonic milliseconds. */
  readonly sinceMs = performance.now();
  isDone = false;
  /** A COMMIT that contained it was never acknowledged. */
  isRepeated = false;
  private readonly onResolve: (outcome: Outcome) => void;
  private readonly onReject: (error: Error) => void;

  constructor(work: Work, onResolve: (outcome: Outcome) => void, onReject: (error: Error) => void) {
    this.work = work;
    this.key = work.kind === 'credit' ? creditKey(work.row) : work.row.id;
    this.onResolve = onResolve;
    this.onReject = onReject;
  }

  resolve(outcome: Outcome): void {
    this.isDone = true;
    this.onResolve(outcome);
  }

  reject(error: Error): void {
    this.isDone = true;
    this.onReject(error);
  }
}

export interface WorkQueue {
  add(work: Work): Promise<Outcome>;
  take(limit: number): WorkItem[];
  /** Before all others: what was taken and must be done again. */
  putBack(items: WorkItem[]): void;
  items(): WorkItem[];
  length(): number;
}

/** In order of arrival; two pieces of work on the same hold (or the same credit) are never taken together. */
export function createWorkQueue(): WorkQueue {
  let waiting: WorkItem[] = [];

  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        waiting.push(new WorkItem(work, resolve, reject));
      }),
    take(limit) {
      const keys = new Set<string>();
      const taken: WorkItem[] = [];
      const left: WorkItem[] = [];
      for (const item of waiting) {
        // Turned down or spooled while it waited.
        if (item.isDone) continue;
        if (taken.length < limit && !keys.has(item.key)) taken.push(item);
        else left.push(item);
        if (taken.length < limit) keys.add(item.key);
      }
      waiting = left;
      return taken;
    },
    putBack(items) {
      waiting = [...items, ...waiting];
    },
    items: () => waiting,
    length: () => waiting.length,
  };
}
