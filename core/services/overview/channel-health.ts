import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { parseRecord } from '../../lib/json-value.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { channelStatus } from '../../schemas/channel.ts';
import type { ChannelCondition } from '../../schemas/overview.ts';
import { problemOf } from '../channel/problem.ts';
import type { ChannelUse } from './top.ts';

/** What was seen to work longer ago says nothing about now. */
const provenSeconds = 3600;
const slowMs = 5000;

interface ChannelHealthDependencies {
  database: Database;
  secretBox: SecretBox;
}

/** Every channel with what is known of it at this moment: failing ones first, then by what they served. Reasons are coded texts. */
export async function readChannelHealth(
  { database, secretBox }: ChannelHealthDependencies,
  served: ChannelUse[],
  now: number,
): Promise<ChannelCondition[]> {
  const rows = await database.channels.findAll({ raw: true });
  const sums = sumByChannel(served);
  const channels = rows.map((row) => healthOf(row, sums.get(row.id) ?? nothing, { secretBox, now }));
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

function healthOf(
  row: ChannelRow,
  sums: Sums,
  { secretBox, now }: { secretBox: SecretBox; now: number },
): ChannelCondition {
  const { id, name, type, status, test_time, response_time, balance, balance_updated_time } = row;
  const problem = status === channelStatus.disabled ? '' : (problemOf(row, secretBox)?.coded ?? '');
  const info = status === channelStatus.autoDisabled ? parseRecord(row.other_info) : undefined;
  const reason = typeof info?.status_reason === 'string' ? info.status_reason : problem;
  const since = typeof info?.status_time === 'number' ? info.status_time : 0;
  const state = stateOf({ status, problem, test_time, response_time, last_used: sums.last_used }, now);
  const facts = { id, name, type, status, test_time, response_time, balance, balance_updated_time };
  return { ...facts, ...sums, state, reason, since };
}

interface Signs extends Pick<ChannelRow, 'status' | 'test_time' | 'response_time'> {
  problem: string;
  last_used: number;
}

function stateOf(
  { status, problem, test_time, response_time, last_used }: Signs,
  now: number,
): ChannelCondition['state'] {
  if (status === channelStatus.disabled) return 'off';
  if (status === channelStatus.autoDisabled || problem !== '') return 'failing';
  const isTestFailed = test_time > 0 && response_time === 0;
  // Of the last test and the last request, the later one tells.
  if (isTestFailed && test_time >= last_used) return 'failing';
  const proven = Math.max(last_used, isTestFailed ? 0 : test_time);
  if (proven < now - provenSeconds) return 'unknown';
  return response_time > slowMs && test_time >= now - provenSeconds ? 'slow' : 'working';
}
