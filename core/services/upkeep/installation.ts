import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import { requireRole } from '../actor.ts';
import { problemOf } from '../channel/problem.ts';
import type { Pricing } from '../pricing/pricing.ts';
import { channelKeyPlace } from '../routing.ts';
import { openSecret } from '../secret.ts';

export interface InstallationReport {
  enabledChannels: number;
  /** Names of channels that have no key at all. */
  channelsWithoutKey: string[];
  /** Channels whose key was written with a master key that is not known here. */
  unreadableKeys: number;
  /** Enabled channels that cannot serve a call as they are set up. */
  brokenChannels: { name: string; problem: AppError }[];
  /** Models of enabled channels whose calls would be refused. */
  unpricedModels: string[];
  /** Unix seconds of the newest log row, 0 without rows. */
  newestLogAt: number;
  /** How many seconds the database's clock is ahead of ours; 0 where it is the same clock. */
  databaseClockAhead: number;
}

export interface InstallationDependencies {
  database: Database;
  secretBox: SecretBox;
  pricing: Pick<Pricing, 'find'>;
  now?: Clock;
}

/** What of an installation would keep calls from being served, for an administrator who can fix it. */
export async function inspectInstallation(
  actor: Actor,
  { database, secretBox, pricing, now = nowSeconds }: InstallationDependencies,
): Promise<InstallationReport> {
  requireRole(actor, role.root);
  const channels = await database.channels.findAll({ order: [['id', 'ASC']], raw: true });
  const enabled = channels.filter(({ status }) => status === channelStatus.enabled);
  const hasKey = ({ key_encrypted }: { key_encrypted: string }) => key_encrypted !== '';
  const opens = ({ id, key_encrypted }: { id: number; key_encrypted: string }) =>
    isFree('secret.unreadable', () => openSecret(secretBox, key_encrypted, channelKeyPlace(id)));
  const models = new Set(enabled.flatMap(({ models }) => models.split(',').filter(Boolean)));
  const newest = await newestLogAt(database);
  return {
    enabledChannels: enabled.length,
    channelsWithoutKey: channels.filter((channel) => !hasKey(channel)).map(({ name }) => name),
    unreadableKeys: channels.filter((channel) => hasKey(channel) && !opens(channel)).length,
    brokenChannels: enabled.filter(hasKey).flatMap((channel) => {
      const problem = problemOf(channel, secretBox);
      return problem && problem.code !== 'channel.keyUnreadable' ? [{ name: channel.name, problem }] : [];
    }),
    unpricedModels: [...models].filter((model) => !isFree('model.unpriced', () => pricing.find(model, 'default'))),
    newestLogAt: newest,
    databaseClockAhead: await databaseClockAhead(database, now),
  };
}

/** Of the rows that can be seen now. */
async function newestLogAt(database: Database): Promise<number> {
  const logs = await database.logHome().catch(() => database);
  const waiting: number | null = await database.logs.max('created_at');
  const moved: number | null = await logs.logs.max('created_at');
  return Math.max(waiting ?? 0, moved ?? 0);
}

/** Whether the work goes without this one error. */
function isFree(code: AppError['code'], work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === code) return false;
    throw error;
  }
}

async function databaseClockAhead(database: Database, now: Clock): Promise<number> {
  if (database.engine === 'sqlite') return 0;
  // SQL: no table is read.
  const [row] = await database.select<{ at: number }>('SELECT CAST(extract(epoch FROM now()) AS BIGINT) AS at');
  return (row?.at ?? now()) - now();
}
