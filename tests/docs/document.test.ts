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
