import type { Database } from '../../database/connect.ts';
import { sumOfQuota } from '../../database/quota-sum.ts';
import { secondsPerDay } from '../../lib/clock.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import type { Attention, ChannelCondition } from '../../schemas/overview.ts';
import { readSlowed } from './slowed.ts';
import { readUnserved } from './unserved.ts';

/** A balance that will not last as long at the rate of late is told of. */
const soonDays = 3;
/** Whatever was spent: with less a provider stops at any moment. */
const fewDollars = 1;
const maxShown = 20;
/** When all channels fail at once, there is still room for what else needs a person. */
const maxFailing = 10;
const maxUsers = 5;

/** What needs a person, the most urgent first. Reasons are coded texts. */
export async function readAttention(
  database: Database,
  channels: ChannelCondition[],
  { now, quotaPerUnit }: { now: number; quotaPerUnit: number },
): Promise<Attention[]> {
  const failing = channels.filter(({ state }) => state === 'failing').map(troubleOf);
  const balances = channels.flatMap((channel) => balanceOf(channel, quotaPerUnit));
  const [unserved, slow, users] = await Promise.all([
    readUnserved(database, now),
    readSlowed(database, channels, now),
    readUserBalances(database, now),
  ]);
  const others: (Partial<Attention> & Named)[] = [...unserved, ...slow, ...balances, ...users];
  const found = [...failing.slice(0, Math.max(maxFailing, maxShown - others.length)), ...others];
  return found.slice(0, maxShown).map((item) => ({ ...nothing, ...item }));
}

type Named = Pick<Attention, 'kind' | 'id' | 'name'>;
const nothing = { reason: '', since: 0, days: null, left: 0, group: '', count: 0, p95: null, previous_p95: null };

function troubleOf({ id, name, status, reason, since }: ChannelCondition) {
  const kind = status === channelStatus.autoDisabled ? ('channelOff' as const) : ('channelFailing' as const);
  return { kind, id, name, reason, since };
}

/** What providers charge is not known here: the own prices stand for it. */
function balanceOf(channel: ChannelCondition, quotaPerUnit: number) {
  const { id, name, status, quota, balance, balance_updated_time: time } = channel;
  if (time === 0 || status === channelStatus.disabled) return [];
  const days = quota > 0 ? Math.max(0, (balance * quotaPerUnit) / quota) : null;
  if (balance >= fewDollars && (days === null || days >= soonDays)) return [];
  return [{ kind: 'channelBalance' as const, id, name, since: time, days, left: balance }];
}

interface Spender {
  id: number;
  name: string;
  balance: number;
  spent: number;
}

async function readUserBalances(database: Database, now: number) {
  // SQL: grouped sums beside the balance.
  const users = await database.select<Spender>(
    `SELECT users.id, users.username AS name, users.quota AS balance, sums.spent
      FROM (SELECT user_id, ${sumOfQuota()} AS spent FROM usage_data
        WHERE created_at >= :since GROUP BY user_id) AS sums
      JOIN users ON users.id = sums.user_id
      WHERE users.status = 1 AND users.deleted_at IS NULL AND users.quota * 7 < sums.spent * ${soonDays}
      ORDER BY sums.spent DESC, users.id LIMIT ${maxUsers}`,
    { since: now - 7 * secondsPerDay },
  );
  return users.map(({ id, name, balance, spent }) => ({
    kind: 'userBalance' as const,
    id,
    name,
    left: balance,
    days: Math.max(0, (balance * 7) / spent),
  }));
}
