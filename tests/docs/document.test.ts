import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedDocuments, readDocument, renderDocument } from './section.ts';

const root = new URL('../..', import.meta.url).pathname;
const documents = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'dashboard/docs')).map((name) => join('dashboard/docs', name)),
];
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('documentation', () => {
  it.each(generatedDocuments)('%s says what the program does; `npm run docs` writes it', async (name) => {
    expect(await readDocument(name)).toBe(await renderDocument(name));
  });

  it.each(documents)('%s links to documents and headings that exist', (path) => {
    for (const [, target = ''] of read(path).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [file = '', heading] = target.split('#');
      const found = file === '' ? path : join(dirname(path), file);
      expect(existsSync(join(root, found)), `${path} -> ${target}`).toBe(true);
      if (heading) expect(headingsOf(found), `${path} -> ${target}`).toContain(heading);
    }
  });

  it.each([
    ['README.md', 'dashboard/docs/readme.zh.md'],
    ['dashboard/docs/accounts.md', 'dashboard/docs/accounts.zh.md'],
    ['dashboard/docs/security.md', 'dashboard/docs/security.zh.md'],
  ])('%s has all its sections, commands and names in Chinese too', (english, chinese) => {
    expect(headingsOf(chinese).length).toBe(headingsOf(english).length);
    expect(commandsOf(chinese)).toEqual(commandsOf(english));
    const [names, namesZh] = [namesOf(english), namesOf(chinese)];
    expect([...names].filter((name) => !namesZh.has(name))).toEqual([]);
  });

  it.each(['dashboard/docs/security.md', 'dashboard/docs/security.zh.md'])('%s names tests that exist', (path) => {
    const named = [...read(path).matchAll(/`(tests\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('can be reached from the README, every page of it', () => {
    const readme = read('README.md');
    for (const path of documents.filter((name) => name.startsWith('dashboard'))) expect(readme).toContain(`(${path})`);
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

/** Lines of the code blocks, without what explains them. */
function commandsOf(path: string): string[] {
  const blocks = [...read(path).matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = '']) => text);
  return blocks.flatMap((text) => text.split('\n').map((line) => line.replace(/\s+# .*$/, '')));
}

/** Options, variables, routes and their like in the text. */
function namesOf(path: string): Set<string> {
  const text = read(path).replace(/^```.*?^```/gms, '');
  return new Set(
    [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).filter((name) => !name.includes('VALUE')),
  );
}
