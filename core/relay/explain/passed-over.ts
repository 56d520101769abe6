import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { AppError } from '../../errors/app-error.ts';
import { recordOf, textOf } from '../../lib/json-value.ts';
import { nearNames } from '../../lib/near-name.ts';
import { isServed } from '../../providers/registry.ts';
import { systemActor } from '../../schemas/actor.ts';
import { auditListSchema } from '../../schemas/audit.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import type { AuditService } from '../../services/audit.ts';
import { abilityModel, type Routing } from '../../services/routing.ts';

export type ListedChannel = Pick<
  ChannelRow,
  'id' | 'name' | 'type' | 'status' | 'group' | 'models' | 'priority' | 'weight' | 'other_info'
>;

export interface PassedOverDependencies {
  routing: Pick<Routing, 'channel'>;
  audit: Pick<AuditService, 'list'>;
}

/** All channels of the installation, without what is secret of them. */
export function listChannels(database: Database): Promise<ListedChannel[]> {
  const attributes = ['id', 'name', 'type', 'status', 'group', 'models', 'priority', 'weight', 'other_info'];
  return database.channels.findAll({ attributes, order: [['id', 'ASC']], raw: true });
}

/** The names nearest to the model among all there are: looked for once, not in each of many channels. */
export function nearModels(rows: readonly ListedChannel[], model: string): string[] {
  const names = new Set(rows.filter(({ type }) => isServed(type)).flatMap(({ models }) => splitList(models)));
  names.delete(model);
  return nearNames([...names], model);
}

/** Why a channel has no part in calls of this group for this model. */
export async function reasonsAgainst(
  row: ListedChannel,
  { group, model, near }: { group: string; model: string; near: readonly string[] },
  { routing, audit }: PassedOverDependencies,
): Promise<AppError[]> {
  const groups = splitList(row.group);
  const models = splitList(row.models);
  const isListed = models.includes(model) || models.includes(abilityModel(model));
  const reasons = [
    ...(isListed ? [] : [notListed(near.filter((name) => models.includes(name)))]),
    ...(groups.includes(group) ? [] : [new AppError('explain.otherGroup', { groups: groups.join(', '), group })]),
  ];
  // Who disabled a channel that would not serve anyway does not matter, and costs a query.
  if (row.status === channelStatus.enabled) {
    const isKeyRead = routing.channel(row.id) !== undefined;
    if (!isKeyRead) reasons.push(new AppError('explain.keyUnreadable', { id: row.id }));
  } else {
    reasons.push(reasons.length > 0 ? new AppError('explain.disabled') : await whyDisabled(row, audit));
  }
  return reasons.length > 0 ? reasons : [new AppError('explain.abilityMissing')];
}

function notListed(near: string[]): AppError {
  return near.length > 0
    ? new AppError('explain.modelNear', { near: near.join(', ') })
    : new AppError('explain.modelNotListed');
}

/** Who switched it off and when, or why it went off by itself. */
export async function whyDisabled({ id, status, other_info }: ListedChannel, audit: PassedOverDependencies['audit']) {
  if (status === channelStatus.autoDisabled) {
    const { status_reason, status_time } = readInfo(other_info);
    return new AppError('explain.autoDisabled', { since: timeText(status_time), reason: textOf(status_reason) || '-' });
  }
  const query = auditListSchema.parse({ object_kind: 'channel', object_id: String(id), page_size: 100 });
  const { items } = await audit.list(systemActor, query);
  const event = items.find(({ after }) => recordOf(after).status === channelStatus.disabled);
  if (!event) return new AppError('explain.disabled');
  return new AppError('explain.disabledBy', { name: event.actor_name, since: timeText(event.created_at) });
}

/** Rows of an imported database contain whatever its program wrote. */
function readInfo(text: string): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function timeText(seconds: unknown): string {
  if (typeof seconds !== 'number' || !(seconds > 0)) return '?';
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const splitList = (text: string) => [...new Set(text.split(',').map((part) => part.trim()))].filter(Boolean);
