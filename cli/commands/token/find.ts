import type { Command } from 'commander';
import type { App } from '../../../core/app.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { maskKey } from '../../../core/lib/mask-key.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type Token, tokenListSchema } from '../../../core/schemas/token.ts';
import { keyIn } from '../../../core/services/secret.ts';
import { coded } from '../../../core/text/coded.ts';
import type { Context } from '../../context.ts';
import { idList } from '../../print/id-list.ts';

/** The tokens a command is about, and whose they are where several have the name. */
export function addSelection(command: Command, { speak }: Context): Command {
  return command.argument('<tokens...>', speak('argument.tokens')).option('--user <user>', speak('flag.tokenOwner'));
}

/** With its key as people know it; one that cannot be decrypted says so in the reader's language. */
export const withShownKey = ({ output }: Context, token: Token): Token =>
  token.key_problem === undefined ? { ...token, key: `sk-${token.key}` } : keyIn(output.language, token);

/** A key is told from a name by how keys begin, or by the form of one without its beginning. */
export const tokenFilter = (word: string): { keyword: string; token: string } =>
  /^sk-|^[0-9A-Za-z]{48}$/.test(word) ? { keyword: '', token: word } : { keyword: word.slice(0, 64), token: '' };

/** By id, by name or by the whole key; a name several tokens have is refused, `--user` says whose is meant. */
export async function findTokens(app: App, words: string[], user: string | undefined): Promise<Token[]> {
  const userId = user === undefined ? undefined : (await app.services.users.find(systemActor, user)).id;
  const found: Token[] = [];
  for (const word of words) found.push(await findToken(app, word, userId));
  return found;
}

async function findToken({ services }: App, word: string, userId: number | undefined): Promise<Token> {
  if (/^[1-9]\d{0,14}$/.test(word)) {
    const token = await services.tokens.get(systemActor, Number(word));
    if (userId === undefined || token.user_id === userId) return token;
    throw notFound(word);
  }
  const named: Token[] = [];
  for (let page = 1, seen = 0; ; page++) {
    const filter = tokenFilter(word);
    const query = tokenListSchema.parse({ ...filter, page, page_size: 100 });
    const { items, total } = await services.tokens.list(systemActor, query, userId === undefined ? {} : { userId });
    named.push(...items.filter(({ name }) => filter.token !== '' || name === word));
    seen += items.length;
    if (items.length === 0 || seen >= total) break;
  }
  const [token, other] = named;
  if (!token) throw notFound(word);
  if (other) throw new AppError('cli.ambiguousName', { noun: 'token', name: word, ids: idList(named) });
  return token;
}

const notFound = (word: string) =>
  new AppError('object.notFound', {
    what: coded('noun.token'),
    id: maskKey(tokenFilter(word).token) || word.slice(0, 64),
    noun: 'token',
  });

export const namesOf = (tokens: Token[]) => tokens.map(({ id, name }) => `${id} (${name})`).join(', ');
