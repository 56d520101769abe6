import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completionScripts, shells } from '../../cli/complete/script.ts';
import { binaryPath } from '../support/built-binary.ts';
import { type CliHome, createCliHome, runCli } from '../support/run-cli.ts';

let home: CliHome;
beforeAll(async () => {
  home = createCliHome();
  const make = (name: string, models: string) =>
    home.run(['channel', 'create', '--type', 'openai', '--name', name, '--models', models, '--key-stdin'], {
      stdin: 'key',
    });
  await make('main one', 'gpt-4o,gpt-4o-mini,qwen:7b');
  await make('主渠道', 'gpt-4o');
  await make("it's $(touch pwned)", 'gpt-4o');
  await home.run('token create --name nightly --group vip');
});
afterAll(() => home.remove());

/** The texts before the tabs of the suggestions. */
async function completionsFor(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await home.run(['complete', '--', ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0] ?? '');
}

describe('completion', () => {
  it('names nouns, verbs and flags, each with what it does', async () => {
    expect(await completionsFor('ch')).toContain('channel');
    expect(await completionsFor('channel', '')).toEqual(expect.arrayContaining(['list', 'create', 'remove']));
    expect(await completionsFor('help', 'tok')).toEqual(['token']);
    expect(await completionsFor('channel', 'list', '--sta')).toEqual(['--status']);
    expect(await completionsFor('channel', 'ls', '--sta')).toEqual(['--status']);
    expect(await completionsFor('channel', 'list', '--lang')).toEqual(['--language']);
    expect(await completionsFor('channel', 'list', '--status', 'enabled', '--sta')).toEqual([]);
    expect((await home.run(['complete', '--', 'channel', 'rem'])).stdout).toMatch(/^remove\t\S/);
    expect((await home.run(['complete', '--', 'channel', 'rem'], { env: { LC_ALL: 'zh_CN.UTF-8' } })).stdout).toMatch(
      /^remove\t.*\p{Script=Han}/u,
    );
  });

  it('names values of flags: types, statuses, languages, cards, files', async () => {
    expect(await completionsFor('channel', 'create', '--type', 'anth')).toEqual(['anthropic']);
    expect(await completionsFor('channel', 'create', '--type=anth')).toEqual(['--type=anthropic']);
    expect(await completionsFor('channel', 'list', '--status', 'a')).toEqual(['auto-disabled']);
    expect(await completionsFor('log', 'list', '--type', 'c')).toEqual(['consume']);
    const types = ['top-up', 'consume', 'manage', 'system', 'error', 'test'];
    expect((await completionsFor('log', 'list', '--type', '')).sort()).toEqual(types.sort());
    expect(await completionsFor('channel', 'list', '--language', '')).toEqual(['zh', 'en']);
    expect(await completionsFor('option', 'list', '--card', 'pay')).toEqual(['payment']);
    expect(await completionsFor('option', 'set', 'RetryT')).toEqual(['RetryTimes']);
    expect(await completionsFor('channel', 'create', '--key-file', '')).toEqual([':files']);
    expect(await completionsFor('completion', '')).toEqual([...shells]);
  });

  it('names what the installation contains: channels, tokens, users, models, groups', async () => {
    expect(await completionsFor('channel', 'get', '')).toEqual(["it's $(touch pwned)", 'main one', '主渠道']);
    expect(await completionsFor('channel', 'disable', 'main one', '主')).toEqual(['主渠道']);
    expect(await completionsFor('token', 'remove', 'n')).toEqual(['nightly']);
    expect(await completionsFor('user', 'reset-password', 'r')).toEqual(['root']);
    expect(await completionsFor('channel', 'list', '--group', '')).toEqual(['default', 'vip', 'svip']);
    expect(await completionsFor('token', 'create', '--models', 'gpt-4o,q')).toEqual(['gpt-4o,qwen:7b']);
  });

  it('takes what behind -- looks like a flag for an argument', async () => {
    expect(await completionsFor('channel', 'get', '--', '--')).toEqual([]);
    expect(await completionsFor('channel', 'get', '--', 'main')).toEqual(['main one']);
  });

  it('counts an empty last word that a shell lost on the way', async () => {
    const run = await home.run(['complete', '2', '--', 'channel']);
    expect(run.stdout).toContain('list\t');
    expect((await home.run(['complete', 'x', '--', 'channel'])).stdout).toBe('');
  });

  it('makes nothing, and says nothing about what is wrong', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-nowhere-'));
    try {
      const places: Record<string, string>[] = [
        { TOLLGATE_HOME: join(folder, 'none') },
        { TOLLGATE_HOME: folder, SQL_DSN: 'postgres://nobody@127.0.0.1:1/none' },
        { TOLLGATE_HOME: folder, SQL_DSN: 'mysql://x' },
      ];
      for (const env of places) {
        const run = await runCli(['complete', '--', 'channel', 'get', ''], { env });
        expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' });
      }
      expect(readdirSync(folder)).toEqual([]);
      writeFileSync(join(folder, 'tollgate.db'), 'no database at all, but long enough to be read as one'.repeat(40));
      const broken = await runCli(['complete', '--', 'channel', 'get', ''], { env: { TOLLGATE_HOME: folder } });
      expect(broken).toMatchObject({ code: 0, stdout: '', stderr: '' });
      expect(readdirSync(folder)).toEqual(['tollgate.db']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('leaves no trace in the data directory', async () => {
    const before = readdirSync(home.directory);
    await completionsFor('channel', 'get', '');
    expect(readdirSync(home.directory)).toEqual(before);
  });
});

describe('the completion scripts', () => {
  let folder: string;
  beforeAll(() => {
    // A program of this name on the path, as an installation has it.
    folder = mkdtempSync(join(tmpdir(), 'tollgate-shell-'));
    const program = join(folder, 'tollgate');
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${binaryPath()}" "$@"\n`);
    chmodSync(program, 0o755);
    for (const shell of shells) writeFileSync(join(folder, `tollgate.${shell}`), completionScripts[shell]);
    writeFileSync(join(folder, 'key.txt'), '');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a shell on a script of ours, in the folder with the program. */
  function shell(name: string, flags: string[], script: string): string {
    const env = { ...home.env, PATH: `${folder}:${process.env.PATH}`, LC_ALL: 'C.UTF-8', HOME: folder };
    return execFileSync(name, [...flags, '-c', script], { cwd: folder, env, encoding: 'utf8', timeout: 120_000 });
  }

  it('come from the command, one for each shell, and no other is promised', async () => {
    for (const name of shells) expect((await runCli(['completion', name])).stdout).toBe(completionScripts[name]);
    const wrong = await runCli('completion tcsh');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('bash, zsh, fish, powershell');
  });

  it('are what their shell can read', () => {
    shell('bash', ['-n'], completionScripts.bash);
    shell('zsh', ['-n'], completionScripts.zsh);
    shell('fish', ['-n'], completionScripts.fish);
  });

  it('work in bash, with its quoting and word splitting', () => {
    // Each case: the line as typed, and the words as bash hands them over.
    const cases: [line: string, words: string[], completionsFor: string[]][] = [
      ['tollgate chan', ['tollgate', 'chan'], ['channel']],
      ['tollgate channel get m', ['tollgate', 'channel', 'get', 'm'], ['main\\ one']],
      ['tollgate channel get "m', ['tollgate', 'channel', 'get', '"m'], ['main one']],
      ['tollgate channel get "it', ['tollgate', 'channel', 'get', '"it'], []],
      ['tollgate channel get it', ['tollgate', 'channel', 'get', 'it'], ["it\\'s\\ \\$\\(touch\\ pwned\\)"]],
      ['tollgate log list --type=co', ['tollgate', 'log', 'list', '--type', '=', 'co'], ['consume']],
      ['tollgate channel list --model qwen:', ['tollgate', 'channel', 'list', '--model', 'qwen', ':'], ['7b']],
      ['tollgate channel create --key-file ke', ['tollgate', 'channel', 'create', '--key-file', 'ke'], ['key.txt']],
      ['tollgate channel get $(touch run) m', ['tollgate', 'channel', 'get', '$(touch run)', 'm'], ['main\\ one']],
    ];
    const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const calls = cases.map(
      ([line, words]) =>
        `COMP_LINE=${quoted(line)} COMP_POINT=${line.length} COMP_CWORD=${words.length - 1}; COMP_WORDS=(${words.map(quoted).join(' ')}); _tollgate_complete; printf '%s|' "\${COMPREPLY[@]}"; echo`,
    );
    // Read twice, as a shell whose settings are read again does.
    const printed = shell('bash', [], ['. ./tollgate.bash', '. ./tollgate.bash', ...calls].join('\n'));
    const lists = printed.trimEnd().split('\n');
    expect(lists.map((list) => list.split('|').filter(Boolean))).toEqual(cases.map(([, , expected]) => expected));
    expect(existsSync(join(folder, 'run'))).toBe(false);
  });

  it('work in zsh', () => {
    const script = `
      compdef() { :; }
      _files() { print FILES }
      compadd() { local name=$@[-1]; print -rl -- \${(P)name} }
      tab() { local -a words; words=("$@"); local CURRENT=$#words PREFIX=$words[-1]; _tollgate }
      . ./tollgate.zsh
      tab tollgate chan; tab tollgate channel get m; tab tollgate log list --type=co; tab tollgate channel create --key-file k`;
    expect(shell('zsh', ['-f'], script)).toBe('channel\nmain one\n--type=consume\nFILES\n');
  });

  it('work in fish', () => {
    const lines = ['tollgate chan', 'tollgate channel get "m', 'tollgate log list --type=co'];
    const script = ['source ./tollgate.fish', ...lines.map((line) => `complete -C '${line}'`)].join('\n');
    const printed = shell('fish', ['--no-config'], script);
    expect(printed.replace(/\t.*/g, '')).toBe('channel\nmain one\n--type=consume\n');
  });
});
