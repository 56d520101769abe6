import { beforeAll, describe, expect, it } from 'vitest';
import { nouns } from '../../../cli/commands/registry.ts';
import { commandTree, examplesOf, type TreeCommand } from '../../support/command-tree.ts';
import { runCli } from '../../support/run-cli.ts';

let english: TreeCommand[];
let chinese: TreeCommand[];
beforeAll(async () => {
  english = await commandTree('en');
  chinese = await commandTree('zh');
});

const han = /\p{Script=Han}/u;
/** Names, numbers and words one types are the same in both languages. */
const isWord = (text: string) => /^[\w<>:/.,|()…-]+$/.test(text);

/** What is said of a command, its arguments and its flags. */
function textsOf({ name, command }: TreeCommand): [what: string, text: string][] {
  return [
    [name, command.description()],
    ...command.registeredArguments.map((argument): [string, string] => [
      `${name} <${argument.name()}>`,
      argument.description,
    ]),
    ...command.options
      .filter(({ hidden }) => !hidden)
      .map((flag): [string, string] => [`${name} ${flag.long}`, flag.description]),
  ];
}

describe('the command tree', () => {
  it('says of each command, argument and flag what it is, in English and Chinese', () => {
    const pairs = english.flatMap((entry, index) => {
      const other = textsOf(chinese[index] as TreeCommand);
      return textsOf(entry).map(([what, text], part) => ({ what, text, other: other[part]?.[1] ?? '' }));
    });
    expect(pairs.length).toBeGreaterThan(150);
    const bad = pairs.filter(({ text, other }) => {
      if (text.trim() === '' || other.trim() === '' || han.test(text)) return true;
      return !han.test(other) && !(isWord(text) && text === other);
    });
    expect(bad).toEqual([]);
  });

  it('promises no default for what an update leaves as it is, nor for a filter that is left out', () => {
    const changes = english.filter(({ name }) => /(^| )(update|list|export|stat)$/.test(name));
    const defaults = changes.flatMap(({ name, command }) =>
      command.options
        .filter(({ description }) => /\((default|never|on|0)\)$|\(default: /.test(description))
        .map(({ long, description }) => `${name} ${long}: ${description}`),
    );
    expect(defaults).toEqual([]);
  });

  it('says of an argument that is one name that it is one', () => {
    const one = english.flatMap(({ name, command }) =>
      command.registeredArguments
        .filter(({ variadic, description }) => !variadic && /^(IDs|names)\b/.test(description))
        .map(({ description }) => `${name}: ${description}`),
    );
    expect(one).toEqual([]);
  });

  it('names every verb in the line of its noun', () => {
    const nounsOf = (tree: TreeCommand[]) => tree.filter(({ command }) => command.commands.length > 0);
    const withVerbs = nounsOf(english).map(({ name, command }, index) => {
      const other = nounsOf(chinese)[index]?.command.description().split('：').at(-1) ?? '';
      return { name, verbs: command.commands.map((verb) => verb.name()), shown: command.description(), other };
    });
    const silent = withVerbs.flatMap(({ name, verbs, shown }) =>
      verbs.filter((verb) => !new RegExp(`(^|[ ,])${verb}($|[ ,:])`).test(shown)).map((verb) => `${name} ${verb}`),
    );
    expect(silent).toEqual([]);
    const short = withVerbs.filter(({ verbs, other }) => verbs.length > 1 && other.split('、').length < verbs.length);
    expect(short.map(({ name }) => name)).toEqual([]);
  });

  it('begins the help of whatever takes a word or a choice with an example that it would accept', () => {
    const wanted = english.filter(
      ({ command, isRun }) =>
        isRun && (command.registeredArguments.some(({ required }) => required) || command.options.length > 2),
    );
    const without = wanted.filter(({ command }) => examplesOf(command).length === 0).map(({ name }) => name);
    expect(without).toEqual([]);
    for (const { name, command } of english) {
      const flags = command.options.flatMap(({ long, short }) => [long, short]);
      for (const line of examplesOf(command)) {
        expect(line, name).toContain(`tollgate ${name}`);
        const own = line.replace(/'[^']*'|"[^"]*"/g, 'text').split(/[|<>]/)[0] ?? '';
        for (const [flag] of own.matchAll(/(?<= )(--[a-z][a-z-]*|-[a-z])(?=[ =]|$)/g))
          expect([...flags, '--json', '--fields', '--yes', '--no-input'], `${name}: ${line}`).toContain(flag);
      }
    }
  });

  it('asks before what cannot be undone, and lets a script say yes', () => {
    const destructive = english.filter(
      ({ name, isRun }) => isRun && / (remove|clear|reset|import|restore)$/.test(name),
    );
    expect(destructive.length).toBeGreaterThan(4);
    const without = destructive.filter(({ command }) => !command.options.some(({ long }) => long === '--yes'));
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it('pages every list that can be long, and names its flags alike everywhere', () => {
    const meanings = new Map<string, Set<string>>();
    for (const { command } of english)
      for (const { long, short } of command.options)
        if (short) meanings.set(short, (meanings.get(short) ?? new Set()).add(long ?? ''));
    for (const [short, longs] of meanings) expect([short, [...longs]]).toEqual([short, [[...longs][0]]]);
    for (const { name, command } of english) {
      const flags = command.options.map(({ long }) => long);
      expect([name, flags.includes('--page')]).toEqual([name, flags.includes('--page-size')]);
    }
  });

  it('shows the help of every noun that is alone, and ends well', async () => {
    for (const { name, isRun } of english.filter(({ name }) => !name.includes(' '))) {
      if (isRun) continue;
      const run = await runCli(name);
      expect({ name, code: run.code, stderr: run.stderr }).toEqual({ name, code: 0, stderr: '' });
      expect(run.stdout).toContain(`Usage: tollgate ${name} `);
    }
  });

  it('shows the help of every command in either language, without opening anything', async () => {
    for (const { name } of english) {
      for (const [language, title] of [
        ['en', 'Usage:'],
        ['zh', '用法：'],
      ] as const) {
        const run = await runCli(`${name} --help --language ${language}`, {
          env: { TOLLGATE_HOME: '/nowhere/at/all' },
        });
        expect({ name, code: run.code, stderr: run.stderr }).toEqual({ name, code: 0, stderr: '' });
        expect(run.stdout).toContain(title);
      }
    }
  });

  it('knows ls, rm and new for list, remove and create, and keeps quiet about them', async () => {
    for (const [short, verb] of [
      ['ls', 'list'],
      ['rm', 'remove'],
      ['new', 'create'],
    ]) {
      for (const { name } of english.filter(({ name }) => name.endsWith(` ${verb}`))) {
        const parent = name.slice(0, name.lastIndexOf(' '));
        const run = await runCli(`${parent} ${short} --help`);
        expect(run.code).toBe(0);
        expect(run.stdout).toContain(`Usage: tollgate ${name} `);
        expect((await runCli(`${parent} --help`)).stdout).not.toMatch(new RegExp(`^ +${short}\\b`, 'm'));
      }
    }
  });

  it('names the nearest word for a wrong one, at both levels', async () => {
    for (const { name } of english) {
      const typed = `${name}x`;
      const run = await runCli(typed);
      expect({ typed, code: run.code, stdout: run.stdout }).toEqual({ typed, code: 2, stdout: '' });
      expect(run.stderr).toContain('did you mean');
      expect(run.stderr).toContain(name.split(' ').at(-1));
    }
  });

  it('lists every noun in the help of the program', async () => {
    const { stdout } = await runCli('--help');
    for (const name of Object.keys(nouns)) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  });
});
