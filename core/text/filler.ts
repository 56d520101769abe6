import i18next, { type Resource } from 'i18next';
import { type Details, decoded } from './coded.ts';

export type Language = 'en' | 'zh';

/** Filled in by our own code, and may be codes; every other detail is a name that a user chose. */
const ownDetails = [
  'channelType',
  'near',
  'reason',
  'what',
  'form',
  'allowed',
  'who',
  'measure',
  'period',
  'duration',
  'p99',
];

/** `{count} channels`, but not `{on} of {total} keys` or `{seconds} s`. */
const countedName = /\{(\w+)\} (?!(?:of|to|x|s|ms|min|d|is|has|was|does|by|and|or)\b)[a-z]/g;

export interface Filler {
  /** One of the texts, filled in. */
  textIn(language: Language, space: string, key: string, details: Details): string;
  /** As it is in the files, with its braces; undefined when there is no such key. */
  templateOf(language: Language, space: string, key: string): string | undefined;
  /** A text with the words of the language in place of its codes. */
  wordsIn(language: Language, text: string): string;
}

/** Texts of both languages by space and key. */
export function createFiller(resources: Record<Language, Record<string, Record<string, string>>>): Filler {
  const texts = i18next.createInstance();
  texts.init({
    resources: resources as Resource,
    ns: Object.keys(resources.en),
    initAsync: false,
    fallbackLng: false,
    load: 'currentOnly',
    // Keys are plain names with dots, and texts contain JSON examples: only `{name}` is ever filled in.
    keySeparator: false,
    nsSeparator: false,
    contextSeparator: '\0',
    // `<key>_one` beside a key is its English singular; a language without one has no other form.
    pluralSeparator: '_',
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

  function textIn(language: Language, space: string, key: string, details: Details): string {
    const said = Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'string' && ownDetails.includes(name) ? wordsIn(language, value) : value,
    ]);
    const count = countIn(language, space, key, details);
    const filled = { ns: space, replace: Object.fromEntries(said) };
    return speakers[language](key, count === undefined ? filled : { ...filled, count });
  }

  /** The number that decides between singular and plural: the first that counts something; of a noun alone, its `count`. */
  function countIn(language: Language, space: string, key: string, details: Details): number | undefined {
    if (templateOf(language, space, `${key}_one`) === undefined) return undefined;
    const named = [...(templateOf(language, space, key) ?? '').matchAll(countedName)];
    const counts = [...named.map(([, name = '']) => details[name]), details.count];
    return counts.find((value) => typeof value === 'number');
  }

  const templateOf = (language: Language, space: string, key: string): string | undefined =>
    texts.getResource(language, space, key);

  function wordsIn(language: Language, text: string): string {
    return decoded(text, (space, key, details) =>
      templateOf(language, space, key) === undefined ? undefined : textIn(language, space, key, details),
    );
  }

  return { textIn, templateOf, wordsIn };
}
