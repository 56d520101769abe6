import type { App } from '../../../core/app.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type User, userListSchema, usernameKey } from '../../../core/schemas/user.ts';
import { coded } from '../../../core/text/coded.ts';
import { idList } from '../../print/id-list.ts';

/** All that are named, or none of them. */
export async function findUsers({ services }: App, words: string[]): Promise<User[]> {
  const found: User[] = [];
  for (const word of words) found.push(await services.users.find(systemActor, word));
  return found;
}

/** As `findUsers`, with accounts that were deleted before. */
export async function findKnownUsers({ services }: App, words: string[]): Promise<User[]> {
  const found: User[] = [];
  for (const word of words) {
    const query = userListSchema.parse({ keyword: word.slice(0, 64), page_size: 100 });
    const { items } = await services.users.list(systemActor, query);
    const named = items.filter(({ username }) => usernameKey(username) === usernameKey(word));
    const [user, other] = named.length > 0 ? named : items.filter(({ id }) => String(id) === word);
    if (!user) throw new AppError('object.notFound', { what: coded('noun.user'), id: word.slice(0, 64), noun: 'user' });
    if (other) throw new AppError('cli.ambiguousName', { noun: 'user', name: word, ids: idList(named) });
    found.push(user);
  }
  return found;
}

export const namesOf = (users: User[]) => users.map(({ id, username }) => `${id} (${username})`).join(', ');
