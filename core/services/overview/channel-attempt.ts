import type { Database } from '../../database/connect.ts';
import { parseRecord, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import type { FailedOutcome } from '../../schemas/log.ts';
import { logType } from '../../schemas/log-type.ts';

/** The latest rows tell how channels are; more would cost more than they tell. */
const maxRead = 1000;
const seenSeconds = 86_400;

/** An attempt that a channel could not serve, whether or not another channel served the request. */
export interface FailedAttempt {
  at: number;
  /** An HTTP status or the name of the failure. */
  outcome: string;
  /** What the upstream said, as far as it may be kept; '' when it said nothing. */
  message: string;
}

/** How the attempts on one channel ended, of the requests that were looked at. */
export interface ChannelAttempts {
  ok: number;
  /** Milliseconds of the attempts that served a request. */
  times: number[];
  /** Newest first. */
  failures: FailedAttempt[];
}

interface Row {
  created_at: number;
  type: number;
  other: string;
}

/** How the latest requests of the last day went on each channel that was tried for them. */
export async function readChannelAttempts(database: Database, now: number): Promise<Map<number, ChannelAttempts>> {
  const logs = await database.logHome();
  // SQL: a long column of rows that one index each must find; the second condition on errors is that of the index.
  const [served, failed] = await Promise.all([
    logs.select<Row>(
      `SELECT created_at, type, other FROM logs WHERE created_at >= :since AND type = 2
        ORDER BY created_at DESC LIMIT ${maxRead}`,
      { since: now - seenSeconds },
    ),
    logs.select<Row>(
      `SELECT created_at, type, other FROM logs WHERE type = ${logType.error} AND type <> 2 AND created_at >= :since
        ORDER BY created_at DESC LIMIT ${maxRead}`,
      { since: now - seenSeconds },
    ),
  ]);
  const channels = new Map<number, ChannelAttempts>();
  for (const row of [...served, ...failed].sort((a, b) => b.created_at - a.created_at)) addRow(channels, row);
  return channels;
}

/** Of a request that the last channel it went to is to blame for. */
const upstreamOutcome: FailedOutcome = 'upstream';
/** These upstream statuses are about the request, not about the channel. */
const requestStatuses = new Set([400, 413, 422]);

function addRow(channels: Map<number, ChannelAttempts>, { created_at: at, type, other }: Row): void {
  const record = recordOf(parseRecord(other));
  const attempts = recordsOf(recordOf(record.admin_info).attempts);
  const isLastToBlame =
    type === logType.error && record.outcome === upstreamOutcome && !requestStatuses.has(Number(record.status));
  for (const [index, { channel, outcome, ms, message }] of attempts.entries()) {
    if (typeof channel !== 'number') continue;
    const known = channels.get(channel) ?? { ok: 0, times: [], failures: [] };
    channels.set(channel, known);
    if (outcome === 'ok') {
      known.ok += 1;
      if (typeof ms === 'number') known.times.push(ms);
      // Another channel was tried only because the one before could not serve it.
    } else if (isLastToBlame || index < attempts.length - 1) {
      known.failures.push({ at, outcome: String(outcome), message: textOf(message) });
    }
  }
}
