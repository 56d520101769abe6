import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandTree } from '../support/command-tree.ts';
import { generatedDocuments, readDocument, renderDocument } from './section.ts';

const root = new URL('../..', import.meta.url).pathname;
const documents = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'dashboard/docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('dashboard/docs', name)),
];
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('documentation', () => {
  it.each(generatedDocuments)('%s says what the program does; `npm run docs` writes it', async (name) => {
    expect(await readDocument(name)).toBe(await renderDocument(name));
  });

  it.each(['en', 'zh'] as const)(
    'has every command that can be run in the command reference (%s)',
    async (language) => {
      const page = read(`dashboard/docs/cli${language === 'zh' ? '.zh' : ''}.md`);
      const headings = [...page.matchAll(/^###? (.+)$/gm)].map(([, heading]) => heading);
      const commands = (await commandTree(language)).filter(({ isRun }) => isRun).map(({ name }) => name);
      expect(headings).toEqual(expect.arrayContaining(commands));
    },
  );

  it.each(documents)('%s links to documents and headings that exist', (path) => {
    for (const [, target = ''] of read(path).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [file = '', heading] = target.split('#');
      const found = file === '' ? path : join(dirname(path), file);
      expect(existsSync(join(root, found)), `${path} -> ${target}`).toBe(true);
      if (heading) expect(headingsOf(found), `${path} -> ${target}`).toContain(heading);
    }
  });

  it.each(['en', 'zh'])('is listed in the console by the titles of its pages (%s)', (language) => {
    const { name, about } = JSON.parse(read(`dashboard/src/i18n/${language}/docs.json`));
    const ending = language === 'zh' ? '.zh.md' : '.md';
    const titles = documents
      .filter((path) => path.startsWith('dashboard') && path.endsWith('.zh.md') === (language === 'zh'))
      .filter((path) => !path.includes('readme'))
      .map((path) => [basename(path, ending), /^# (.+)$/m.exec(read(path))?.[1]]);
    expect(name).toEqual(Object.fromEntries(titles));
    expect(Object.keys(about).sort()).toEqual(titles.map(([page]) => page).sort());
  });

  it.each(['dashboard/docs/security.md', 'dashboard/docs/security.zh.md'])('%s names tests that exist', (path) => {
    const named = [...read(path).matchAll(/`(tests\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('can be reached from the README of its language, every page of it', () => {
    const [english, chinese] = [read('README.md'), read('dashboard/docs/readme.zh.md')];
    for (const path of documents.filter((name) => name.startsWith('dashboard') && !name.endsWith('readme.zh.md')))
      if (path.endsWith('.zh.md')) expect(chinese).toContain(`(${basename(path)})`);
      else expect(english).toContain(`(${path})`);
  });
});

function headingsOf(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
