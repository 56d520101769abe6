import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { storableText } from '../lib/storable-text.ts';
import { createCommitter } from './committer.ts';
import { createFileWatch } from './file-watch.ts';
import {
  type Batch,
  type BatchResult,
  type KillPointHook,
  type Owner,
  StoreError,
  type Stray,
} from './ledger-store.ts';
import { openPostgresLedger } from './postgres-ledger.ts';
import { type HeldCall, type Settlement, toEndRow, toReleaseRow } from './settlement.ts';
import { openSpool } from './spool.ts';
import { createSpoolReplay } from './spool-replay.ts';
import { openSqliteLedger } from './sqlite-ledger.ts';
import { createSweeper } from './sweeper.ts';
import { type VerifyReport, verifyLedger } from './verify-ledger.ts';
import type { EndOutcome, HoldResult } from './work-queue.ts';

export interface HoldRequest {
  /** The request id: primary key of the hold, and unique in the log. */
  id: string;
  userId: number;
  /** 0 = playground. */
  tokenId: number;
  amount: number;
  /** 1 = the hold, 2.. = an extension of the same hold, counted up by the caller. */
  part?: number;
  /** The budgets it is taken from, as `writeBudgets` has them. */
  budgets?: string | undefined;
}

export interface CreditEntry {
  userId: number;
  /** With kind `token_grant` only: the token whose remaining quota changes instead of the user's balance. */
  tokenId?: number;
  /** Together with `ref` the entry's identity: the same pair is booked once, ever. */
  kind: string;
  ref: string;
  /** Negative takes away, below zero too. */
  amount: number;
  actorId: number;
  note?: string;
}

export interface Ledger {
  /** Throws `ledger.busy` or `ledger.unavailable`; a hold that was turned down this way is given back if it was taken. */
  hold(request: HoldRequest): Promise<HoldResult>;
  /**
   * Resolves once committed and flushed, or once it is safe in the spool. `already`: it was ended before. Without a hold and without
   * a sign of that it is booked in full anyway, or `parked`, with an alarm.
   */
  settle(settlement: Settlement): Promise<EndOutcome>;
  release(hold: HeldCall): Promise<void>;
  /** Every change of a balance other than consumption. False when (kind, ref) was booked before. */
  credit(entry: CreditEntry): Promise<boolean>;
  /** The database file turned out to be broken, moved or replaced while the server ran: no hold is given any more. */
  isDamaged(): boolean;
  /** False from a write that failed, other than for a lock, until one succeeds; and while the disk is full. */
  isWritable(): boolean;
  /** Work accepted and not yet finished. */
  inFlight(): number;
  /** How long the oldest of it waits. */
  queueWaitMs(): number;
  /** Returns the holds of processes that are gone, as also happens by itself; resolves to their number. */
  sweep(): Promise<number>;
  verify(onCheck?: (done: number, total: number) => void): Promise<VerifyReport>;
  /** Books a parked settlement after all; false when none of that id waits. */
  bookParked(id: string): Promise<boolean>;
  /** Told of every settlement without a hold that was booked or parked here. */
  onStrays(listener: (strays: Stray[]) => void): void;
  /** The process ends: what a locked or lost database does not take at once waits in the spool for the next start. */
  hurry(): void;
  /** Resolves when nothing is left to commit. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export interface LedgerDependencies {
  database: Config['database'];
  /** For `verify`. */
  logDatabase?: Config['logDatabase'];
  dataDirectory: string;
  /** Of the secrets this process can read. */
  keyIds?: readonly string[];
  log(level: 'info' | 'warn' | 'error', fields: Record<string, unknown>, text: string): void;
  onAlarm?(text: string, fields: Record<string, unknown>): void;
  /** Test builds end the process here. */
  killPoint?: KillPointHook;
}

const heartbeatMs = 10_000;
const lookEveryMs = 2000;

const strayText = {
  booked: 'settlements had no hold any more and were booked in full: the database seems to be an older copy of itself',
  parked: 'settlements without a hold wait for a decision: run tollgate ledger stray',
};

const leftText =
  'the process ends while the database takes no writes: settlements stay in the spool, and the next start books them';

