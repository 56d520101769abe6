import type { Config } from '../core/config.ts';
import type { NameKind } from '../core/database/name-list.ts';
import type { AppError } from '../core/errors/app-error.ts';
import { nearWords } from './near-word.ts';

const kinds: readonly string[] = ['channel', 'token', 'user', 'redemption', 'group'] satisfies NameKind[];
/** Only some names are read of each beginning: the longer it is, the surer the one that was meant is among them. */
const beginnings = [3, 1, 0];
const maxNamed = 3;

/** Names of the installation that a name it does not know was probably meant to be. */
export async function nearNamesFor(
  { code, details }: AppError,
  place: () => Promise<Config['database']>,
): Promise<string[]> {
  if (code === 'option.notFound' || code === 'option.unknown') {
    const { optionKeys } = await import('../core/schemas/option.ts');
    return nearWords(String(details.key), optionKeys).slice(0, maxNamed);
  }
  const [kind, word] = code === 'group.unknown' ? ['group', details.group] : [details.noun, details.id];
  const isNamed = (code === 'object.notFound' || code === 'group.unknown') && kinds.includes(String(kind));
  if (!isNamed || typeof word !== 'string' || /^\d+$/.test(word)) return [];
  const { liveNames } = await import('./complete/live-name.ts');
  for (const length of beginnings) {
    const names = await liveNames(await place(), kind as NameKind, [...word].slice(0, length).join(''));
    const near = nearWords(
      word,
      names.filter((name) => name !== word),
    );
    if (near.length > 0) return near.slice(0, maxNamed);
  }
  return [];
}
