import type { LogRow } from '../database/models/log.ts';

/** What a consumption log row says beyond the figures the ledger itself knows. Text and whole numbers only. */
export type ConsumptionLog = Omit<
  LogRow,
  'id' | 'request_id' | 'user_id' | 'type' | 'token_id' | 'quota' | 'channel_id'
>;

/** One cell of the hourly sums. With a log row beside it, hour and model are taken from that row, so that both agree. */
export interface HourlyUsage {
  model_name: string;
  username: string;
  /** Unix seconds of the full hour. */
  hour: number;
  token_used: number;
}

export interface HoldRow {
  id: string;
  userId: number;
  /** 0 = playground: no token is asked. */
  tokenId: number;
  amount: number;
  /** 1 = the hold itself, 2.. = its extensions. */
  part: number;
  /** The budgets it is taken from, as `writeBudgets` has them; left out = none. */
  budgets?: string | undefined;
}

/** A paid job, charged with the insert of its row in `tasks`. Its call, user, token, channel and quota are those of its settlement. */
export interface NewTask {
  /** `suno`, `mj`, `video`. */
  platform: string;
  /** What the vendor calls it. */
  task_id: string;
  action: string;
  model: string;
  group: string;
  status: string;
  progress: string;
  /** Unix seconds. */
  submit_time: number;
  /** Of the first look at how it is doing, unix seconds. */
  next_poll_at: number;
  /** JSON text. */
  properties: string;
  data: string;
  /** Where the client wants to be told that the job has ended; left out = nowhere. */
  notify_url?: string;
  /** The id of the channel's key that took it; left out = its only one. */
  channel_key?: number;
}

/** The end of a hold: settled (counted 1) or released (counted 0, actual 0). */
export interface EndRow {
  id: string;
  userId: number;
  tokenId: number;
  channelId: number;
  actual: number;
  counted: 0 | 1;
  /** Unix seconds. */
  accessedAt: number;
  /** Absent while consumption is not logged. */
  log?: ConsumptionLog | undefined;
  /** Absent while hourly sums are not kept. */
  usage?: HourlyUsage | undefined;
  /** The job that this is the charge of. */
  task?: NewTask | undefined;
  /** Those of its hold. */
  budgets?: string | undefined;
  /** What its hold amounts to, extensions included. Left out where it is not known: then the database is asked, which takes longer. */
  held?: number | undefined;
}

export interface CreditRow {
  userId: number;
  tokenId: number;
  kind: string;
  ref: string;
  amount: number;
  actorId: number;
  note: string;
}

/** What is applied in one transaction: ends first, then credits, then holds, so that what is given back can be held again. */
export interface Batch {
  holds: HoldRow[];
  ends: EndRow[];
  credits: CreditRow[];
  /** An earlier COMMIT of some of these rows was never acknowledged: look first which holds exist. */
  repeated: boolean;
}

/** `budget`: a limit of money leaves less. `ended`: there is no such hold to extend. */
export type HoldRefusal = 'user' | 'token' | 'budget' | 'ended';

/** `parked`: it is unknown whether it was booked before, so an administrator must decide. */
export type StrayState = 'booked' | 'parked';

/** A row of `stray_settlements`. */
export interface Stray {
  id: string;
  quota: number;
  state: StrayState;
}

export interface BatchResult {
  /** Hold ids that were not taken; all others were. */
  refused: Map<string, HoldRefusal>;
  /** Ids of the ends that found their hold and were booked. */
  ended: Set<string>;
  /** Settlements that had neither a hold nor a sign that they were booked before. */
  strays: Stray[];
  /** `creditKey` of the credits written now. */
  credited: Set<string>;
  /** Resolves when ends and credits survive a power cut; left out where they do already. Rejects with a `StoreError` when they may not. */
  flushed?: Promise<void> | undefined;
}

export interface Owner {
  id: string;
  host: string;
  pid: number;
  /** Of the secrets it can read; used to encrypt with a new one. */
  keyIds: readonly string[];
}

/** The ledger's statements on one engine. Every write throws `StoreError` only. */
export interface LedgerStore {
  apply(batch: Batch): Promise<BatchResult>;
  /** Registers the owner, or says that it is still alive. */
  beat(): Promise<void>;
  /** Ids of open holds whose owner is gone. */
  abandonedHolds(limit: number): Promise<string[]>;
  /** Ids of open holds of this very process that are older than any statement of it may be under way. */
  ownHolds(limit: number): Promise<string[]>;
  /** From now on these are holds of an owner that is gone. */
  disown(ids: string[]): Promise<void>;
  /** Gives these holds back to user and token in one transaction; returns how many were still open. */
  sweep(ids: string[]): Promise<number>;
  /** Books a settlement that waits for a decision; false when the id is unknown. */
  bookParked(id: string): Promise<boolean>;
  /** Deletes orphans and evidence older than seven days, and dead owners without holds. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/**
 * item: one row is wrong, the others may pass. busy: try again at once. outage: the database is away or cannot write.
 */
export type FailureKind = 'item' | 'busy' | 'outage';

export class StoreError extends Error {
  readonly kind: FailureKind;
  /** True when the transaction may have been committed anyway. */
  readonly outcomeUnknown: boolean;

  constructor(kind: FailureKind, outcomeUnknown: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'StoreError';
    this.kind = kind;
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** Named places where a test may end the process. */
export type KillPoint = `${'hold' | 'settle' | 'spool' | 'sweep'}.${'before' | 'after'}`;
export type KillPointHook = (name: KillPoint) => void;

export function creditKey(credit: { kind: string; ref: string }): string {
  return `${credit.kind}:${credit.ref}`;
}

/** No statement of the ledger runs longer on a database server. */
export const statementLimitMs = 5000;

/** Orphans wait this long for a late settlement, and what ended without a log row is remembered as long. */
export const orphanDays = 7;

/** How long a charge is known by its id after its log row has moved to a database of the log's own. */
export const movedSeconds = 86_400;

const hourSeconds = 3600;

/** The hourly cell an end adds to. */
export function hourlyCell(end: EndRow): HourlyUsage | undefined {
  if (!end.usage || !end.log) return end.usage;
  const { username, token_used } = end.usage;
  return { model_name: end.log.model_name, username, hour: fullHour(end.log.created_at), token_used };
}

/**
 * The hour after a call that was logged but not summed, or summed but not logged: sums and log rows can be compared
 * again from there on.
 */
export function unpairedHourEnd(end: EndRow): number | undefined {
  if (!end.log === !end.usage) return undefined;
  return (end.log ? fullHour(end.log.created_at) : (end.usage?.hour ?? 0)) + hourSeconds;
}

function fullHour(seconds: number): number {
  return seconds - (seconds % hourSeconds);
}
