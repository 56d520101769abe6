import type { Database } from '../../database/connect.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { FailedOutcome } from '../../schemas/log.ts';
import { logType } from '../../schemas/log-type.ts';
import { codedText } from '../../text/text.ts';
import type { Caller } from '../caller.ts';
import type { OptionService } from '../option/option.ts';

/** A call of a known token that was not charged. */
export interface FailedCall {
  id: string;
  caller: Pick<Caller, 'userId' | 'username' | 'tokenId' | 'tokenName' | 'group'>;
  /** '' when the name is not one that is served. */
  model: string;
  /** HTTP status; 499 when the client had left. */
  status: number;
  outcome: FailedOutcome;
  /** What the client was told, as a coded text. */
  content: string;
  code: string;
  durationMs: number;
  protocol: string;
  isStream: boolean;
  /** For admins: each channel that was tried, in order. */
  attempts: readonly { channel: number; key?: string; outcome: string; ms: number }[];
}

export interface FailureLogDependencies {
  database: Database;
  options: Pick<OptionService, 'get'>;
  onError(error: unknown): void;
  now?: Clock;
}

/** Rows that wait for the database; what comes beyond them is dropped and counted. */
const maxWaiting = 2000;
const flushMs = 1000;
const minute = 60;

/**
 * The ledger finds a charge by its request id, and a call that failed here may still be charged later, from what was kept on disk: so
 * the row of a failure never has the same id.
 */
const failedMark = 'failed:';
export const failedRequestId = (id: string): string => failedMark + id;
export const shownRequestId = (id: string): string => (id.startsWith(failedMark) ? id.slice(failedMark.length) : id);

/**
 * Rows of failed calls, written a second later and in batches: no response waits for them, and the ledger knows nothing of them. A
 * token that fails all the time fills no disk: beyond LogErrorsPerMinute one row says how many more there were.
 */
export function createFailureLog({ database, options, onError, now = nowSeconds }: FailureLogDependencies) {
  let waiting: ReturnType<typeof rowOf>[] = [];
  let dropped = 0;
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let currentMinute = 0;
  /** Of the current minute, by user and token: a playground has no token. */
  const seen = new Map<string, { count: number; last: FailedCall }>();

  function note(call: FailedCall): void {
    if (!options.get('LogErrorEnabled')) return;
    const at = now();
    turnMinute(at);
    const key = `${call.caller.userId}:${call.caller.tokenId}`;
    const count = (seen.get(key)?.count ?? 0) + 1;
    seen.set(key, { count, last: call });
    if (count <= options.get('LogErrorsPerMinute')) add(rowOf(call, at));
  }

  /** What was left out of the last minute, a row for each token. */
  function turnMinute(at: number): void {
    const current = Math.floor(at / minute);
    if (current === currentMinute) return;
    const max = options.get('LogErrorsPerMinute');
    for (const { count, last } of seen.values()) {
      if (count > max) add(countingRow(last, count - max, Math.min(at, (currentMinute + 1) * minute - 1)));
    }
    seen.clear();
    currentMinute = current;
  }

  function add(row: ReturnType<typeof rowOf>): void {
    if (waiting.length >= maxWaiting) {
      dropped++;
      return;
    }
    waiting.push(row);
    timer ??= setTimeout(() => void flush(), flushMs).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const rows = waiting;
    waiting = [];
    if (rows.length > 0) {
      writing = writing.then(async () => {
        // One row more of the same call must not keep the others out.
        await database.logs.bulkCreate(rows, { ignoreDuplicates: true }).catch((error: unknown) => {
          dropped += rows.length;
          onError(error);
        });
      });
    }
    return writing;
  }

  return {
    note,
    flush,
    dropped: () => dropped,
    /** Writes what waits, and the counts of the minute that has not ended. */
    async close(): Promise<void> {
      turnMinute(now() + minute);
      await flush();
    },
  };
}

function rowOf(call: FailedCall, at: number) {
  const { caller, attempts } = call;
  return {
    request_id: failedRequestId(call.id) as string | null,
    type: logType.error,
    created_at: at,
    user_id: caller.userId,
    username: caller.username,
    token_id: caller.tokenId,
    token_name: caller.tokenName,
    model_name: call.model,
    content: call.content,
    use_time: Math.round(call.durationMs / 1000),
    is_stream: call.isStream,
    channel_id: attempts.at(-1)?.channel ?? 0,
    group: caller.group,
    other: JSON.stringify({
      status: call.status,
      outcome: call.outcome,
      code: call.code,
      duration_ms: Math.round(call.durationMs),
      protocol: call.protocol,
      admin_info: { use_channel: attempts.map(({ channel }) => String(channel)), attempts },
    }),
  };
}

function countingRow(last: FailedCall, count: number, at: number) {
  const content = codedText('notice', 'log.moreErrors', { count });
  const row = rowOf({ ...last, model: '', content, attempts: [] }, at);
  return { ...row, request_id: null, use_time: 0, other: JSON.stringify({ count }) };
}
