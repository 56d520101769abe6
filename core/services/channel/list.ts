import { literal, Op, type WhereOptions } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { type SecretBox, SecretUnreadableError } from '../../lib/secret-box.ts';
import { textMatches } from '../../lib/text-match.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { Channel, ChannelList } from '../../schemas/channel.ts';
import type { Page } from '../../schemas/paging.ts';
import { requireRole } from '../actor.ts';
import { type ListQuery, listRows, matches, orderBy } from '../list-rows.ts';
import { channelKeyPlace } from '../routing.ts';
import { channelView } from './view.ts';

interface ChannelListDependencies {
  database: Database;
  secretBox: SecretBox;
}

/** Shorter texts are names or parts of them. */
const shortestKey = 16;

export function createChannelList({ database, secretBox }: ChannelListDependencies) {
  const { channels } = database;
  const match = textMatches[database.engine];

  /** One page of channels; with `tag_mode` one page of tags, with all channels of each of them, and channels without a tag. */
  async function list(actor: Actor, input: ChannelList): Promise<Page<Channel>> {
    requireRole(actor, role.admin);
    const where = { [Op.and]: conditionsOf(input, await withPoolKey(input.keyword)) };
    const order = orderBy(input.sort ?? (input.id_sort ? '-id' : '-priority'));
    const { rows, total } = await (input.tag_mode
      ? listTags({ where, order }, input)
      : listRows(database.channels, { where, order }, input));
    return {
      items: rows.map((row) => channelView(row, secretBox)),
      page: input.page,
      page_size: input.page_size,
      total,
    };
  }

  /** A tag is found when one of its channels is. Behind the tags stand the channels without one, each for itself. */
  async function listTags(
    { where, order }: ListQuery,
    { page, page_size }: ChannelList,
  ): Promise<{ rows: ChannelRow[]; total: number }> {
    const tagged = { [Op.and]: [where, { tag: { [Op.ne]: '' } }] };
    const tags = await channels.count({ where: tagged, distinct: true, col: 'tag' });
    const singles = await channels.count({ where: { [Op.and]: [where, { tag: '' }] } });
    const shown = await channels.findAll({
      attributes: ['tag', [literal("CASE WHEN tag = '' THEN id ELSE 0 END"), 'id']],
      where,
      group: ['tag', literal("CASE WHEN tag = '' THEN id ELSE 0 END") as unknown as string],
      order: [
        [literal("CASE WHEN tag = '' THEN 1 ELSE 0 END"), 'ASC'],
        ['tag', 'ASC'],
        [literal("CASE WHEN tag = '' THEN id ELSE 0 END"), 'DESC'],
      ],
      limit: page_size,
      offset: (page - 1) * page_size,
      raw: true,
    });
    const found = {
      [Op.or]: [{ tag: shown.map(({ tag }) => tag).filter(Boolean) }, { id: shown.map(({ id }) => id) }],
    };
    return { rows: await channels.findAll({ where: found, order, raw: true }), total: tags + singles };
  }

  /** Several keys are stored as one secret, which no hash of one of them finds. */
  async function withPoolKey(keyword: string): Promise<number[]> {
    if (keyword.length < shortestKey || /\s/.test(keyword)) return [];
    const rows = await channels.findAll({
      attributes: ['id', 'key_encrypted'],
      where: { key_pool: { [Op.ne]: '' } },
      raw: true,
    });
    const has = (row: ChannelRow) => opened(row).split('\n').includes(keyword);
    return rows.filter(has).map(({ id }) => id);
  }

  function opened({ id, key_encrypted }: ChannelRow): string {
    try {
      return key_encrypted && secretBox.decrypt(key_encrypted, channelKeyPlace(id));
    } catch (error) {
      // Written with a master key that is not known here: it is not found, and the others are.
      if (error instanceof SecretUnreadableError) return '';
      throw error;
    }
  }

  function conditionsOf(
    { keyword, model, group, type, status, tag }: ChannelList,
    found: number[],
  ): WhereOptions<ChannelRow>[] {
    const conditions: WhereOptions<ChannelRow>[] = [];
    if (keyword !== '') {
      const id = /^[1-9]\d{0,14}$/.test(keyword) ? Number(keyword) : 0;
      const byName = keyword.length <= 64 ? [matches(database, 'name', match.containing(keyword))] : [];
      conditions.push({ [Op.or]: [{ id: [id, ...found] }, { key_hash: secretBox.lookupHashes(keyword) }, ...byName] });
    }
    if (model !== '') conditions.push(matches(database, 'models', match.containing(model)));
    if (group !== '') conditions.push(hasGroup(group));
    if (type !== undefined) conditions.push({ type });
    if (status !== 0) conditions.push({ status });
    if (tag !== undefined) conditions.push({ tag });
    return conditions;
  }

  /** The group is in the list of the column `group`. */
  function hasGroup(group: string) {
    const pattern = database.sequelize.escape(match.containing(`,${group},`));
    return literal(`(',' || "group" || ',') ${match.operator} ${pattern}`);
  }

  return list;
}
