import type { Config } from '../config.ts';
import { connect, type Database, withLogHome } from './connect.ts';
import { asOutage } from './outage.ts';
import { createReplicaLag, type WalPlace } from './replica-lag.ts';
import { identityOf, isSame, replayedPlace, writtenPlace } from './replica-probe.ts';

export type ReplicaFault = 'unreachable' | 'notReplica' | 'otherDatabase' | 'behind';

export interface ReplicaState {
  /** Undefined while it is used. */
  fault: ReplicaFault | 'starting' | undefined;
  /** Seconds; undefined while it is not known. */
  lagSeconds: number | undefined;
}

/** Where lists, sums and charts of the log are read: what may be some seconds old. */
export interface ReportDatabase {
  /**
   * Reads on the replica, while there is one that is near enough and has what this process noted as written; else on the primary.
   * The work is done again on the primary when the replica fails it.
   */
  read<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** What is written by now will be seen by every later read of this process. */
  noteWrite(): Promise<void>;
  /** Undefined without a replica. */
  state(): ReplicaState | undefined;
  /** Reads so far, by where they were done. */
  counts(): Readonly<Record<'primary' | 'replica', number>>;
  /** Looks at the replica from now on; before, everything is read from the primary. */
  start(): Promise<void>;
  close(): Promise<void>;
}

interface ReportDependencies {
  primary: Database;
  replica: Config['readReplica'];
  /** Where who reads the replica finds the log; left out = there. */
  logHomeOf?(from: Database): Promise<Database>;
  /** Told when the replica is used, and when and why it is not. */
  onChange(state: ReplicaState): void;
}

const lookEveryMs = 1000;
/** A look that is older says nothing any more. */
const staleMs = 5000;
const connections = 10;
/** Rows that the primary removes while a replica reads them. */
const recoveryConflict = '40001';
/** A statement that takes too long there takes too long here. */
const tookTooLong = '57014';

export function createReportDatabase({ primary, replica, logHomeOf, onChange }: ReportDependencies): ReportDatabase {
  const counts = { primary: 0, replica: 0 };
  const lag = createReplicaLag();
  let database: Database | undefined;
  let isSameDatabase: boolean | undefined;
  let state: ReplicaState = { fault: 'starting', lagSeconds: undefined };
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  /** What it has replayed, and what it must have. */
  let replayed: WalPlace = 0;
  let needed: WalPlace = 0;
  let timer: NodeJS.Timeout | undefined;

  function turn(next: ReplicaState): void {
    const before = state.fault;
    state = next;
    if (before !== next.fault) onChange(next);
  }

  async function look(at: Database, maxLagSeconds: number): Promise<void> {
    const atMs = performance.now();
    try {
      lag.sample(await writtenPlace(primary), atMs);
    } catch {
      return; // the state becomes stale, and the primary is asked, which says what is wrong
    }
    try {
      const place = await replayedPlace(at);
      if (place === undefined) return turn({ fault: 'notReplica', lagSeconds: undefined });
      isSameDatabase ??= isSame(await identityOf(primary), await identityOf(at));
      if (!isSameDatabase) return turn({ fault: 'otherDatabase', lagSeconds: undefined });
      replayed = place;
      lookedAtMs = performance.now();
      const behindMs = lag.behind(place, lookedAtMs);
      const lagSeconds = behindMs === undefined ? undefined : behindMs / 1000;
      const isNear = lagSeconds !== undefined && lagSeconds <= maxLagSeconds;
      turn({ fault: isNear ? undefined : 'behind', lagSeconds });
    } catch {
      // Another server may take its address.
      isSameDatabase = undefined;
      turn({ fault: 'unreachable', lagSeconds: undefined });
    }
  }

  /** The replica, where it has everything that this process needs to see. */
  async function usable(): Promise<Database | undefined> {
    if (!database || state.fault !== undefined || performance.now() - lookedAtMs > staleMs) return undefined;
    if (replayed >= needed) return database;
    const place = await replayedPlace(database).catch(() => undefined);
    replayed = Math.max(replayed, place ?? 0);
    return replayed >= needed ? database : undefined;
  }

  async function read<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const from = await usable();
    if (from) {
      try {
        const result = await work(from);
        counts.replica += 1;
        return result;
      } catch (error) {
        if (!isOfReplica(error)) throw error;
      }
    }
    counts.primary += 1;
    return work(primary);
  }

  async function noteWrite(): Promise<void> {
    if (!database) return;
    try {
      needed = Math.max(needed, await writtenPlace(primary));
    } catch {
      // Then the replica is not read before it has been looked at again.
      lookedAtMs = Number.NEGATIVE_INFINITY;
    }
  }

  async function start(): Promise<void> {
    if (!replica || database) return;
    const plain = await connect({ engine: 'postgres', url: replica.url }, connections);
    const opened = logHomeOf ? withLogHome(plain, logHomeOf) : plain;
    database = opened;
    const next = async () => {
      await look(opened, replica.maxLagSeconds);
      if (database) timer = setTimeout(next, lookEveryMs).unref();
    };
    await next();
  }

  return {
    read,
    noteWrite,
    start,
    state: () => (replica ? state : undefined),
    counts: () => counts,
    async close() {
      const opened = database;
      database = undefined;
      clearTimeout(timer);
      await opened?.close();
    },
  };
}

function isOfReplica(error: unknown): boolean {
  const { parent } = (error ?? {}) as { parent?: { code?: unknown } };
  const code = String(parent?.code ?? (error as { code?: unknown }).code);
  return code === recoveryConflict || (code !== tookTooLong && asOutage(error) !== undefined);
}
