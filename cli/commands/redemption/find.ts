import type { App } from '../../../core/app.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type Redemption, redemptionListSchema } from '../../../core/schemas/redemption.ts';
import { coded } from '../../../core/text/coded.ts';
import { idList } from '../../print/id-list.ts';

/** By id, by the whole code, or by a name that no other code has; all that are named, or none of them. */
export async function findRedemptions(app: App, words: string[]): Promise<Redemption[]> {
  const found: Redemption[] = [];
  for (const word of words) found.push(await findRedemption(app, word));
  return found;
}

async function findRedemption({ services }: App, word: string): Promise<Redemption> {
  if (/^[1-9]\d{0,14}$/.test(word)) return services.redemptions.get(systemActor, Number(word));
  const named: Redemption[] = [];
  for (let page = 1, seen = 0; ; page++) {
    const query = redemptionListSchema.parse({ keyword: word.slice(0, 64), page, page_size: 100 });
    const { items, total } = await services.redemptions.list(systemActor, query);
    named.push(...items.filter(({ name, key }) => name === word || key === word));
    seen += items.length;
    if (items.length === 0 || seen >= total) break;
  }
  const [code, other] = named;
  if (!code)
    throw new AppError('object.notFound', { what: coded('noun.redemption'), id: shown(word), noun: 'redemption' });
  if (other)
    throw new AppError('cli.ambiguousName', { noun: 'redemption code', name: shown(word), ids: idList(named) });
  return code;
}

/** A code is worth money: what was mistyped of one is not repeated whole. */
const shown = (word: string) => (word.length > 20 ? `${word.slice(0, 4)}…` : word);

export const namesOf = (codes: Redemption[]) => codes.map(({ id, name }) => `${id} (${name})`).join(', ');
