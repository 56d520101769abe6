import i18next from 'i18next';
import { error } from './en/error.ts';
import { route } from './en/route.ts';
import { terminal } from './en/terminal.ts';
import { error as errorZh } from './zh/error.ts';
import { route as routeZh } from './zh/route.ts';
import { terminal as terminalZh } from './zh/terminal.ts';

export type Language = 'en' | 'zh';
/** What a text is filled in with, by the names that stand in its braces. */
export type Details = Record<string, string | number>;

interface Texts {
  error: typeof error;
  route: typeof route;
  terminal: typeof terminal;
}
/** `error`: what failed, and what to do about it. `route`: what each console route does. `terminal`: everything else that the command line and the terminal UI say. */
export type TextSpace = keyof Texts;
export type TextKey<Space extends TextSpace> = keyof Texts[Space] & string;

const texts = i18next.createInstance();
texts.init({
  resources: { en: { error, route, terminal }, zh: { error: errorZh, route: routeZh, terminal: terminalZh } },
  ns: ['error', 'route', 'terminal'],
  initAsync: false,
  fallbackLng: false,
  load: 'currentOnly',
  // Keys are plain names with dots, and texts hold JSON examples: only `{name}` is ever filled in.
  keySeparator: false,
  nsSeparator: false,
  contextSeparator: '\0',
  pluralSeparator: '\0',
  missingInterpolationHandler: (_text, found) => found[0],
  interpolation: {
    prefix: '{',
    suffix: '}',
    formatSeparator: '\0',
    unescapePrefix: '\0',
    escapeValue: false,
    nestingPrefix: '\0',
    nestingSuffix: '\0',
  },
});

const speakers = { en: texts.getFixedT('en'), zh: texts.getFixedT('zh') };

/** One of our texts, filled in. */
export function textIn<Space extends TextSpace>(
  language: Language,
  space: Space,
  key: TextKey<Space>,
  details: Details = {},
): string {
  return speakers[language](key, { ns: space, replace: details });
}

/** A text as it stands in the files, with its braces; undefined = there is none of this key. */
export function templateOf(language: Language, space: TextSpace, key: string): string | undefined {
  return texts.getResource(language, space, key);
}
