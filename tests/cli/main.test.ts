import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliHome, createCliHome, runCli } from '../support/run-cli.ts';

describe('command line', () => {
  let home: CliHome;
  beforeAll(() => {
    home = createCliHome();
  });
  afterAll(() => home.remove());

  it('names every noun in its help, in the language asked for', async () => {
    const english = await runCli('--help');
    // Every command is in a group.
    expect(english.stdout).not.toContain('\nCommands:');
    expect(english.code).toBe(0);
    for (const noun of ['init', 'demo', 'serve', 'channel', 'token', 'user', 'option', 'log', 'ledger', 'doctor']) {
      expect(english.stdout).toContain(`  ${noun} `);
    }
    expect((await runCli('--help --language zh')).stdout).toContain('用法：');
    expect((await runCli('--help', { env: { LC_ALL: 'zh_CN.UTF-8' } })).stdout).toContain('启动服务器');
  });

  it('lists the choices of a flag in the language asked for, and not twice', async () => {
    const flagOf = async (words: string, flag: string) => {
      const text = (await runCli(`${words} --help`)).stdout.replace(/\s+/g, ' ');
      return text.slice(text.lastIndexOf(flag)).split(' --')[0];
    };
    expect(await flagOf('limit create --language zh', '--per ')).toContain('（hour, day, week, month）');
    expect(await flagOf('limit create', '--per ')).toContain('LimitTimeZone (hour, day, week, month)');
    for (const words of ['serve', 'serve --language zh'])
      expect((await runCli(`${words} --help`)).stdout).not.toContain('choices');
    expect(await flagOf('serve', '--color ')).toBe('--color <when> color output: auto, always, or never');
  });

  it('shows the help of a noun without a verb and ends well', async () => {
    const run = await runCli('channel');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('create [options]');
    expect(run.stderr).toBe('');
  });

  it('prints no help where only JSON was asked for', async () => {
    for (const words of ['--json', 'channel --json', 'channel tag --json', 'db --json --no-input']) {
      const run = await home.run(words);
      expect([run.code, run.stdout], words).toEqual([2, '']);
      expect(JSON.parse(run.stderr), words).toMatchObject({
        error: { code: 'cli.usage', message: '<command> is missing', hint: expect.stringContaining('--help') },
      });
    }
    expect((await home.run('channel --help --json')).stdout).toContain('create [options]');
  });

  it('refuses a wrong flag, and help for a command there is none of, instead of showing the help of all', async () => {
    for (const words of ['help chanel', '--languge zh', '--language', '--language fr', 'help channel lst']) {
      const run = await home.run(words);
      expect([run.code, run.stdout], words).toEqual([2, '']);
    }
    expect((await home.run('help chanel')).stderr).toContain('did you mean channel?');
    expect((await home.run('help channel lst')).stderr).toContain('did you mean list?');
    expect((await home.run('help channel list')).stdout).toBe((await home.run('channel list --help')).stdout);
    expect((await home.run('help channel')).stdout).toBe((await home.run('channel --help')).stdout);
    expect((await home.run('help')).stdout).toBe((await home.run('--help')).stdout);
  });

  it('names the help that lists the flag that was meant', async () => {
    for (const [words, help] of [
      ['channel update 1 --priority abc', 'tollgate channel update --help'],
      ['token list --nmae x', 'tollgate token list --help'],
      ['channel nope', 'tollgate channel --help'],
      ['nope', 'tollgate --help'],
    ] as const) {
      const { code, stderr } = await home.run(words);
      expect([code, stderr.trim().split('\n').at(-1)]).toEqual([2, `  see: ${help}`]);
    }
  });

  it('puts an example above the flags', async () => {
    const { stdout } = await runCli('channel create --help');
    expect(stdout.indexOf('tollgate channel create --type openai')).toBeLessThan(stdout.indexOf('--type <type>'));
  });

  it('says which flags are required', async () => {
    const { stdout } = await runCli('user create --help');
    expect(stdout).toMatch(/--name <text> +username \(required\)\n/);
    expect((await runCli('token create --help --language zh')).stdout).toMatch(/--name <text> .*（必填）\n/);
  });

  it('does not draw the terminal UI where the cursor cannot be moved', async () => {
    const run = await home.run('tui', { typed: [], env: { TERM: 'dumb' } });
    expect(run.code).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain('TERM=dumb');
  });

  it('shows its help and refuses to guess when it is alone without a terminal', async () => {
    const run = await home.run('');
    expect(run.code).toBe(2);
    expect(run.stdout).toContain('Usage:');
  });

  it('names a default group only where one is given, and every type of log row', async () => {
    const help = async (words: string) => (await runCli(`${words} --help`)).stdout.replace(/\s+/g, ' ');
    expect(await help('channel create')).toContain('--group <names> group, or several separated by commas (default)');
    for (const words of ['channel update', 'channel tag update'])
      expect(await help(words)).toMatch(/--group <names> group, or several separated by commas --/);
    for (const words of ['channel list', 'log list', 'log stat'])
      expect(await help(words)).toContain('--group <name> only this group');
    expect(await help('log list')).toContain('system, error, or test (1 to 5, 9)');
  });

  it('says what a wrong value could have been, and what a step without a terminal asked for', async () => {
    await home.run('db migrate');
    for (const [words, told] of [
      ['log list --type foo', 'type "foo": one of top-up, consume, manage, system, error, test'],
      ['log list --type foo --language zh', 'type "foo": 应为以下之一：top-up'],
      ['channel list --status foo', 'status "foo": one of enabled, disabled, auto-disabled'],
      ['task wait 1 --timeout soon', '--timeout "soon": a time such as 30s, 10m, 2h, or 1d'],
      ['group remove vip', 'there is no terminal to ask for it: Delete the group vip?\n'],
    ])
      expect((await home.run(words ?? '')).stderr).toContain(told);
  });

  it('names the nearest word for a wrong command and for a wrong flag', async () => {
    const command = await runCli('chanel list');
    expect(command.code).toBe(2);
    expect(command.stderr).toBe('tollgate: unknown command "chanel"; did you mean channel?\n  see: tollgate --help\n');
    const flag = await runCli('channel list --stauts 1');
    expect(flag.code).toBe(2);
    expect(flag.stderr).toContain('unknown flag --stauts; did you mean --status?');
    const verb = await runCli('token lst');
    expect(verb.code).toBe(2);
    expect(verb.stderr).toContain('did you mean list?');
  });

  it('says what is missing', async () => {
    expect((await runCli('channel create --name x --models y')).stderr).toContain('the flag --type <type> is required');
    expect((await runCli('channel get')).stderr).toContain('<channels> is missing');
    expect((await runCli('channel list --page')).stderr).toContain('the flag --page <number> needs a value');
    expect((await runCli('version extra')).stderr).toContain('too many arguments');
    expect((await runCli('version extra --language zh')).stderr).toContain('参数过多');
  });

  it('prints errors as one JSON line when asked', async () => {
    const run = await home.run('channel get 12 --json');
    expect(run.code).toBe(3);
    expect(run.stdout).toBe('');
    expect(JSON.parse(run.stderr)).toEqual({
      error: {
        code: 'object.notFound',
        message: 'channel 12 not found',
        hint: 'see the list with: tollgate channel list',
      },
    });
  });

  it('shows the cause of an error only when asked', async () => {
    const quiet = await runCli('config show', { env: { PORT: 'high', TOLLGATE_HOME: home.directory } });
    expect(quiet.code).toBe(2);
    expect(quiet.stderr).toBe('tollgate: PORT is "high"; it must be a whole number from 0 to 65535\n');
    const loud = await runCli('config show --verbose', { env: { PORT: 'high', TOLLGATE_HOME: home.directory } });
    expect(loud.stderr).toContain('at ');
  });

  it('knows the short verbs', async () => {
    await home.run('db migrate');
    expect((await home.run('channel ls --json')).json()).toMatchObject({ items: [], total: 0 });
    expect((await home.run('channel rm 1')).stderr).toContain('channel 1 not found');
  });

  it('names the data folder in the commands it proposes, so that they meet the same installation', async () => {
    const missing = await runCli(['--data-dir', home.directory, 'channel', 'get', '12']);
    expect(missing.stderr).toContain(`see the list with: tollgate --data-dir ${home.directory} channel list`);
    const odd = await runCli(['channel', 'get', '12', '--data-dir', `${home.directory}/it's here`]);
    expect(odd.stderr).toContain(`--data-dir '${home.directory}/it'\\''s here' channel list`);
    expect((await home.run('channel get 12')).stderr).toContain('see the list with: tollgate channel list');
  });

  it('prints its version as text and as JSON', async () => {
    expect((await runCli('version')).stdout).toMatch(/^tollgate \d+\.\d+\.\d+ \(Node\.js /);
    expect((await runCli('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await runCli('version --json')).json()).toEqual({
      version: expect.stringMatching(/^\d/),
      node: process.versions.node,
      platform: expect.any(String),
    });
  });

  it('tells that the database cannot be reached', async () => {
    const env = { SQL_DSN: 'postgres://nobody@127.0.0.1:1/none' };
    const run = await home.run('channel list', { env });
    expect(run.code).toBe(7);
    expect(run.stderr).toMatch(/^tollgate: Cannot connect to the database: /);
  });

  it('refuses MySQL and SQLite with several workers before anything is opened', async () => {
    expect(await home.run('channel list', { env: { SQL_DSN: 'root:x@tcp(db)/oneapi' } })).toMatchObject({ code: 2 });
    const workers = await home.run('serve --workers 2');
    expect(workers.code).toBe(2);
    expect(workers.stderr).toContain('multiple workers need PostgreSQL');
  });

  it('shows where each setting comes from and hides what is secret', async () => {
    const env = { PORT: '4000', CRYPTO_SECRET: 'very-secret', REDIS_CONN_STRING: 'redis://:hidden@127.0.0.1:6379/0' };
    const { stdout } = await home.run('config show', { env });
    expect(stdout).toContain('PORT\t4000\tenvironment\n');
    expect(stdout).toContain('HOST\t127.0.0.1\tdefault\n');
    expect(stdout).not.toContain('very-secret');
    expect(stdout).not.toContain('hidden');
    expect(stdout).not.toContain('correct horse');
  });
});
