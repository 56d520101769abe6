import type { Database } from '../../database/connect.ts';
import type { ChannelRow } from '../../database/models/channel.ts';
import { escapeLike } from '../../lib/like-pattern.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type TextMatch, textMatches } from '../../lib/text-match.ts';
import { type Actor, role } from '../../schemas/actor.ts';
import type { Channel, ChannelList } from '../../schemas/channel.ts';
import type { Page } from '../../schemas/paging.ts';
import { requireRole } from '../actor.ts';
import { listRows, orderBy } from '../list-rows.ts';
import { channelView } from './view.ts';

interface ChannelListDependencies {
  database: Database;
  secretBox: SecretBox;
}

export function createChannelList({ database, secretBox }: ChannelListDependencies) {
  const match = textMatches[database.engine];

  /** One page of channels; with `tag_mode` one page of tags, with all channels of each of them, and channels without a tag. */
  async function list(actor: Actor, input: ChannelList): Promise<Page<Channel>> {
    requireRole(actor, role.admin);
    const query = {
      table: 'channels',
      conditions: conditionsOf(input, match),
      replacements: {
        ...input,
        id: /^[1-9]\d{0,14}$/.test(input.keyword) ? Number(input.keyword) : 0,
        name: match.containing(input.keyword),
        hashes: secretBox.lookupHashes(input.keyword),
        modelPattern: match.containing(input.model),
        groupPattern: `%,${escapeLike(input.group)},%`,
      },
      order: orderBy(input.sort ?? (input.id_sort ? '-id' : '-priority')),
    };
    const { rows, total } = await (input.tag_mode
      ? listTags(query, input)
      : listRows<ChannelRow>(database, query, input));
    return {
      items: rows.map((row) => channelView(row, secretBox)),
      page: input.page,
      page_size: input.page_size,
      total,
    };
  }

  /** A tag is found when one of its channels is. Behind the tags stand the channels without one, each for itself. */
  async function listTags(
    { conditions, replacements, order }: { conditions: string[]; replacements: object; order: string },
    { page, page_size }: ChannelList,
  ): Promise<{ rows: ChannelRow[]; total: number }> {
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const units = `SELECT DISTINCT tag AS unit_tag, CASE WHEN tag = '' THEN id ELSE 0 END AS single_id FROM channels ${where}`;
    const values = { ...replacements, page_size, offset: (page - 1) * page_size };
    const [counted] = await database.select<{ total: number }>(
      `SELECT count(*) AS total FROM (${units}) found`,
      values,
    );
    const shown = `SELECT * FROM (${units}) found
      ORDER BY CASE WHEN unit_tag = '' THEN 1 ELSE 0 END, unit_tag, single_id DESC LIMIT :page_size OFFSET :offset`;
    const sql = `SELECT channels.* FROM channels
      JOIN (${shown}) shown ON channels.tag = unit_tag AND (single_id = 0 OR single_id = channels.id) ORDER BY ${order}`;
    return { rows: await database.select<ChannelRow>(sql, values), total: counted?.total ?? 0 };
  }

  return list;
}

function conditionsOf({ keyword, model, group, type, status, tag }: ChannelList, match: TextMatch): string[] {
  const isShort = keyword.length <= 64;
  const byName = isShort ? ` OR ${match.in('name', 'name')}` : '';
  const possible: [isUsed: boolean, sql: string][] = [
    [keyword !== '', `(id = :id OR key_hash IN (:hashes)${byName})`],
    [model !== '', match.in('models', 'modelPattern')],
    [group !== '', `(',' || "group" || ',') LIKE :groupPattern ESCAPE '!'`],
    [type !== undefined, 'type = :type'],
    [status !== 0, 'status = :status'],
    [tag !== undefined, 'tag = :tag'],
  ];
  return possible.filter(([isUsed]) => isUsed).map(([, sql]) => sql);
}
