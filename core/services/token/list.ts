import { Op } from 'sequelize';
import type { Database } from '../../database/connect.ts';
import type { TokenRow } from '../../database/models/token.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { textMatches } from '../../lib/text-match.ts';
import type { Actor } from '../../schemas/actor.ts';
import type { Page } from '../../schemas/paging.ts';
import type { Token, TokenList } from '../../schemas/token.ts';
import { isSystem } from '../actor.ts';
import { listRows, matches, orderBy } from '../list-rows.ts';

export interface TokenOwner {
  /** The system actor names whose tokens it means (absent: all users', for a list); others only ever mean their own. */
  userId?: number;
}

interface TokenListDependencies {
  database: Database;
  secretBox: SecretBox;
  keyOf(row: TokenRow): string;
  withKey(row: TokenRow, isWhole: boolean): Token;
}

/** Part searches decrypt the owner's keys one by one. */
const maxSearched = 1000;

export function createTokenList({ database, secretBox, keyOf, withKey }: TokenListDependencies) {
  const match = textMatches[database.engine];

  /** `withKeys`: the owner's page copies keys from its list; all others see them masked. */
  return async function list(
    actor: Actor,
    { keyword, token, sort = '-id', page, page_size }: TokenList,
    { userId, withKeys = false }: TokenOwner & { withKeys?: boolean } = {},
  ): Promise<Page<Token>> {
    const ids = await idsWithKey(actor, token, userId);
    const owner = isSystem(actor) ? userId : actor.id;
    const where = {
      deleted_at: null,
      ...(owner !== undefined && { user_id: owner }),
      ...(ids && { id: ids }),
      ...(keyword && { [Op.and]: matches(database, 'name', match.containing(keyword)) }),
    };
    const query = { where, order: orderBy(sort) };
    const { rows, total } = await listRows(database.tokens, query, { page, page_size });
    const items = rows.map((row) => withKey(row, withKeys && row.user_id === actor.id));
    return { items, page, page_size, total };
  };

  /** Rows whose key is, or contains, the text; undefined when nothing is asked for. */
  async function idsWithKey(actor: Actor, text: string, userId: number | undefined): Promise<number[] | undefined> {
    const wanted = text.replace(/^sk-/, '');
    if (wanted === '') return undefined;
    const owner = isSystem(actor) ? userId : actor.id;
    const where = { deleted_at: null, ...(owner !== undefined && { user_id: owner }) };
    const whole = await database.tokens.findAll({
      attributes: ['id'],
      where: { ...where, key_hash: secretBox.lookupHashes(wanted) },
      raw: true,
    });
    if (whole.length > 0 || owner === undefined) return whole.map(({ id }) => id);
    const rows = await database.tokens.findAll({ where, order: [['id', 'DESC']], limit: maxSearched, raw: true });
    return rows.filter((row) => keyOf(row).includes(wanted)).map(({ id }) => id);
  }
}
