import { AppError } from '../errors/app-error.ts';
import {
  type Batch,
  type BatchResult,
  creditKey,
  type EndRow,
  type LedgerStore,
  StoreError,
  type Stray,
  statementLimitMs,
} from './ledger-store.ts';
import { toReleaseRow } from './settlement.ts';
import {
  type CreditWork,
  createWorkQueue,
  type EndOutcome,
  type EndWork,
  type HoldResult,
  type HoldWork,
  type Outcome,
  type Work,
  type WorkItem,
} from './work-queue.ts';

const batchSize = 256;
const queueLimit = 5000;
const holdWaitLimitMs = 2000;
/** While the database is away new calls are turned down sooner than they would be for a long queue. */
const holdOutageLimitMs = 750;
const settleRetryMs = 5000;
/** While the process ends, which must not wait for another program's lock. */
const hurriedRetryMs = 500;
const watchEveryMs = 100;

export interface CommitterDependencies {
  store: Pick<LedgerStore, 'apply'>;
  /** Keeps settlements the database did not take in time. */
  spool(rows: EndRow[]): Promise<void>;
  /** Keeps a settlement the database refuses for good. */
  refuse(row: EndRow, reason: string): Promise<void>;
  /** Called when the database takes writes again after an outage. */
  recovered(): void;
  /** Settlements without a hold that nothing says were booked before. */
  strayed(strays: Stray[]): void;
  alarm(text: string, fields: Record<string, unknown>): void;
}

interface Push {
  (work: HoldWork): Promise<HoldResult>;
  (work: EndWork): Promise<EndOutcome>;
  (work: CreditWork): Promise<boolean>;
}

export interface Committer {
  push: Push;
  inFlight(): number;
  /** Whether a call has this hold, or its end waits in the spool. */
  isOpen(id: string): boolean;
  oldestWaitMs(): number;
  /** From here on ends are spooled, and credits turned down, as soon as the database does not take them. */
  hurry(): void;
  drain(): Promise<void>;
  stop(): void;
}

/**
 * One committer per process: what waits becomes one transaction, and the next one begins a turn of the event loop after it has
 * ended, so a batch grows with the load and no call waits for a timer. Holds may be turned down; an end is booked, spooled or
 * tried again.
 */
