import type { Transaction } from 'sequelize';
import type { Database } from '../database/connect.ts';
import type { AbilityRow } from '../database/models/ability.ts';
import type { ChannelRow } from '../database/models/channel.ts';
import { splitList } from '../lib/comma-list.ts';
import { channelStatus } from '../schemas/channel-status.ts';

/** What an ability row is made from. */
export type AbilitySource = Pick<ChannelRow, 'id' | 'status' | 'models' | 'group' | 'priority' | 'weight' | 'tag'>;

export interface AbilityService {
  /** Rebuilds the rows of one channel: one per group and model, enabled while the channel is. */
  rebuild(channel: AbilitySource, transaction: Transaction): Promise<void>;
  /** What all rows of a channel have in common; its groups and models are as they were. */
  update(channel: AbilitySource, transaction: Transaction): Promise<void>;
  setEnabled(channelIds: number[], enabled: boolean, transaction: Transaction): Promise<void>;
  remove(channelIds: number[], transaction: Transaction): Promise<void>;
  /** Rows of channels that are gone are deleted, all others rebuilt; returns the number of channels that were wrong. */
  fixAll(): Promise<number>;
  /** How many channels `fixAll` would mend. */
  countWrong(): Promise<number>;
}

export function createAbilityService({ database }: { database: Database }): AbilityService {
  /** Only what differs is written: a tag may have hundreds of channels with hundreds of models, and calls wait for the writer. */
  async function rebuild(channel: AbilitySource, transaction: Transaction): Promise<void> {
    const wanted = abilitiesOf(channel);
    const stored = await database.abilities.findAll({ where: { channel_id: channel.id }, raw: true, transaction });
    const wantedNames = new Set(wanted.map(nameOf));
    const storedNames = new Set(stored.map(nameOf));
    const gone = stored.filter((row) => !wantedNames.has(nameOf(row)));
    const kept = stored.filter((row) => wantedNames.has(nameOf(row)));
    const missing = wanted.filter((row) => !storedNames.has(nameOf(row)));
    const [sample] = wanted;
    if (gone.length > 0) await removePairs(channel.id, kept.length === 0 ? undefined : gone, transaction);
    if (sample && kept.some((row) => settingsOf(row) !== settingsOf(sample))) await update(channel, transaction);
    if (sample && missing.length > 0) await insertPairs(sample, missing, transaction);
  }

  async function update({ id, status, priority, weight, tag }: AbilitySource, transaction: Transaction): Promise<void> {
    const values = { enabled: status === channelStatus.enabled, priority, weight, tag };
    await database.abilities.update(values, { where: { channel_id: id }, transaction });
  }

  // SQL, here and below: a list of hundreds of pairs is one value, and the statement one that is planned once.

  /** Rows that differ only in group and model, in one statement whatever their number. */
  async function insertPairs(sample: AbilityRow, rows: AbilityRow[], transaction: Transaction): Promise<void> {
    const { channel_id, enabled, priority, weight, tag } = sample;
    await database.sequelize.query(
      `INSERT INTO abilities ("group", model, channel_id, enabled, priority, weight, tag)
       SELECT ${pairColumns[database.engine]}, :channel_id, :enabled, :priority, :weight, :tag FROM ${pairRows[database.engine]}`,
      { replacements: { channel_id, enabled, priority, weight, tag, pairs: pairsOf(rows) }, transaction },
    );
  }

  /** All rows of the channel when none are named. */
  async function removePairs(id: number, rows: AbilityRow[] | undefined, transaction: Transaction): Promise<void> {
    if (!rows) return remove([id], transaction);
    const { engine } = database;
    await database.sequelize.query(
      `DELETE FROM abilities WHERE channel_id = :id
       AND ("group", model) IN (SELECT ${pairColumns[engine]} FROM ${pairRows[engine]})`,
      { replacements: { id, pairs: pairsOf(rows) }, transaction },
    );
  }

  async function remove(channelIds: number[], transaction: Transaction): Promise<void> {
    await database.abilities.destroy({ where: { channel_id: channelIds }, transaction });
  }

  /** Channels whose rows are not theirs, and ids of channels that are gone but have rows. */
  async function findWrong(transaction?: Transaction): Promise<{ wrong: ChannelRow[]; orphans: number[] }> {
    const channels = await database.channels.findAll({ raw: true, transaction });
    const stored = await database.abilities.findAll({ raw: true, transaction });
    const byChannel = groupByChannel(stored);
    const wrong = channels.filter((channel) => !isSame(abilitiesOf(channel), byChannel.get(channel.id) ?? []));
    const known = new Set(channels.map(({ id }) => id));
    return { wrong, orphans: [...byChannel.keys()].filter((id) => !known.has(id)) };
  }

  return {
    rebuild,
    update,
    remove,
    async countWrong() {
      const { wrong, orphans } = await findWrong();
      return wrong.length + orphans.length;
    },
    async setEnabled(channelIds, enabled, transaction) {
      await database.abilities.update({ enabled }, { where: { channel_id: channelIds }, transaction });
    },
    fixAll: () =>
      database.transaction(async (transaction) => {
        const { wrong, orphans } = await findWrong(transaction);
        const ids = [...wrong.map(({ id }) => id), ...orphans];
        if (ids.length === 0) return 0;
        // Between the two readings an edit may have ended: a channel counts as it is once nothing changes it any more.
        const lock = transaction.LOCK.UPDATE;
        const channels = await database.channels.findAll({
          where: { id: ids },
          order: byId,
          raw: true,
          transaction,
          lock,
        });
        const stored = groupByChannel(
          await database.abilities.findAll({ where: { channel_id: ids }, raw: true, transaction }),
        );
        const mended = channels.filter((channel) => !isSame(abilitiesOf(channel), stored.get(channel.id) ?? []));
        for (const channel of mended) await rebuild(channel, transaction);
        const known = new Set(channels.map(({ id }) => id));
        const gone = ids.filter((id) => !known.has(id) && stored.has(id));
        if (gone.length > 0) await remove(gone, transaction);
        return mended.length + gone.length;
      }),
  };
}

const byId: [string, string][] = [['id', 'ASC']];

const pairRows = { sqlite: 'json_each(:pairs) pairs', postgres: 'json_array_elements(CAST(:pairs AS json)) pairs' };
const pairColumns = {
  sqlite: "json_extract(pairs.value, '$[0]'), json_extract(pairs.value, '$[1]')",
  postgres: 'pairs.value ->> 0, pairs.value ->> 1',
};
const pairsOf = (rows: AbilityRow[]) => JSON.stringify(rows.map(({ group, model }) => [group, model]));

const nameOf = ({ group, model }: AbilityRow) => JSON.stringify([group, model]);

/** What all rows of one channel have in common; SQLite returns 0 and 1 for a plain query. */
const settingsOf = ({ enabled, priority, weight, tag }: AbilityRow) =>
  JSON.stringify([Boolean(enabled), priority, weight, tag]);

function abilitiesOf({ id, status, models, group, priority, weight, tag }: AbilitySource): AbilityRow[] {
  const enabled = status === channelStatus.enabled;
  return entriesOf(group).flatMap((name) =>
    entriesOf(models).map((model) => ({ group: name, model, channel_id: id, enabled, priority, weight, tag })),
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
  const written = (row: AbilityRow) => nameOf(row) + settingsOf(row);
  const known = new Set(stored.map(written));
  return wanted.length === stored.length && wanted.every((row) => known.has(written(row)));
}

const entriesOf = (text: string) => [...new Set(splitList(text))];
