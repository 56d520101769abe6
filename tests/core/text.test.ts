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
    expect(chinese.map(([key]) => key)).toEqual(keys);
  });

  it.each(english)('%s says the same in both languages', (key, en) => {
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

describe('texts', () => {
  it('of the terminal are all used', () => {
    /** Keys that are put together: the kinds of a price line, the result of a doctor check, why a call was left out of a rehearsal, and why a price is held or refused. */
    const composed = /^receipt\.|^pricing\.(gap|held|fault)\.|^doctor\.(ok|warn|fail)$/;
    const source = sourceText('cli');
    const unused = readTexts('en', 'terminal').filter(([key]) => !composed.test(key) && !source.includes(`'${key}'`));
    expect(unused).toEqual([]);
  });

  it('of errors belong to an error, and every error has one', () => {
    const keys = readTexts('en', 'error').map(([key]) => key.replace(/\.hint$/, ''));
    expect([...new Set(keys)].sort()).toEqual(Object.keys(catalog).sort());
  });

  it('keep what looks like markup, and fill in what is named', () => {
    expect(textIn('en', 'error', 'model.notFound', { model: '{other} $t(x) <b>' })).toContain('{other} $t(x) <b>');
    expect(textIn('zh', 'error', 'model.notFound', {})).toContain('{model}');
  });
});