export function createCommitter(dependencies: CommitterDependencies): Committer {
  const { store, spool, refuse, recovered, strayed, alarm } = dependencies;
  const queue = createWorkQueue();
  let batch: WorkItem[] = [];
  /** Committed and not flushed. */
  const flushing = new Set<WorkItem[]>();
  let isRunning = false;
  let isAway = false;
  let hasSpooled = false;
  let retryMs = settleRetryMs;
  const drained: (() => void)[] = [];
  const open = new Set<string>();
  const watch = setInterval(turnDownLateHolds, watchEveryMs);
  watch.unref();

  function push(work: HoldWork): Promise<HoldResult>;
  function push(work: EndWork): Promise<EndOutcome>;
  function push(work: CreditWork): Promise<boolean>;
  function push(work: Work): Promise<Outcome> {
    if (work.kind === 'hold' && queue.length() >= queueLimit) {
      return Promise.reject(new AppError('ledger.busy', {}, { retryAfterSeconds: 2 }));
    }
    const promise = queue.add(work);
    begin();
    return promise;
  }

  function begin(): void {
    if (isRunning) return;
    isRunning = true;
    setImmediate(run);
  }

  /** At the end of a turn of the event loop: calls that arrive in the same turn share a batch. */
  async function run(): Promise<void> {
    batch = queue.take(batchSize);
    await commit(batch);
    batch = [];
    if (queue.length() > 0) {
      // Not in this turn but the next: then the callers whose work this batch finished have sent on what they had, and the sockets have
      // been read once. A batch has a price of its own, whatever is in it.
      setImmediate(setImmediate, run);
      return;
    }
    isRunning = false;
    noteIdle();
  }

  function isIdle(): boolean {
    return !isRunning && flushing.size === 0;
  }

  function noteIdle(): void {
    if (isIdle()) for (const resolve of drained.splice(0)) resolve();
  }

  async function commit(items: WorkItem[]): Promise<void> {
    let rest = items;
    for (let attempt = 0; ; attempt++) {
      rest = rest.filter((item) => !isDoneWith(item));
      if (rest.length === 0) return;
      const result = await store.apply(toBatch(rest)).catch(asFailure);
      if (result instanceof StoreError) {
        const failure = result;
        if (failure.outcomeUnknown) for (const item of rest) item.isRepeated = true;
        if (failure.kind === 'item') return split(rest, failure);
        isAway = failure.kind === 'outage';
        turnDownLateHolds();
        await spoolLateEnds([...rest, ...queue.items()]);
        await pause(failure.kind === 'busy' ? 0 : Math.min(50 * 2 ** attempt, 400));
      } else {
        const { flushed } = result;
        for (const item of rest) if (!flushed || item.work.kind === 'hold') finish(item, result);
        if (flushed) void finishFlushed(rest, result, flushed);
        if (result.strays.length > 0) strayed(result.strays);
        if (isAway || hasSpooled) recovered();
        isAway = false;
        hasSpooled = false;
        return;
      }
    }
  }

  /** The next batch does not wait for the disk; those who were promised that their charge is on it do. */
  async function finishFlushed(items: WorkItem[], result: BatchResult, flushed: Promise<void>): Promise<void> {
    const waiting = items.filter(({ work }) => work.kind !== 'hold');
    flushing.add(waiting);
    try {
      await flushed;
      for (const item of waiting) finish(item, result);
    } catch {
      // Committed, but a power cut may take it away: once more, which books nothing twice.
      for (const item of waiting) item.isRepeated = true;
      queue.putBack(waiting);
      begin();
    } finally {
      flushing.delete(waiting);
      noteIdle();
    }
  }

  /** One row is wrong: halves are tried until it stands alone, and only that one fails. */
  async function split(items: WorkItem[], failure: StoreError): Promise<void> {
    const [only] = items;
    if (items.length === 1 && only) return fail(only, failure);
    const middle = items.length >> 1;
    await commit(items.slice(0, middle));
    await commit(items.slice(middle));
  }

  async function fail(item: WorkItem, failure: StoreError): Promise<void> {
    const { work } = item;
    if (work.kind === 'end') {
      alarm('the database refuses a settlement; it is kept beside the spool', {
        request_id: work.row.id,
        reason: failure.message,
      });
      await refuse(work.row, failure.message).catch((error: unknown) =>
        alarm('a refused settlement could not be kept', {
          request_id: work.row.id,
          row: work.row,
          reason: String(error),
        }),
      );
    }
    item.reject(failure.cause instanceof Error ? failure.cause : failure);
  }

  function finish(item: WorkItem, result: BatchResult): void {
    const { work } = item;
    if (work.kind === 'hold') {
      const refused = result.refused.get(work.row.id);
      if (item.isDone && !refused) returnHold(item);
      else if (!refused) open.add(work.row.id);
      item.resolve(refused ? { ok: false, refused } : { ok: true });
    } else if (work.kind === 'end') {
      open.delete(work.row.id);
      const stray = result.strays.find(({ id }) => id === work.row.id);
      // After an unacknowledged COMMIT, gone means that it was this very settlement.
      const isBooked = result.ended.has(work.row.id) || item.isRepeated;
      item.resolve(stray?.state ?? (isBooked ? 'booked' : 'already'));
    } else {
      item.resolve(result.credited.has(creditKey(work.row)) || item.isRepeated);
    }
  }

  function turnDownLateHolds(): void {
    const limit = isAway ? holdOutageLimitMs : holdWaitLimitMs;
    const now = performance.now();
    for (const item of [...queue.items(), ...batch]) {
      if (item.work.kind !== 'hold' || item.isDone || now - item.sinceMs < limit) continue;
      item.reject(new AppError(isAway ? 'ledger.unavailable' : 'ledger.busy', {}, { retryAfterSeconds: 2 }));
    }
  }

  /** True when the caller has stopped waiting. A hold that may have been committed anyway is given back. */
  function isDoneWith(item: WorkItem): boolean {
    if (item.isDone && item.isRepeated) returnHold(item);
    return item.isDone;
  }

  function returnHold({ work, isRepeated }: WorkItem): void {
    // An extension stays with its hold, whose settlement gives it back.
    if (work.kind !== 'hold' || work.row.part > 1) return;
    const { id, amount } = work.row;
    const row = toReleaseRow({ ...work.row, held: amount });
    const giveBack = () =>
      void push({ kind: 'end', row, fromSpool: false }).catch((error: unknown) =>
        alarm('a hold whose caller stopped waiting could not be returned', { request_id: id, reason: String(error) }),
      );
    // A statement whose link was cut may still run on the server, but not past its time limit.
    if (isRepeated) setTimeout(giveBack, statementLimitMs + 1000).unref();
    else giveBack();
  }

  /** A spool that cannot be written leaves the rows where they are, for the next round. */
  async function spoolLateEnds(items: WorkItem[]): Promise<void> {
    const now = performance.now();
    const late = items.filter((item) => !item.isDone && now - item.sinceMs >= retryMs);
    const rows = late.flatMap(({ work }) => (work.kind === 'end' && !work.fromSpool ? [work.row] : []));
    try {
      if (rows.length > 0) await spool(rows);
    } catch (error) {
      alarm('settlements can neither be booked nor spooled; they are tried again', { reason: String(error) });
      return;
    }
    if (rows.length > 0) hasSpooled = true;
    for (const item of late) {
      if (item.work.kind === 'end' && !item.work.fromSpool) item.resolve('spooled');
      else item.reject(new AppError('ledger.unavailable', {}, { retryAfterSeconds: 2 }));
    }
  }

  return {
    push,
    inFlight: () => [...flushing].reduce((sum, items) => sum + items.length, queue.length() + batch.length),
    isOpen: (id) => open.has(id),
    oldestWaitMs: () => {
      const started = [...flushing, batch].flat();
      const oldest = started.find(({ isDone }) => !isDone) ?? queue.items()[0];
      return oldest ? performance.now() - oldest.sinceMs : 0;
    },
    hurry() {
      retryMs = hurriedRetryMs;
    },
    drain: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => drained.push(resolve))),
    stop: () => clearInterval(watch),
  };
}

function asFailure(error: unknown): StoreError {
  return error instanceof StoreError ? error : new StoreError('item', false, error);
}

function toBatch(items: WorkItem[]): Batch {
  const batch: Batch = { holds: [], ends: [], credits: [], repeated: items.some(({ isRepeated }) => isRepeated) };
  for (const { work } of items) {
    if (work.kind === 'hold') batch.holds.push(work.row);
    else if (work.kind === 'end') batch.ends.push(work.row);
    else batch.credits.push(work.row);
  }
  return batch;
}

/** Half of it random, so that processes that failed together do not come back together. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) =>
    setTimeout(resolve, ms === 0 ? 1 + 4 * Math.random() : ms * (0.5 + Math.random() / 2)),
  );
}
