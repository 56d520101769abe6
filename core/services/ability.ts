import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import type { AbilityRow } from '../database/models/ability.ts';
import type { ChannelRow } from '../database/models/channel.ts';
import { channelStatus } from '../schemas/channel.ts';

/** What an ability row is made from. */
export type AbilitySource = Pick<ChannelRow, 'id' | 'status' | 'models' | 'group' | 'priority' | 'weight' | 'tag'>;

export interface AbilityService {
  /** The rows of one channel anew: one per group and model, enabled while the channel is. */
  rebuild(channel: AbilitySource, transaction: Transaction): Promise<void>;
  setEnabled(channelIds: number[], enabled: boolean, transaction: Transaction): Promise<void>;
  remove(channelIds: number[], transaction: Transaction): Promise<void>;
  /** Rows of channels that are gone are deleted, all others made anew; returns the number of channels that were wrong. */
  fixAll(): Promise<number>;
}

/** SQLite takes 32,766 values in one statement, a row has seven. */
const rowsPerInsert = 2000;

export function createAbilityService({ database }: { database: Database }): AbilityService {
  async function rebuild(channel: AbilitySource, transaction: Transaction): Promise<void> {
    await remove([channel.id], transaction);
    const rows = abilitiesOf(channel);
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      await database.abilities.bulkCreate(rows.slice(start, start + rowsPerInsert), { transaction });
    }
  }

  async function remove(channelIds: number[], transaction: Transaction): Promise<void> {
    await database.abilities.destroy({ where: { channel_id: channelIds }, transaction });
  }

  return {
    rebuild,
    remove,
    async setEnabled(channelIds, enabled, transaction) {
      await database.abilities.update({ enabled }, { where: { channel_id: channelIds }, transaction });
    },
    fixAll: () =>
      database.transaction(async (transaction) => {
        const channels = await database.channels.findAll({ raw: true, transaction });
        const stored = await database.abilities.findAll({ raw: true, transaction });
        const byChannel = groupByChannel(stored);
        const wrong = channels.filter((channel) => !isSame(abilitiesOf(channel), byChannel.get(channel.id) ?? []));
        for (const channel of wrong) await rebuild(channel, transaction);
        const known = new Set(channels.map(({ id }) => id));
        const orphans = [...byChannel.keys()].filter((id) => !known.has(id));
        if (orphans.length > 0) await remove(orphans, transaction);
        return wrong.length + orphans.length;
      }),
  };
}

function abilitiesOf({ id, status, models, group, priority, weight, tag }: AbilitySource): AbilityRow[] {
  const enabled = status === channelStatus.enabled;
  return splitList(group).flatMap((name) =>
    splitList(models).map((model) => ({ group: name, model, channel_id: id, enabled, priority, weight, tag })),
  );
}

function groupByChannel(rows: AbilityRow[]): Map<number, AbilityRow[]> {
  const groups = new Map<number, AbilityRow[]>();
  for (const row of rows) {
    const group = groups.get(row.channel_id);
    if (group) group.push(row);
    else groups.set(row.channel_id, [row]);
  }
  return groups;
}

function isSame(wanted: AbilityRow[], stored: AbilityRow[]): boolean {
  const written = (row: AbilityRow) =>
    JSON.stringify([row.group, row.model, Boolean(row.enabled), row.priority, row.weight, row.tag]);
  const known = new Set(stored.map(written));
  return wanted.length === stored.length && wanted.every((row) => known.has(written(row)));
}

const splitList = (text: string) => [...new Set(text.split(',').map((part) => part.trim()))].filter(Boolean);
