import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const page = readFileSync(`${root}/tests/spec/statements.md`, 'utf8');
const known = new Set([...page.matchAll(/^- \*\*([A-Z]-?\d+)\*\* \S/gm)].map(([, code]) => code));

const code = /\b(?:[AG]-\d{3}|[MRDSBF]\d{1,3})\b/g;
/** A comment, or the title of a test: elsewhere such a word is a value. */
const place = /(?:^|\s)(?:\/\/|\/?\*)\s.*|\b(?:it|describe|test)(?:\.\w+)*\(\s*(['"`]).*?\1/g;
const notCodes = new Set(['S256']);

describe('the codes of statements', () => {
  const files = ['core', 'cli', 'dashboard/src', 'migrations', 'tests', 'bin'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|cts)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );

  it('are on the page of statements wherever a comment or a test title names one', () => {
    const unknown = files.flatMap((file) =>
      [...readFileSync(`${root}/${file}`, 'utf8').matchAll(place)]
        .flatMap(([text]) => text.match(code) ?? [])
        .filter((name) => !known.has(name) && !notCodes.has(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are each given once', () => {
    const all = [...page.matchAll(/^- \*\*([A-Z]-?\d+)\*\*/gm)].map(([, name]) => name);
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
    expect(all.length).toBeGreaterThan(700);
  });
});
