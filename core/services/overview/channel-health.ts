import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { parseRecord, recordOf, textOf } from '../../lib/json-value.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import type { ChannelCondition } from '../../schemas/overview.ts';
import { codedText } from '../../text/text.ts';
import { problemOf } from '../channel/problem.ts';
import type { ChannelAttempts, FailedAttempt } from './channel-attempt.ts';
import type { ChannelUse } from './top.ts';

/** What was seen to work longer ago says nothing about now. */
const provenSeconds = 3600;
const slowMs = 5000;

interface ChannelHealthDependencies {
  database: Database;
  secretBox: SecretBox;
}

/** What was seen of channels lately. */
export interface ChannelSigns {
  served: ChannelUse[];
  attempts: Map<number, ChannelAttempts>;
  /** Requests of each of the last 24 hours, the current one last. */
  hours: Map<number, number[]>;
}

/** Every channel with what is known of it at this moment: failing ones first, then by what they served. Reasons are coded texts. */
export async function readChannelHealth(
  { database, secretBox }: ChannelHealthDependencies,
  { served, attempts, hours }: ChannelSigns,
  { now, ids }: { now: number; ids?: number[] },
): Promise<ChannelCondition[]> {
  const rows = await database.channels.findAll({ raw: true, ...(ids && { where: { id: ids } }) });
  const sums = sumByChannel(served);
  const channels = rows.map((row) => {
    const tried = attempts.get(row.id) ?? { ok: 0, times: [], failures: [] };
    const seen = { ...(sums.get(row.id) ?? nothing), failures: tried.failures };
    return { ...healthOf(row, seen, { secretBox, now }), ...ratesOf(tried), hours: hours.get(row.id) ?? [] };
  });
  return channels.sort((a, b) => rank[a.state] - rank[b.state] || b.requests - a.requests || a.id - b.id);
}

const rank = { failing: 0, slow: 1, working: 2, unknown: 3, off: 4 };

type Sums = Pick<ChannelUse, 'requests' | 'quota' | 'last_used'>;
const nothing: Sums = { requests: 0, quota: 0, last_used: 0 };

function sumByChannel(served: ChannelUse[]): Map<number, Sums> {
  const sums = new Map<number, Sums>();
  for (const { channel_id: id, requests, quota, last_used } of served) {
    const known = sums.get(id) ?? nothing;
    sums.set(id, {
      requests: known.requests + requests,
      quota: known.quota + quota,
      last_used: Math.max(known.last_used, last_used),
    });
  }
  return sums;
}

function ratesOf({ ok, times, failures }: ChannelAttempts) {
  const failed = failures.length;
  const sorted = [...times].sort((a, b) => a - b);
  return {
    failed,
    success: ok + failed > 0 ? ok / (ok + failed) : null,
    p50: sorted[Math.max(0, Math.ceil(sorted.length / 2) - 1)] ?? null,
    last_error: failures[0] ? failureWords(failures[0]) : '',
    last_error_at: failures[0]?.at ?? 0,
  };
}

type Seen = Sums & { failures: FailedAttempt[] };

function healthOf(
  row: ChannelRow,
  { failures, ...sums }: Seen,
  { secretBox, now }: { secretBox: SecretBox; now: number },
): Omit<ChannelCondition, keyof ReturnType<typeof ratesOf> | 'hours'> {
  const { id, name, type, status, test_time, response_time, balance, balance_updated_time } = row;
  const problem = status === channelStatus.disabled ? '' : (problemOf(row, secretBox)?.coded ?? '');
  const run = failingRun(row, { ...sums, failures }, now);
  const state = stateOf({ status, problem, test_time, response_time, last_used: sums.last_used, run }, now);
  const { reason, since } = reasonOf(row, { problem, run });
  const facts = { id, name, type, status, test_time, response_time, balance, balance_updated_time };
  return { ...facts, ...sums, state, reason, since };
}

/** Requests that failed without one that was served, or a good test, since; newest first. */
function failingRun({ test_time, response_time }: ChannelRow, { last_used, failures }: Seen, now: number) {
  const proven = Math.max(last_used, response_time > 0 ? test_time : 0);
  const run = failures.filter(({ at }) => at > proven);
  // A single failure beside recent good ones is no state.
  const isState = run.length > 1 || proven < now - provenSeconds;
  return isState && (run[0]?.at ?? 0) >= now - provenSeconds ? run : [];
}

function reasonOf(
  { status, other_info }: ChannelRow,
  { problem, run }: { problem: string; run: FailedAttempt[] },
): { reason: string; since: number } {
  const info = status === channelStatus.autoDisabled ? recordOf(parseRecord(other_info)) : {};
  const since = typeof info.status_time === 'number' ? info.status_time : 0;
  if (textOf(info.status_reason) !== '') return { reason: textOf(info.status_reason), since };
  const [latest] = run;
  if (problem !== '' || latest === undefined || status === channelStatus.disabled) return { reason: problem, since };
  return { reason: failureWords(latest), since: run.at(-1)?.at ?? 0 };
}

const keyStatuses = new Set(['401', '403']);

/** What is known of a failed attempt, as a coded text. */
export function failureWords({ outcome, message }: Pick<FailedAttempt, 'outcome' | 'message'>): string {
  if (message !== '') return message;
  const key = keyStatuses.has(outcome) ? 'channel.keyRefused' : 'channel.requestsFail';
  return codedText('notice', key, { outcome });
}

interface Signs extends Pick<ChannelRow, 'status' | 'test_time' | 'response_time'> {
  problem: string;
  last_used: number;
  run: FailedAttempt[];
}

function stateOf(
  { status, problem, test_time, response_time, last_used, run }: Signs,
  now: number,
): ChannelCondition['state'] {
  if (status === channelStatus.disabled) return 'off';
  if (status === channelStatus.autoDisabled || problem !== '' || run.length > 0) return 'failing';
  const isTestFailed = test_time > 0 && response_time === 0;
  // Of the last test and the last request, the later one tells.
  if (isTestFailed && test_time >= last_used) return 'failing';
  const proven = Math.max(last_used, isTestFailed ? 0 : test_time);
  if (proven < now - provenSeconds) return 'unknown';
  return response_time > slowMs && test_time >= now - provenSeconds ? 'slow' : 'working';
}
