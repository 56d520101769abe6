import type { Database } from '../../database/connect.ts';
import type { ChannelHealthRow } from '../../database/models/channel-health.ts';
import { type Clock, nowSeconds, secondsPerDay, secondsPerHour } from '../../lib/clock.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { ChannelHealthQuery, HealthSpan, ModelHealth } from '../../schemas/channel-health.ts';
import { requireRole } from '../actor.ts';
import { failureWords } from '../overview/channel-health.ts';
import { minute } from './cells.ts';
import { addHistogram, type Distribution, quantileOf, readHistogram } from './histogram.ts';

interface HealthServiceDependencies {
  database: Database;
  now?: Clock;
}

export type HealthService = ReturnType<typeof createHealthService>;

/** How channels serve each model, added up over all machines. */
export function createHealthService({ database, now = nowSeconds }: HealthServiceDependencies) {
  /** Busy ones first. Errors are coded texts. */
  async function read(actor: Actor, { channel_id: channelId, model }: ChannelHealthQuery): Promise<ModelHealth[]> {
    requireRole(actor, role.admin);
    const at = now();
    const where = { ...(channelId !== undefined && { channel_id: channelId }), ...(model !== '' && { model }) };
    const [rows, channels] = await Promise.all([
      database.channelHealth.findAll({ where, raw: true }),
      database.channels.findAll({ attributes: ['id', 'name'], raw: true }),
    ]);
    const names = new Map(channels.map(({ id, name }) => [id, name]));
    const read: ModelHealth[] = [];
    for (const own of groupRows(rows)) {
      const [{ channel_id: id, model: served }] = own;
      const name = names.get(id);
      // A channel that was deleted leaves its rows behind for a day.
      if (name === undefined) continue;
      read.push({ channel_id: id, channel_name: name, model: served, ...spansOf(own, at), ...lastErrorOf(own) });
    }
    return read.sort((a, b) => b.day.requests - a.day.requests || a.channel_id - b.channel_id);
  }

  return { read };
}

type Rows = [ChannelHealthRow, ...ChannelHealthRow[]];

/** By channel and model. */
function groupRows(rows: ChannelHealthRow[]): Iterable<Rows> {
  const groups = new Map<string, Rows>();
  for (const row of rows) {
    const key = `${row.channel_id} ${row.model}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups.values();
}

function spansOf(rows: Rows, now: number): Pick<ModelHealth, 'five_minutes' | 'hour' | 'day'> {
  const since = (seconds: number, length: number) =>
    rows.filter((row) => Number(row.seconds) === seconds && Number(row.slot) > now - length);
  return {
    five_minutes: spanOf(since(minute, 5 * minute)),
    hour: spanOf(since(minute, secondsPerHour)),
    day: spanOf(since(secondsPerHour, secondsPerDay)),
  };
}

function spanOf(rows: ChannelHealthRow[]): HealthSpan {
  const firstToken: Distribution = new Map();
  const speed: Distribution = new Map();
  let ok = 0;
  let failed = 0;
  for (const row of rows) {
    ok += Number(row.ok);
    failed += Number(row.failed);
    addHistogram(firstToken, readHistogram(row.first_token));
    addHistogram(speed, readHistogram(row.speed));
  }
  const requests = ok + failed;
  return {
    requests,
    failed,
    success: requests > 0 ? ok / requests : null,
    first_token_p50: quantileOf(firstToken, 0.5),
    first_token_p95: quantileOf(firstToken, 0.95),
    speed_p50: quantileOf(speed, 0.5),
    // The slow end is what tells: few streams were slower.
    speed_p95: quantileOf(speed, 0.05),
  };
}

function lastErrorOf(rows: Rows): Pick<ModelHealth, 'last_error' | 'last_error_at'> {
  const last = rows.reduce((latest, row) => (Number(row.error_at) > Number(latest.error_at) ? row : latest));
  const at = Number(last.error_at);
  return {
    last_error: at > 0 ? failureWords({ outcome: last.error_code, message: last.error }) : '',
    last_error_at: at,
  };
}
