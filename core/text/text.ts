import type { Details } from './coded.ts';
import { detail } from './en/detail.ts';
import { error } from './en/error.ts';
import { route } from './en/route.ts';
import { terminal } from './en/terminal.ts';
import { createFiller, type Language } from './filler.ts';
import { detail as detailZh } from './zh/detail.ts';
import { error as errorZh } from './zh/error.ts';
import { route as routeZh } from './zh/route.ts';
import { terminal as terminalZh } from './zh/terminal.ts';

export type { Details } from './coded.ts';
export type { Language } from './filler.ts';

interface Texts {
  detail: typeof detail;
  error: typeof error;
  route: typeof route;
  terminal: typeof terminal;
}
/**
 * `error`: what failed, and what to do about it. `detail`: what is filled into other texts, and what is kept in the database.
 * `route`: what each console route does. `terminal`: everything else that the command line and the terminal UI say.
 */
export type TextSpace = keyof Texts;
export type TextKey<Space extends TextSpace> = keyof Texts[Space] & string;

const filler = createFiller({
  en: { detail, error, route, terminal },
  zh: { detail: detailZh, error: errorZh, route: routeZh, terminal: terminalZh },
});

/** One of our texts, filled in. */
export function textIn<Space extends TextSpace>(
  language: Language,
  space: Space,
  key: TextKey<Space>,
  details: Details = {},
): string {
  return filler.textIn(language, space, key, details);
}

/** A text as it stands in the files, with its braces; undefined = there is none of this key. */
export function templateOf(language: Language, space: TextSpace, key: string): string | undefined {
  return filler.templateOf(language, space, key);
}

/** A text with the words of the language in place of its codes. */
export const wordsIn = filler.wordsIn;
