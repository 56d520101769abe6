import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalog } from '../../core/errors/catalog.ts';
import { type TextSpace, templateOf, textIn } from '../../core/text/text.ts';

const root = join(import.meta.dirname, '../..');
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

/** As the files contain them: a key that stands twice would hide in the merged object. */
function readTexts(language: 'en' | 'zh', space: TextSpace): [string, string][] {
  const folder = join(root, 'core/text', language, space);
  return readdirSync(folder).flatMap((file) =>
    Object.entries<string>(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
  );
}

/** Only English has one; it stands beside the plural. */
const isSingular = (key: string) => key.endsWith('_one');

function sourceText(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
    .join('\n');
}

describe.each(['detail', 'error', 'notice', 'route', 'terminal'] as const)('the %s texts', (space) => {
  const english = readTexts('en', space);
  const chinese = readTexts('zh', space);

  it('have each key once, in both languages', () => {
    const keys = english.map(([key]) => key);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
    expect(chinese.map(([key]) => key)).toEqual(keys.filter((key) => !isSingular(key)));
  });

  it.each(english.filter(([key]) => !isSingular(key)))('%s says the same in both languages', (key, en) => {
    const zh = templateOf('zh', space, key) ?? '';
    expect(en.trim()).not.toBe('');
    expect(zh.trim()).not.toBe('');
    // Chinese may leave a word out, but names nothing that English does not fill in.
    expect(placeholders(en)).toEqual(expect.arrayContaining(placeholders(zh)));
  });
});

/** Words that are compared with what others say, a name each language has for itself, and names that imported consoles store. */
const ownWords = new Set([
  'core/errors/classify-upstream.ts',
  'core/providers/aiproxy-library/error-rule.ts',
  'core/providers/fastgpt/index.ts',
  'core/providers/plain-vendor.ts',
  'core/schemas/option/price.ts',
  'dashboard/src/components/shell/language-menu.tsx',
]);

describe('code', () => {
  const sources = ['core', 'cli', 'dashboard/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => ({ name: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') })),
  );
  const holding = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

  it('contains no Chinese: texts are in the files of their language', () => {
    expect(holding(/\p{Script=Han}/u).filter((name) => !ownWords.has(name))).toEqual([]);
    expect([...ownWords].filter((name) => !holding(/\p{Script=Han}/u).includes(name))).toEqual([]);
  });

  it('gives rules of forms and schemas a key, never a sentence', () => {
    const found = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/\bmessage: '([a-z]+ [a-z ]+)'/g)].map(([, sentence]) => `${name}: ${sentence}`),
    );
    expect(found.filter((line) => /^(dashboard\/src|core\/schemas)\//.test(line))).toEqual([]);
  });

  it('does not choose between two texts by the language', () => {
    const choosing = /(language|Language\(\)) === '(zh|en)' \?/;
    // Names of locales and of files of documents are not texts.
    const names = /=== '(zh|en)' \? '(en-GB|en-US|zh-CN|en|zh)' : '(en-GB|en-US|zh-CN|en|zh)'/g;
    expect(sources.filter(({ text }) => choosing.test(text.replace(names, ''))).map(({ name }) => name)).toEqual([]);
    expect(holding(/=== 'zh' \?/)).toEqual([]);
  });
});

/** `{count} channels`; units, and what is named between two numbers, have one form. */
const counted =
  /\{\{?(count|users|tokens|channels|days|minutes|limit|max|maximum|calls|rows|models|retries|deleted|tested|received)\}\}? (?!(?:of|to|x|s|ms|min|d)\b)(?:[a-z-]+ ){0,2}?([a-z]+s)\b/g;
/** The word behind the number is no noun, or the number is never 1. */
const oneForm = new Set([
  ...[
    'request.mediaUnfetchable',
    'cut',
    'cutPart',
    'image.tooMany',
    'input.commonName',
    'fault.tooLong',
    'figure.tokensPerMinute',
    'tokens',
    'health.speed',
    'input.tooManyModels',
    'priceSource.tooMany',
    'priceSync.tooMany',
    'sync.tooMany',
  ],
]);

describe('English texts', () => {
  const flat = (texts: object, before = ''): [string, string][] =>
    Object.entries(texts).flatMap(([key, text]) =>
      typeof text === 'string' ? [[before + key, text] as [string, string]] : flat(text as object, `${before}${key}.`),
    );
  const filesOf = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ name, texts: new Map(flat(JSON.parse(readFileSync(join(root, folder, name), 'utf8')))) }));
  const files = [...filesOf('core/text/en'), ...filesOf('dashboard/src/i18n/en')];

  it.each(files)('have a singular for everything that is counted: $name', ({ texts }) => {
    const without = [...texts].filter(([key, text]) => {
      const words = [...text.matchAll(counted)].map(([, , word = '']) => word);
      const nouns = words.filter((word) => !/^(is|was|has|does|plus|this|its|status|less|as)$/.test(word));
      return nouns.length > 0 && !isSingular(key) && !oneForm.has(key) && !texts.has(`${key}_one`);
    });
    expect(without).toEqual([]);
  });

  it.each(files)('name no word with (s): $name', ({ texts }) => {
    expect([...texts.values()].filter((text) => /[a-z]\(s\)(?! addr)/.test(text))).toEqual([]);
  });

  it('choose by the number that counts', () => {
    const keys = (on: number, total: number) =>
      textIn('en', 'terminal', 'channel.keysChanged', { name: 'a', on, total });
    expect(keys(1, 3)).toBe('channel a: 1 of 3 keys are on');
    expect(keys(1, 1)).toBe('channel a: 1 of 1 key is on');
    expect(textIn('en', 'terminal', 'token.askRemove', { count: 1, names: 'a' })).toBe('Delete 1 token: a');
    expect(textIn('en', 'terminal', 'token.askRemove', { count: 2, names: 'a, b' })).toBe('Delete 2 tokens: a, b');
    expect(textIn('en', 'detail', 'input.maxCharacters', { limit: 1 })).toBe('at most 1 character');
    expect(textIn('zh', 'terminal', 'token.askRemove', { count: 1, names: 'a' })).toContain('1');
  });
});

describe('texts', () => {
  it('of the terminal are all used', () => {
    /** Keys that are put together: the kinds of a price line, the result of a doctor check, why a call was left out of a rehearsal, why a price is held or refused, what a limit limits, the states of a task, and where a setting comes from. */
    const composed =
      /^receipt\.|^pricing\.(gap|held|fault)\.|^doctor\.(ok|warn|fail)$|^(flag\.)?limit\.(rule|period|requests|.*tokens)|^tui\.task\.state\.|^config\.source\./;
    const source = sourceText('cli');
    const unused = readTexts('zh', 'terminal').filter(([key]) => !composed.test(key) && !source.includes(`'${key}'`));
    expect(unused).toEqual([]);
  });

  it('of errors belong to an error, and every error has one', () => {
    const keys = readTexts('zh', 'error').map(([key]) => key.replace(/\.hint$/, ''));
    expect([...new Set(keys)].sort()).toEqual(Object.keys(catalog).sort());
  });

  it('keep what looks like markup, and fill in what is named', () => {
    expect(textIn('en', 'error', 'model.notFound', { model: '{other} $t(x) <b>' })).toContain('{other} $t(x) <b>');
    expect(textIn('zh', 'error', 'model.notFound', {})).toContain('{model}');
  });
});