export async function createLedger({
  database,
  logDatabase,
  dataDirectory,
  keyIds = [],
  log,
  onAlarm = () => {},
  killPoint = () => {},
}: LedgerDependencies): Promise<Ledger> {
  const owner: Owner = { id: randomBytes(10).toString('hex'), host: hostname(), pid: process.pid, keyIds };
  function renewed(): void {
    watch.opened();
    log('warn', {}, 'a write failed: the database file was opened anew, read, and found whole');
  }

  const store =
    database.engine === 'sqlite'
      ? await openSqliteLedger(database.file, owner, killPoint, renewed)
      : openPostgresLedger(database, owner, killPoint);
  try {
    await store.beat();
  } catch (error) {
    await store.close();
    if (database.engine === 'sqlite' && error instanceof StoreError && error.kind === 'busy')
      throw new AppError('database.locked', { file: database.file }, { cause: error });
    throw new AppError('ledger.unavailable', {}, { cause: error });
  }
  const spoolDirectory = join(dataDirectory, 'spool');
  const spool = await openSpool({ directory: spoolDirectory, owner: owner.id, killPoint, log });

  function alarm(text: string, fields: Record<string, unknown>): void {
    log('error', fields, text);
    onAlarm(text, fields);
  }

  const watch = createFileWatch({ database, alarm, warn: (text, fields) => log('warn', fields, text) });
  let isWritable = true;
  function noteFailure(error: unknown): void {
    if (error instanceof StoreError && error.kind === 'outage') isWritable = false;
  }

  async function apply(batch: Batch): Promise<BatchResult> {
    // A file that was moved away would never be read again.
    if (watch.isLost()) throw new StoreError('outage', false, new Error('the database file is not at its place'));
    try {
      const result = await store.apply(batch);
      isWritable = true;
      return result;
    } catch (error) {
      watch.failed(error);
      noteFailure(error);
      throw error;
    }
  }

  async function beat(): Promise<void> {
    try {
      await store.beat();
      isWritable = true;
    } catch (error) {
      watch.failed(error);
      noteFailure(error);
      log('warn', { error: String(error) }, 'the ledger cannot reach the database');
    }
  }

  const strayListeners: ((strays: Stray[]) => void)[] = [];
  function strayed(strays: Stray[]): void {
    for (const state of ['booked', 'parked'] as const) {
      const some = strays.filter((stray) => stray.state === state);
      const quota = some.reduce((sum, stray) => sum + stray.quota, 0);
      if (some.length > 0) alarm(strayText[state], { count: some.length, quota, first: some[0]?.id });
    }
    for (const listener of strayListeners) listener(strays);
  }

  const committer = createCommitter({
    store: { apply },
    async spool(rows) {
      await spool.append(rows);
      alarm('settlements wait in the spool, because the database does not take them', { count: rows.length });
    },
    refuse: spool.refuse,
    recovered: () => replay.begin(),
    strayed,
    alarm,
  });
  const replay = createSpoolReplay({ spool, committer, log });
  const sweeper = createSweeper({ store, isOpen: committer.isOpen, mayTidy: () => !spool.hasRows(), log });

  const heartbeat = setInterval(() => {
    void beat();
    void spool.keepReserve();
    // Also what a process beside this one left behind.
    replay.begin();
  }, heartbeatMs);
  heartbeat.unref();
  const looking = setInterval(() => {
    void watch.look();
    // Without anything to write, nothing else would notice that the disk is writable again.
    if (!isWritable) void beat();
  }, lookEveryMs);
  looking.unref();
  replay.begin();

  return {
    // Not async: a promise of the committer's own is handed on, several thousand times a second.
    hold({ id, userId, tokenId, amount, part = 1, budgets }) {
      if (!isQuota(amount)) return Promise.reject(noQuota('amount', amount));
      // An extension belongs to a call that runs already.
      if (part === 1 && (spool.isShort() || watch.isDamaged())) {
        return Promise.reject(new AppError('ledger.unavailable', {}, { retryAfterSeconds: 10 }));
      }
      return committer.push({ kind: 'hold', row: { id, userId, tokenId, amount, part, budgets } });
    },
    settle(settlement) {
      if (!isQuota(settlement.actual)) return Promise.reject(noQuota('actual', settlement.actual));
      return committer.push({ kind: 'end', row: toEndRow(settlement), fromSpool: false });
    },
    async release(call) {
      await committer.push({ kind: 'end', row: toReleaseRow(call), fromSpool: false });
    },
    async credit({ userId, tokenId = 0, kind, ref, amount, actorId, note = '' }) {
      if (!Number.isSafeInteger(amount)) throw new RangeError(`amount ${amount} is not a whole number of quota units`);
      if ((kind === 'token_grant') !== (tokenId !== 0)) throw new TypeError('only token_grant entries name a token');
      const row = {
        userId,
        tokenId,
        kind: storableText(kind),
        ref: storableText(ref),
        amount,
        actorId,
        note: storableText(note),
      };
      return committer.push({ kind: 'credit', row });
    },
    isDamaged: watch.isDamaged,
    isWritable: () => isWritable && !spool.isShort(),
    inFlight: committer.inFlight,
    queueWaitMs: committer.oldestWaitMs,
    sweep: sweeper.sweep,
    verify: (onCheck) => verifyLedger(database, { logDatabase, onCheck }),
    bookParked: store.bookParked,
    onStrays: (listener) => void strayListeners.push(listener),
    hurry: committer.hurry,
    drain: committer.drain,
    async close() {
      committer.hurry();
      clearInterval(heartbeat);
      clearInterval(looking);
      await sweeper.stop();
      await committer.drain();
      // The disk may not outlive this process. With the database away, the spool is all there is.
      if (spool.hasRows() && isWritable) replay.begin();
      await replay.settled();
      await committer.drain();
      committer.stop();
      if (spool.hasRows()) log('error', { directory: spoolDirectory }, leftText);
      await store.close();
    },
  };
}

function isQuota(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function noQuota(name: string, value: number): RangeError {
  return new RangeError(`${name} ${value} is not a quota`);
}
