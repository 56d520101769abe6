import type { Transaction } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { AppError } from '../../errors/app-error.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import { modelMappingSchema } from '../../schemas/channel-json.ts';
import { maxPriority, maxWeight, minPriority } from '../../schemas/channel-ranking.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import type { ChannelBatchTag, ChannelTagEdit } from '../../schemas/channel-tag.ts';
import { requireRole } from '../actor.ts';
import { refuseStale } from '../stale.ts';
import { switchedOn } from './key-pool.ts';
import type { ChannelStore } from './store.ts';

export interface ChannelTag {
  tag: string;
  channels: number;
  /** How many of them are in service. */
  enabled: number;
}

interface ChannelTagDependencies {
  database: Database;
  store: ChannelStore;
}

/** What is done to all channels of a tag at once: all of them or none. Each method returns the number of channels. */
type FieldsOf = (row: ChannelRow) => Partial<ChannelRow>;

export function createChannelTagService({ database, store }: ChannelTagDependencies) {
  async function listTags(actor: Actor): Promise<ChannelTag[]> {
    requireRole(actor, role.admin);
    // SQL: grouped counts.
    return database.select<ChannelTag>(
      `SELECT tag, count(*) AS channels, sum(CASE WHEN status = :enabled THEN 1 ELSE 0 END) AS enabled
       FROM channels WHERE tag <> '' GROUP BY tag ORDER BY tag`,
      { enabled: channelStatus.enabled },
    );
  }

  async function setTagStatus(actor: Actor, tag: string, status: 1 | 2): Promise<number> {
    const isOn = status === channelStatus.enabled;
    const fields = (row: ChannelRow) => (isOn ? switchedOn(row) : { status });
    return changeAll(actor, tag, fields, isOn ? 'channel.enable' : 'channel.disable');
  }

  /** Never the place a key goes to: type, address and proxy are not fields of a tag. */
  async function editTag(actor: Actor, input: ChannelTagEdit): Promise<number> {
    const fields = definedFields({
      tag: input.new_tag,
      model_mapping: readMapping(input.model_mapping),
      models: input.models,
      group: input.groups,
      priority: readWhole(input.priority, minPriority, maxPriority, 'channel.tagPriority'),
      weight: readWhole(input.weight, 0, maxWeight, 'channel.tagWeight'),
    });
    return changeAll(actor, input.tag, (row) => fieldsUnlessStale(row, fields, input.loaded), 'channel.update');
  }

  /** Ids that are gone already are passed over. */
  async function setTagOf(actor: Actor, { ids, tag }: ChannelBatchTag): Promise<number> {
    requireRole(actor, role.admin);
    return database.transaction(async (transaction) => {
      const rows = await store.findRows({ id: ids }, transaction);
      await saveAll(actor, rows, () => ({ tag }), 'channel.update', transaction);
      return rows.length;
    });
  }

  async function changeAll(actor: Actor, tag: string, fields: FieldsOf, action: string): Promise<number> {
    requireRole(actor, role.admin);
    return database.transaction(async (transaction) => {
      const rows = await store.findRows({ tag }, transaction);
      if (rows.length === 0) throw new AppError('channel.tagUnknown', { tag });
      await saveAll(actor, rows, fields, action, transaction);
      return rows.length;
    });
  }

  async function saveAll(
    actor: Actor,
    rows: ChannelRow[],
    fields: FieldsOf,
    action: string,
    transaction: Transaction,
  ): Promise<void> {
    for (const row of rows) await store.save(actor, row, fields(row), action, transaction);
  }

  return { listTags, setTagStatus, editTag, setTagOf };
}

/** Neither a channel that came under the tag since it was read is overwritten, nor what another user changed of the others. */
function fieldsUnlessStale(
  row: ChannelRow,
  fields: Partial<ChannelRow>,
  loaded: ChannelTagEdit['loaded'],
): Partial<ChannelRow> {
  if (!loaded) return fields;
  const before = loaded[row.id];
  if (!before) throw new AppError('object.stale', { fields: 'tag' }, { data: { changed: {} } });
  refuseStale({ loaded: before, wanted: fields, stored: row });
  return fields;
}

function readMapping(text: string | null | undefined): string | undefined {
  if (!text?.trim()) return undefined;
  const { success, data } = modelMappingSchema.safeParse(text);
  if (!success) throw new AppError('channel.tagMapping');
  return data;
}

function readWhole(
  value: number | string | null | undefined,
  min: number,
  max: number,
  code: 'channel.tagPriority' | 'channel.tagWeight',
): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
  throw new AppError(code, { min, max });
}
