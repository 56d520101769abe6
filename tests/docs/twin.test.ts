import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const folder = 'dashboard/docs';
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const pages = readdirSync(join(root, folder))
  .filter((name) => name.endsWith('.md'))
  .map((name) => join(folder, name));
/** Each English page with its Chinese twin, README included. */
const twins = [
  ['README.md', `${folder}/readme.zh.md`],
  ...pages.filter((page) => !page.endsWith('.zh.md')).map((page) => [page, page.replace(/\.md$/, '.zh.md')]),
] as [string, string][];

it('each Chinese page belongs to an English one', () => {
  const expected = twins.map(([, chinese]) => chinese);
  expect(pages.filter((page) => page.endsWith('.zh.md')).sort()).toEqual(expected.sort());
});

it.each(pages.filter((page) => page.endsWith('.zh.md')))('%s has each paragraph on one line', (page) => {
  // A line break inside a paragraph is shown as a space, which Chinese does not have.
  expect(withoutCode(page).match(/^(?![#|<]).*[^\n]\n(?! *([#|<]|- |\d+\. |```|\n|$)).*$/gm) ?? []).toEqual([]);
});

describe.each(twins.filter(([, chinese]) => existsSync(join(root, chinese))))('%s and %s', (english, chinese) => {
  it('have the same headings, by level and order', () => {
    expect(headingsOf(chinese).map(({ level }) => level)).toEqual(headingsOf(english).map(({ level }) => level));
  });

  it('have the same code blocks, except comments', () => {
    expect(codeBlocksOf(chinese)).toEqual(codeBlocksOf(english));
  });

  it('have the same links', () => {
    expect(linksOf(chinese, english)).toEqual(linksOf(english, chinese));
  });

  it('have the same tables, by columns and rows', () => {
    expect(tablesOf(chinese)).toEqual(tablesOf(english));
  });

  it('name the same commands, settings, routes and fields', () => {
    expect(namesOf(chinese)).toEqual(namesOf(english));
  });
});

const withoutCode = (path: string) => read(path).replace(/^```.*?^```$/gms, '');

function headingsOf(path: string): { level: number; anchor: string }[] {
  return [...withoutCode(path).matchAll(/^(#+) (.+)$/gm)].map(([, marks = '', text = '']) => ({
    level: marks.length,
    anchor: text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  }));
}

const comments: Record<string, RegExp> = { sh: /(^|\s+)# .*$/, bash: /(^|\s+)# .*$/, ts: /(^|\s+)\/\/ .*$/ };

/** The lines of each block under its language, without the comments that are written in the language of the page. */
function codeBlocksOf(path: string): string[][] {
  return [...read(path).matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => {
    const comment = comments[language] ?? /$^/;
    return [language, ...text.split('\n').map((line) => line.replace(comment, ''))];
  });
}

/** Where the links of a page lead, as English pages and the place of a heading in them; the link to its own twin is left out. */
function linksOf(path: string, twin: string): string[] {
  const targets = [...withoutCode(path).matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
  const places = targets.map((target) => {
    if (/^https?:/.test(target)) return target;
    const [file = '', anchor] = target.split('#');
    const page = file === '' ? path : relative('.', join(dirname(path), file));
    const heading = anchor === undefined ? '' : `#${headingsOf(page).findIndex((found) => found.anchor === anchor)}`;
    return page === twin ? '' : `${page.replace(/\.zh\.md$/, '.md')}${heading}`;
  });
  return places.filter(Boolean).sort();
}

/** Cells of each row, table by table. */
function tablesOf(path: string): number[] {
  const rows = withoutCode(path).match(/^ *\|.*\|$/gm) ?? [];
  return rows.map((row) => row.replaceAll('\\|', '').split('|').length);
}

function namesOf(path: string): string[] {
  return [...new Set([...withoutCode(path).matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))].sort();
}
