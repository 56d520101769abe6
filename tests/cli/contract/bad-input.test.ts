import type { Option } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTree, type TreeCommand } from '../../support/command-tree.ts';
import type { CliRun } from '../../support/run-cli.ts';
import { createSeededHome, type SeededHome, wholeWords } from './seeded-home.ts';

/** Whatever the flag means, none of these is a number, a time, a quota, a choice or a document. */
const nonsense = ['', 'nonsense', '--5', '9'.repeat(25), 'x'.repeat(20_000)];
/** Text that a name could be: it is refused, or found nowhere, or taken; nothing falls over. */
const oddText = ['\u001b[2Jodd', 'x'.repeat(20_000)];

const isText = ({ flags }: Option) =>
  /<(text|name|names|id|list|tag|user|token|channel|group|model|model>)>/.test(flags);

/** Nothing in the place of an address or a document takes it away. */
const clears = ({ flags }: Option) => /<(url|json)>/.test(flags);

/** They run until they are stopped, or need a server: only what they refuse at once is tried, the rest would not end. */
const endless = ['serve', 'demo', 'tui', 'log follow', 'chat'];
const startsServer = ['--host', '--log-dir'];
/** Any name is that of a folder that may be made. */
const newFolder = '--to';

const commands: TreeCommand[] = (await commandTree('en')).filter(({ isRun }) => isRun);

describe('a flag with a wrong value', () => {
  let home: SeededHome;
  beforeAll(async () => {
    home = await createSeededHome();
  }, 60_000);
  afterAll(() => home.remove());

  it.each(commands.filter(({ command }) => valueFlags(command.options).length > 0).map(({ name }) => name))(
    'is refused by %s with a sentence that names it, and nothing on standard output',
    async (name) => {
      home.restore();
      const entry = commands.find((one) => one.name === name) as TreeCommand;
      const problems: object[] = [];
      for (const flag of valueFlags(entry.command.options)) {
        if (startsServer.includes(flag.long ?? '') || flag.long === newFolder) continue;
        if (isText(flag) && endless.includes(name)) continue;
        for (const [index, value] of (isText(flag) ? oddText : nonsense).entries()) {
          const isJson = index % 2 === 1;
          const words = [...name.split(' '), ...wholeWords(home, entry, flag.long), `${flag.long}=${value}`];
          if (isJson) words.push('--json');
          const run = await home.run(words, { stdin: 'text' });
          const problem = problemOf(run, flag, value, isJson);
          if (run.code === 0) home.restore();
          if (problem)
            problems.push({ words: shown(words), problem, code: run.code, stderr: run.stderr.slice(0, 300) });
        }
      }
      expect(problems).toEqual([]);
    },
    120_000,
  );
});

function valueFlags(options: readonly Option[]): Option[] {
  return options.filter(({ required, hidden }) => required && !hidden);
}

function problemOf({ code, stdout, stderr }: CliRun, flag: Option, value: string, isJson: boolean): string | undefined {
  if (/\n\s+at /.test(stderr)) return 'shows a stack';
  if (code === 0 && (isText(flag) || (value === '' && clears(flag)))) return undefined;
  // A call that cannot be served is explained anyway.
  if (code === 3 && stderr.includes('/api/explain')) return undefined;
  // A channel that was asked for a model it cannot have was tested, and did not pass.
  if (stderr.includes('failed after')) return undefined;
  if (![2, 3, 5].includes(code)) return 'has another code than 2, 3 or 5';
  if (stdout !== '') return 'prints on standard output';
  const sentence = isJson ? readError(stderr) : /^tollgate: (.+)/.exec(stderr)?.[1];
  if (!sentence) return 'says nothing';
  if (stderr.length > 3000) return 'repeats all of it';
  return namesOf(flag, value).some((name) => sentence.toLowerCase().includes(name))
    ? undefined
    : 'names neither the flag nor the value';
}

function readError(stderr: string): string | undefined {
  const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
  return /^\w+\.\w+$/.test(error.code) ? error.message : undefined;
}

/** The flag, what it takes, the field of the API behind it, or the value itself. */
function namesOf({ long = '', flags }: Option, value: string): string[] {
  const word = long.slice(2);
  const place = /<(.*)>/.exec(flags)?.[1] ?? word;
  const field = word === 'models' ? 'model_limits' : word;
  const names = [long, place, field, word.replaceAll('-', '_'), word.replaceAll('-', ' ')];
  return value.trim() ? [...names, value.slice(0, 8)] : names;
}

const shown = (words: string[]) => words.map((word) => (word.length > 40 ? `${word.slice(0, 40)}…` : word)).join(' ');
