import type { Database } from '../../database/connect.ts';
import { parseRecord, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { type FailedOutcome, logType } from '../../schemas/log.ts';

/** The latest rows tell how channels are; more would cost more than they tell. */
const maxRead = 1000;
/** Of requests that were served, only those of the last hour: what was proven earlier says nothing about now. */
const servedSeconds = 3600;
const failedSeconds = 86_400;

/** An attempt that a channel could not serve, whether or not another channel served the request. */
export interface FailedAttempt {
  at: number;
  /** An HTTP status or the name of the failure. */
  outcome: string;
  /** What the upstream said, as far as it may be kept; '' when it said nothing. */
  message: string;
}

interface Row {
  created_at: number;
  type: number;
  other: string;
}

/** What channels failed to serve in the last requests of the last day, newest first, by channel. */
export async function readChannelFailures(database: Database, now: number): Promise<Map<number, FailedAttempt[]>> {
  // SQL: a long column of rows that one index each must find; the second condition on errors is that of the index.
  const [served, failed] = await Promise.all([
    database.select<Row>(
      `SELECT created_at, type, other FROM logs WHERE created_at >= :since AND type = 2
        ORDER BY created_at DESC LIMIT ${maxRead}`,
      { since: now - servedSeconds },
    ),
    database.select<Row>(
      `SELECT created_at, type, other FROM logs WHERE type = ${logType.error} AND type <> 2 AND created_at >= :since
        ORDER BY created_at DESC LIMIT ${maxRead}`,
      { since: now - failedSeconds },
    ),
  ]);
  const failures = new Map<number, FailedAttempt[]>();
  for (const row of [...served, ...failed].sort((a, b) => b.created_at - a.created_at)) {
    for (const [channel, failure] of failuresOf(row)) {
      const known = failures.get(channel);
      if (known) known.push(failure);
      else failures.set(channel, [failure]);
    }
  }
  return failures;
}

/** Of a request that the last channel it went to is to blame for. */
const upstreamOutcome: FailedOutcome = 'upstream';
/** These upstream statuses are about the request, not about the channel. */
const requestStatuses = new Set([400, 413, 422]);

function failuresOf({ created_at: at, type, other }: Row): [channel: number, FailedAttempt][] {
  const record = recordOf(parseRecord(other));
  const attempts = recordsOf(recordOf(record.admin_info).attempts);
  const isLastToBlame =
    type === logType.error && record.outcome === upstreamOutcome && !requestStatuses.has(Number(record.status));
  // Another channel was tried only because the one before could not serve it.
  return attempts.slice(0, isLastToBlame ? undefined : -1).flatMap(({ channel, outcome, message }) => {
    if (typeof channel !== 'number' || outcome === 'ok') return [];
    return [[channel, { at, outcome: String(outcome), message: textOf(message) }] as [number, FailedAttempt]];
  });
}
