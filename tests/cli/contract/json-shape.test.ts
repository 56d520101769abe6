import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isJsonObject } from '../../../core/lib/json-value.ts';
import { commandTree, type TreeCommand } from '../../support/command-tree.ts';
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream.ts';
import { createSeededHome, type SeededHome, wholeWords } from './seeded-home.ts';

const commands: TreeCommand[] = (await commandTree('en')).filter(({ isRun }) => isRun);

/** Commands that print no JSON of their own, or not without a server; the tests of each say what they print. */
const withoutShape: Record<string, string> = {
  serve: 'runs until it is stopped',
  demo: 'runs a server',
  tui: 'draws screens',
  chat: 'needs a server',
  'log follow': 'runs until it is stopped',
  'log archive': 'writes a folder',
  'log unarchive': 'needs an archive',
  'log bring-back': 'needs a log database',
  completion: 'prints a script',
  'db export': 'writes a folder',
  'db import': 'needs the database of another program',
  'db move': 'needs a second database',
  'db restore': 'needs a copy',
  'task cancel': 'needs a running job and its provider',
  'drawing cancel': 'needs a running job and its provider',
  'user demote': 'needs an administrator; answers as user promote',
  'user disable-2fa': 'needs an account that uses it',
};

/** Arguments that make the output meaningful. */
const words: Record<string, string[]> = {
  'channel enable': ['main'],
  'channel disable': ['main'],
  'channel remove': ['main'],
  'channel balance': ['main'],
  'channel tag update': ['--priority', '3'],
  'token update': ['--quota', '7', '--yes'],
  'user update': ['--group', 'vip'],
  'redemption update': ['--name', 'autumn'],
  'redemption remove': ['1'],
  'option set': ['3'],
  'option reset': ['RetryTimes'],
  'pricing set': ['--input', '$1'],
};

describe('what --json prints', () => {
  let home: SeededHome;
  let upstream: FakeUpstream;
  beforeAll(async () => {
    upstream = await startFakeUpstream();
    home = await createSeededHome(upstream.url);
  }, 60_000);
  afterAll(async () => {
    home?.remove();
    await upstream?.close();
  });

  it('has the same fields of the same types as ever, for every command', async () => {
    const shapes: Record<string, unknown> = {};
    const failed: object[] = [];
    for (const entry of commands.filter(({ name }) => !(name in withoutShape))) {
      home.restore();
      const yes = entry.command.options.some(({ long }) => long === '--yes') ? ['--yes'] : [];
      const line = [
        ...entry.name.split(' '),
        ...wholeWords(home, entry),
        ...(words[entry.name] ?? []),
        ...yes,
        '--json',
      ];
      const run = await home.run(line, { stdin: 'long enough 2' });
      // Checks that find something print JSON as well.
      if (run.stdout === '') failed.push({ line: line.join(' '), code: run.code, stderr: run.stderr.slice(0, 300) });
      else shapes[entry.name] = shapesOf(run.stdout);
    }
    expect(failed).toEqual([]);
    expect(Object.keys(withoutShape).filter((name) => !commands.some((entry) => entry.name === name))).toEqual([]);
    await expect(`${JSON.stringify(shapes, null, 2)}\n`).toMatchFileSnapshot('json-shape.snap');
  }, 180_000);
});

/** One value, or a line each for work of several steps. */
function shapesOf(stdout: string): unknown {
  const lines = stdout.split('\n').filter(Boolean);
  if (lines.every((line) => /^[{[].*[}\]]$/.test(line)) && lines.length > 1) {
    return lines.map((line) => shapeOf(JSON.parse(line) as unknown));
  }
  return shapeOf(JSON.parse(stdout) as unknown);
}

function shapeOf(value: unknown): unknown {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? [] : [value.map(shapeOf).reduce(merged)];
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]));
}

/** Of two items of a list: what either may have. */
function merged(one: unknown, other: unknown): unknown {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (isJsonObject(one) && isJsonObject(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return Object.fromEntries(
      keys.map((key) => [key, key in one && key in other ? merged(one[key], other[key]) : (one[key] ?? other[key])]),
    );
  }
  const types = [one, other].flatMap((shape) => (typeof shape === 'string' ? shape.split(' | ') : ['object']));
  return [...new Set(types)].sort().join(' | ');
}
