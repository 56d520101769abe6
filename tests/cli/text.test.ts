import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sentences } from '../../cli/text.ts';
import { catalog } from '../../core/errors/catalog.ts';

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

/** Keys that are put together: the kinds of a price line, and how a check of the doctor went. */
const composed = /^receipt\.|^doctor\.(ok|warn|fail)$/;

function sourceText(folder: string): string {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter(({ name }) => name !== 'text')
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? sourceText(path) : readFileSync(path, 'utf8');
    })
    .join('\n');
}

describe('sentences of the command line', () => {
  it('are there in English and Chinese and name the same things in both', () => {
    for (const [key, { en, zh }] of Object.entries(sentences)) {
      expect(en.trim() && zh.trim(), key).not.toBe('');
      expect(placeholders(zh), key).toEqual(placeholders(en));
    }
  });

  it('are all used', () => {
    const source = sourceText(new URL('../../cli', import.meta.url).pathname);
    const unused = Object.keys(sentences).filter((key) => !composed.test(key) && !source.includes(`'${key}'`));
    expect(unused).toEqual([]);
  });

  it('come with hints that name the same things in both languages', () => {
    for (const [code, entry] of Object.entries(catalog)) {
      if ('hint' in entry) expect(placeholders(entry.hint.zh), code).toEqual(placeholders(entry.hint.en));
    }
  });
});
