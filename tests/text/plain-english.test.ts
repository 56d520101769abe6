import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** They hide who does something (write the user, the caller, the process), or are out of use. */
const vagueWord = /\b(?:whoever|somebody|nobody|anybody|anew|for ever)\b/i;
/** American spelling only. Vendors' `cancelled` and CSS's own names are not comments, titles or texts of ours. */
const britishWord =
  /\b(?:(?:colou|favou|honou|neighbou|behaviou|flavou)r\w*|licences?|(?:cancel|label|model|travel|signal)l(?:ed|ing)|centres?|catalogues?|greys?|judgements?|defences?|offences?|analys(?:e|ed|es|ing)|(?:normal|initial|serial|synchron|organ|recogn|optim|author|summar)is(?:e|ed|es|ing|ation))\b/i;

/** In names, also inside them: `statusColour`. */
const britishName = /\w*(?:[cC]olour|[bB]ehaviour|[jJ]udgement|[cC]atalogue|[fF]avour)\w*/g;

/** A line with a reason to hold such a word. */
const allowed: Record<string, string[]> = {
  // The function and method are named so; a comment refers to them.
  'core/wire/openai-chat/tool-call-slots.ts': ['As `normalise`'],
};

const sources = ['bin', 'cli', 'core', 'dashboard/src', 'migrations', 'tests'].flatMap((folder) =>
  filesIn(join(root, folder), /\.(?:cts|tsx?)$/),
);
const texts = ['core/text/en', 'dashboard/src/i18n/en'].flatMap((folder) => filesIn(join(root, folder), /\.json$/));

describe('plain English', () => {
  it('is what comments and test titles are written in', () => {
    expect(sources.length).toBeGreaterThan(1000);
    expect(sources.flatMap((file) => faultsOf(file, proseOf(readFileSync(file, 'utf8'))))).toEqual([]);
  });

  it('is what texts are written in', () => {
    expect(texts.length).toBeGreaterThan(40);
    expect(texts.flatMap((file) => faultsOf(file, stringsOf(JSON.parse(readFileSync(file, 'utf8')))))).toEqual([]);
  });

  it('writes the name of LINUX DO as LINUX DO does', () => {
    const all = [...texts, ...texts.map((file) => file.replace('/en/', '/zh/'))];
    const names = all.flatMap((file) => readFileSync(file, 'utf8').match(/linux ?do(?= )/gi) ?? []);
    expect(new Set(names)).toEqual(new Set(['LINUX DO']));
  });

  it('writes token in small letters in Chinese, where it is a loan word', () => {
    const chinese = texts.map((file) => file.replace('/en/', '/zh/'));
    const found = chinese.flatMap((file) => stringsOf(JSON.parse(readFileSync(file, 'utf8'))));
    expect(found.length).toBeGreaterThan(3000);
    expect(found.filter((text) => /(?<![A-Za-z])Token(?![A-Za-z])/.test(text))).toEqual([]);
  });

  it.each([
    ['a comment', '  // For whoever reads it.'],
    ['a block', '/**\n * Nobody waits.\n */'],
    ['the end of a line', 'const a = 1; // the colour of a row'],
    ['a title', "  it('bills nobody', () => {"],
    ['a title behind a table', "  ])('is cancelled by %s', () => {"],
  ])('is checked in %s', (_where, source) => {
    expect(faultsOf(join(root, 'core/x.ts'), proseOf(source))).toHaveLength(1);
  });

  it('is what names are written in', () => {
    const found = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(britishName)].map(([name]) => `${relative(root, file)}: ${name}`),
    );
    expect(found.filter((line) => !line.startsWith('tests/text/plain-english.test.ts'))).toEqual([]);
  });

  it('says nothing of identifiers and of values', () => {
    expect(faultsOf(join(root, 'core/x.ts'), proseOf("const nobody = user('nobody', { colour });"))).toEqual([]);
  });
});

function faultsOf(file: string, prose: string[]): string[] {
  const path = relative(root, file);
  if (path === 'tests/text/plain-english.test.ts') return [];
  const reasons = allowed[path] ?? [];
  return prose
    .filter((line) => vagueWord.test(line) || britishWord.test(line))
    .filter((line) => !reasons.some((reason) => line.includes(reason)))
    .map((line) => `${path}: ${line.trim()}`);
}

/** Comments, and the titles of tests. */
function proseOf(source: string): string[] {
  return source.split('\n').flatMap((line) => {
    const comment = /(?:^|\s)\/\/ .*|\/\*.*|^\s*\* .*/.exec(line)?.[0];
    const title = /(?:\b(?:it|test|describe)(?:\.\w+)?|^\s*\]\))\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)/.exec(line);
    return [comment, title?.[1] ?? title?.[2]].filter((prose) => prose !== undefined);
  });
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

function filesIn(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path) && !path.includes('fixtures/'))
    .map((path) => join(folder, path));
}
