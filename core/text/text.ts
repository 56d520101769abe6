import { codedIn, type Details } from './coded.ts';
import { createFiller, type Language } from './filler.ts';
import { spaces, type Texts, textsOf } from './space.ts';

export type { Details } from './coded.ts';
export type { Language } from './filler.ts';

/**
 * `error`: what failed, and what to do about it. `detail`: what is filled into other texts, and what is kept in the database.
 * `notice`: what the server tells people in mails, notices, log rows and small pages. `route`: what each console route does. `terminal`: everything else that the command line and the terminal UI say.
 */
export type TextSpace = keyof Texts;
export type TextKey<Space extends TextSpace> = keyof Texts[Space] & string;

const filler = createFiller({ en: textsWhenAsked('en'), zh: textsWhenAsked('zh') });

function textsWhenAsked(language: Language): Record<TextSpace, Record<string, string>> {
  const texts = {} as Record<TextSpace, Record<string, string>>;
  for (const space of spaces) {
    let known: Record<string, string> | undefined;
    Object.defineProperty(texts, space, { enumerable: true, get: () => (known ??= textsOf(language, space)) });
  }
  return texts;
}

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
