import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = new URL('../../dashboard/src', import.meta.url).pathname;
/** Shared with the other parts of the program. */
const shared = ['option'];
const namespaces = [...readdirSync(join(source, 'i18n/zh')).map((name) => name.replace('.json', '')), ...shared];

type Texts = { [key: string]: string | Texts };

function readTexts(language: string, namespace: string): Map<string, string> {
  const texts = new Map<string, string>();
  const collect = (branch: Texts, path: string[]): void => {
    for (const [key, value] of Object.entries(branch)) {
      if (typeof value === 'string') texts.set([...path, key].join('.'), value);
      else collect(value, [...path, key]);
    }
  };
  const folder = join(source, shared.includes(namespace) ? '../../core/text' : 'i18n', language);
  collect(JSON.parse(readFileSync(join(folder, `${namespace}.json`), 'utf8')) as Texts, []);
  return texts;
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: withoutComments(readFileSync(join(source, name), 'utf8')) }));

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '');
}

interface Use {
  file: string;
  namespace: string;
  /** A whole key, or what is before the part that is filled in. */
  key: string;
  isPrefix: boolean;
}

/**
 * Every text a file names: the quoted words in `t(...)` (both of a choice), a template up to its first hole, and `namespace:key`
 * wherever it stands.
 */
function usesOf({ name, text }: (typeof files)[number]): Use[] {
  // A file that is handed `t` by its page speaks the page's texts.
  const folder = /^pages\/([\w-]+)\//.exec(name)?.[1] ?? '';
  const defaultValue =
    /useTranslation\(\s*'([\w-]+)'/.exec(text)?.[1] ?? (namespaces.includes(folder) ? folder : 'shell');
  const toUse = (words: string, isPrefix: boolean): Use => {
    const [first = '', second] = words.split(':');
    return { file: name, namespace: second === undefined ? defaultValue : first, key: second ?? first, isPrefix };
  };
  const called = [...text.matchAll(/\bt\(/g)].map(({ index }) => argumentAt(text, index + 2));
  const inCalls = called.flatMap((argument) => [
    // Not what is compared, nor what is filled in.
    ...[
      ...argument
        .replace(/`[^`]*`/g, '')
        .replace(/,\s*\{[\s\S]*$/, '')
        .replace(/[=!]==\s*'[^']*'/g, '')
        .matchAll(/'([\w.:-]+)'/g),
    ].map(([, words = '']) => toUse(words, false)),
    ...[...argument.matchAll(/`([\w.:-]*)\$\{/g)].map(([, words = '']) => toUse(words, true)),
  ]);
  const named = [...text.matchAll(/'([a-z-]+:[\w.]+)'/g)]
    .map(([, words = '']) => words)
    .filter((words) => namespaces.includes(words.split(':')[0] ?? ''))
    .map((words) => toUse(words, false));
  return [...inCalls, ...named];
}

/** What is between the bracket that opens before `start` and the one that closes it. */
function argumentAt(text: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; end < text.length && depth > 0; end += 1) depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
  return text.slice(start, end - 1);
}

const uses = files.flatMap(usesOf);

describe('the texts of the dashboard', () => {
  it.each(namespaces)('A-009 are there in both languages, with the same holes: %s', (namespace) => {
    const [chinese, english] = [readTexts('zh', namespace), readTexts('en', namespace)];
    // English has a singular beside the plural.
    const keys = [...english.keys()].filter((key) => !key.endsWith('_one'));
    expect(keys.sort()).toEqual([...chinese.keys()].sort());
    const holes = (text = '') => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();
    for (const [key, text] of chinese)
      expect({ key, holes: holes(english.get(key)) }).toEqual({ key, holes: holes(text) });
    expect([...chinese, ...english].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('every text a component names exists', () => {
    const missing = uses.filter(({ namespace, key, isPrefix }) => {
      const keys = [...readTexts('zh', namespace).keys()];
      return isPrefix ? !keys.some((one) => one.startsWith(key)) : !keys.includes(key);
    });
    expect(missing).toEqual([]);
  });

  it.each(namespaces)('every key is used: %s', (namespace) => {
    const ours = uses.filter((use) => use.namespace === namespace);
    const unused = [...readTexts('zh', namespace).keys()].filter(
      (key) => !ours.some((use) => (use.isPrefix ? key.startsWith(use.key) : use.key === key)),
    );
    expect(unused).toEqual([]);
  });

  it('components contain no text of their own', () => {
    const found = files.flatMap(({ name, text }) =>
      // `language-menu.tsx` names each language in itself.
      name.endsWith('language-menu.tsx')
        ? []
        : [...text.matchAll(/[\u4e00-\u9fff]+/g)].map(([words]) => `${name}: ${words}`),
    );
    expect(found).toEqual([]);
  });
});
