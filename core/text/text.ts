import { codedIn, type Details } from './coded.ts';
import { detail } from './en/detail.ts';
import { error } from './en/error.ts';
import { notice } from './en/notice.ts';
import { route } from './en/route.ts';
import { terminal } from './en/terminal.ts';
import { createFiller, type Language } from './filler.ts';
import { detail as detailZh } from './zh/detail.ts';
import { error as errorZh } from './zh/error.ts';
import { notice as noticeZh } from './zh/notice.ts';
import { route as routeZh } from './zh/route.ts';
import { terminal as terminalZh } from './zh/terminal.ts';

export type { Details } from './coded.ts';
export type { Language } from './filler.ts';

interface Texts {
  detail: typeof detail;
  error: typeof error;
  notice: typeof notice;
  route: typeof route;
  terminal: typeof terminal;
}
/**
 * `error`: what failed, and what to do about it. `detail`: what is filled into other texts, and what is kept in the database.
 * `notice`: what the server tells people in mails, notices, log rows and small pages. `route`: what each console route does. `terminal`: everything else that the command line and the terminal UI say.
 */
export type TextSpace = keyof Texts;
export type TextKey<Space extends TextSpace> = keyof Texts[Space] & string;

const filler = createFiller({
  en: { detail, error, notice, route, terminal },
  zh: { detail: detailZh, error: errorZh, notice: noticeZh, route: routeZh, terminal: terminalZh },
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

/** One of our texts for the database to keep, until it is known who reads it. */
export const codedText = <Space extends TextSpace>(space: Space, key: TextKey<Space>, details: Details = {}): string =>
  codedIn(space, key, details);

/** A text as it is in the files, with its braces; undefined when there is no such key. */
export function templateOf(language: Language, space: TextSpace, key: string): string | undefined {
  return filler.templateOf(language, space, key);
}

/** A text with the words of the language in place of its codes. */
export const wordsIn = filler.wordsIn;
