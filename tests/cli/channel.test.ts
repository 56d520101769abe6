import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../core/database/sqlite-connection.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';
import { json } from '../support/upstream-script.ts';

const secret = 'upstream-secret-0123456789';

describe('channel commands', () => {
  let home: CliHome;
  let upstream: FakeUpstream;

  beforeAll(async () => {
    home = createCliHome();
    upstream = await startFakeUpstream();
  });
  afterAll(async () => {
    await upstream.close();
    home.remove();
  });

  const create = (name: string, ...more: string[]) =>
    home.run(
      ['channel', 'create', '--type', 'openai', '--name', name, '--models', 'gpt-4o-mini', '--key-stdin', ...more],
      { stdin: `${secret}\n` },
    );

  it('creates a channel whose key is never shown again', async () => {
    const run = await create('main', '--base-url', `${upstream.url}/`, '--group', 'default,vip', '--json');
    expect(run.code).toBe(0);
    expect(run.stderr).toBe('');
    expect(run.json()).toMatchObject({
      id: 1,
      type: 1,
      name: 'main',
      key: '',
      status: 1,
      base_url: upstream.url,
      models: 'gpt-4o-mini',
      group: 'default,vip',
      priority: 0,
      weight: 0,
      auto_ban: 1,
    });
    for (const words of ['channel list --json', 'channel get main', 'channel get main --json']) {
      expect((await home.run(words)).stdout).not.toContain(secret);
    }
  });

  it('makes one channel for each line of the key input, or none with --dry-run', async () => {
    const words = [
      'channel',
      'create',
      '--type',
      '14',
      '--name',
      'batch',
      '--models',
      'claude-sonnet-4-5',
      '--key-stdin',
    ];
    const tried = await home.run([...words, '--dry-run'], { stdin: 'key-one\nkey-two\n' });
    expect(tried.stdout.match(/^channel\.create\t-\tname: batch/gm)).toHaveLength(2);
    expect(tried.stderr).toContain('2 changes would be made');
    expect(tried.stdout).not.toContain('key-one');
    const made = await home.run([...words, '--json'], { stdin: 'key-one\n\nkey-two\n' });
    const channels = made.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(channels.map(({ type }) => type)).toEqual([14, 14]);
    const list = await home.run('channel list --type anthropic --json --fields id,name');
    expect(list.json().items).toEqual([
      { id: 3, name: 'batch' },
      { id: 2, name: 'batch' },
    ]);
  });

  it('takes the key from a file, and refuses it among the words', async () => {
    const file = join(home.directory, 'key.txt');
    writeFileSync(file, `${secret}\n`);
    const words = ['channel', 'create', '--type', 'openai', '--name', 'filed', '--models', 'm'];
    expect((await home.run([...words, '--key-file', file])).stdout).toBe('channel 4 created: filed\n');
    expect((await home.run([...words, '--key-file', '/nowhere/key'])).code).toBe(2);
    const refused = await home.run([...words, '--key', secret]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--key-stdin, --key-file');
    expect(refused.stderr).not.toContain(secret);
    const missing = await home.run(words);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('there is no terminal to ask for it');
  });

  it('asks for the key on a terminal without showing it', async () => {
    const words = ['channel', 'create', '--type', 'openai', '--name', 'typed', '--models', 'm', '--group', 'vip'];
    const run = await home.run(words, { typed: [secret] });
    expect(run.code).toBe(0);
    expect(run.stderr).not.toContain(secret);
    expect(run.stderr).toContain('•••');
  });

  it('takes the commas of Chinese keyboards between models and groups', async () => {
    const lists = ['--models', 'gpt-4o，o3、o1', '--group', 'default，vip', '--key-stdin', '--json'];
    const words = ['channel', 'create', '--type', 'openai', '--name', 'commas', ...lists];
    const made = await home.run(words, { stdin: secret });
    expect(made.json()).toMatchObject({ models: 'gpt-4o,o3,o1', group: 'default,vip' });
    await home.run('channel remove commas --yes');
  });

  it('prints a table on a terminal and plain tabs elsewhere', async () => {
    const { stdout } = await home.run('channel list --keyword main');
    expect(stdout).toBe('1\tmain\topenai\tnot known\tdefault,vip\tgpt-4o-mini\t0\t0\t-\t\t-\t1\n');
    const screen = await home.run('channel list --page-size 2 --no-color', { typed: [], columns: 60 });
    const lines = screen.stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ID +NAME +TYPE +STATUS/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(screen.stderr).toBe('1-2 of 5 · use --page 2 for more\n');
    const colored = await home.run('channel list', { typed: [] });
    expect(colored.stdout).toContain('\u001b[2mID');
    expect((await home.run('channel list', { typed: [], env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b[');
  });

  it('sorts by any field of the table, and refuses other words', async () => {
    const order = async (sort: string) =>
      (await home.run(`channel list --json --sort ${sort}`))
        .json<{ items: { id: number }[] }>()
        .items.map(({ id }) => id);
    const ids = await order('id');
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(await order('-id')).toEqual([...ids].reverse());
    // Of the two that share a name the newer one comes first, in either direction.
    for (const sort of ['name', '-name']) {
      expect((await order(sort)).filter((id) => id === 2 || id === 3)).toEqual([3, 2]);
    }
    expect((await order('-name')).indexOf(1)).toBeLessThan((await order('-name')).indexOf(3));
    const refused = await home.run(['channel', 'list', '--sort', 'key_hash; DROP TABLE channels']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('sort');
    expect((await home.run('channel list --json --status 2')).json()).toMatchObject({ total: 0 });
  });

  it('watches a list: redrawn on a screen, changed lines elsewhere, until Ctrl-C', async () => {
    let frames = 0;
    const screen = await home.run('channel list --watch', {
      typed: [],
      watch: (_text, signal) => {
        frames += 1;
        if (frames === 2) signal('SIGINT');
      },
    });
    expect(screen.code).toBe(130);
    expect(screen.stdout.split('\u001b[H')).toHaveLength(3);
    expect(screen.stderr).toBe('');

    let lines = 0;
    const run = await home.run('channel list --watch --keyword batch --sort id', {
      watch: (text, signal) => {
        lines += text.split('\n').length - 1;
        if (lines === 2) void home.run('channel update 2 --priority 5');
        if (lines === 3) signal('SIGINT');
      },
    });
    expect(run.code).toBe(130);
    const ids = run.stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0]);
    expect(ids).toEqual(['2', '3', '2']);
    await home.run('channel update 2 --priority 0');
  });

  it('changes only what is named', async () => {
    const run = await home.run('channel update main --priority 7 --weight -3 --auto-ban off --tag blue --json');
    expect(run.json()).toMatchObject({ priority: 7, weight: 0, auto_ban: 0, tag: 'blue', models: 'gpt-4o-mini' });
    expect((await home.run('channel update main')).code).toBe(2);
    for (const flag of ['--name', '--models']) {
      const empty = await home.run(`channel update main ${flag}=`);
      expect(empty, flag).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be empty') });
    }
    expect((await home.run('channel update main --models gpt-4o --json')).json()).toMatchObject({ priority: 7 });
    await home.run('channel update main --models gpt-4o-mini');
    const broken = await home.run(['channel', 'update', 'main', '--model-mapping', '{broken']);
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain('model_mapping: not a JSON object');
  });

  it('keeps the key at its destination', async () => {
    const moved = await home.run('channel update main --base-url https://elsewhere.example');
    expect(moved.code).toBe(2);
    expect(moved.stderr).toContain('enter the key again');
    const kept = await home.run('channel update main --base-url https://elsewhere.example --keep-key --json');
    expect(kept.json()).toMatchObject({ base_url: 'https://elsewhere.example' });
    await home.run(['channel', 'update', 'main', '--base-url', upstream.url, '--key-stdin'], { stdin: secret });
  });

  it('switches all named channels or none', async () => {
    expect((await home.run('channel disable main nosuch')).code).toBe(3);
    expect((await home.run('channel get main --json')).json()).toMatchObject({ status: 1 });
    expect((await home.run('channel disable main --dry-run')).stdout).toBe('channel.disable\t1\tstatus: 1 → 2\n');
    const run = await home.run('channel disable - --json', { stdin: 'main\n2 3\n' });
    expect(run.json()).toEqual({
      success: true,
      message: 'channel 1 (main), 2 (batch), 3 (batch) disabled',
      data: { ids: [1, 2, 3], status: 2 },
    });
    expect((await home.run('channel list --status disabled --json')).json()).toMatchObject({ total: 3 });
    expect((await home.run('channel enable main')).stdout).toBe('channel 1 (main) enabled\n');
  });

  it('refuses a name that two channels have', async () => {
    expect((await home.run('channel get batch')).code).not.toBe(0);
  });

  it('tests a channel, saves the time, and bills no user', async () => {
    const run = await home.run('channel test main --json');
    expect(run.json()).toEqual({
      success: true,
      message: expect.stringMatching(/^channel 1 \(main\): gpt-4o-mini responded in /),
      data: { id: 1, model: 'gpt-4o-mini', time: expect.any(Number) },
    });
    expect(upstream.requests.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);
    expect((await home.run('channel get main --json')).json().test_time).toBeGreaterThan(0);
    // A row for readers of the log, without a charge.
    const row = { quota: 0, channel: 1, model_name: 'gpt-4o-mini', token_name: 'channel test', user_id: 1 };
    expect((await home.run('log list --type test --json')).json()).toMatchObject({ items: [row], total: 1 });
    expect((await home.run('log list --json')).json().items).not.toContainEqual(expect.objectContaining(row));
    expect((await home.run('ledger verify')).code).toBe(0);
  });

  it('shows whether a channel works, and why it does not', async () => {
    const statusOf = async (words: string) => (await home.run(words)).stdout;
    expect(await statusOf('channel list --keyword main')).toMatch(/^1\tmain\topenai\tworking\t/);
    expect((await home.run('channel list', { typed: [] })).stdout).toContain('\u001b[32mworking');
    const database = await openSqlite(join(home.directory, 'tollgate.db'));
    const attempts = [{ channel: 1, outcome: '401', ms: 12, message: 'Incorrect API key provided' }];
    const other = JSON.stringify({ status: 502, outcome: 'upstream', admin_info: { attempts } });
    const now = Math.floor(Date.now() / 1000);
    for (const at of [now + 1, now + 2])
      await database.run(
        `INSERT INTO logs (type, created_at, user_id, username, channel_id, other) VALUES (5, ${at}, 1, 'root', 1, '${other}')`,
      );
    await database.close();
    expect(await statusOf('channel list --keyword main')).toMatch(/\tfailing\t.*\tIncorrect API key provided\t/);
    expect((await home.run('channel list', { typed: [] })).stdout).toContain('\u001b[31mfailing');
    expect((await home.run('channel get main --json')).json()).toMatchObject({
      status: 1,
      state: 'failing',
      reason: 'Incorrect API key provided',
      since: now + 1,
      last_error: 'Incorrect API key provided',
      last_error_at: now + 2,
    });
    expect(await statusOf('channel list --keyword main --fields id,state')).toBe('1\tfailing\n');
    expect(await statusOf('channel list --keyword main --fields id,name')).toBe('1\tmain\n');
    expect((await home.run('channel list --fields nosuch')).stderr).toContain('last_error_at');
    await home.run('channel disable main');
    expect(await statusOf('channel list --keyword main')).toMatch(/\tdisabled\t/);
    expect((await home.run('channel get main --json')).json()).toMatchObject({ state: 'disabled', reason: '' });
    await home.run('channel enable main');
  });

  it('says why a channel does not respond, and goes on with the others', async () => {
    await home.run(['channel', 'update', '4', '--base-url', upstream.url, '--key-stdin'], { stdin: secret });
    upstream.respond(json(401, { error: { message: 'bad key', code: 'invalid_api_key' } }));
    const run = await home.run('channel test main filed');
    expect(run.code).toBe(6);
    expect(run.stderr).toContain('channel 1 (main): gpt-4o-mini failed');
    expect(run.stderr).toContain('1 of 2 failed');
    expect(run.stdout).toMatch(/^channel 4 \(filed\): m responded in /);
    expect((await home.run('channel get main --json')).json()).toMatchObject({ status: 1 });
  });

  it('asks nothing where no one can reply, neither for a first key nor for a further one', async () => {
    for (const words of ['channel create --type openai --name quiet --models a', 'channel key add main']) {
      for (const options of [{}, { typed: ['typed-key'] }]) {
        const run = await home.run(`${words} --json --no-input`, options);
        expect([run.code, run.stdout]).toEqual([2, '']);
        expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: 'cli.answerNeeded' } });
        expect(run.stderr).toContain('--key-stdin');
      }
    }
  });

  it('removes only what was confirmed', async () => {
    const unconfirmed = await home.run('channel remove main');
    expect(unconfirmed.code).toBe(2);
    expect(unconfirmed.stderr).toContain('--yes');
    expect((await home.run('channel remove main', { typed: ['n'] })).code).toBe(1);
    expect((await home.run('channel remove main', { typed: [''] })).code).toBe(1);
    expect((await home.run('channel remove main --no-input', { typed: ['y'] })).code).toBe(2);
    expect((await home.run('channel remove main', { typed: ['y'] })).stdout).toBe('channel 1 (main) deleted\n');
    const { data } = (await home.run('channel remove --disabled --dry-run --json')).json<{ data: object }>();
    expect(data).toMatchObject({ dry_run: true });
    expect(data).toMatchObject({ changes: expect.arrayContaining([expect.objectContaining({ object_id: '3' })]) });
    const rest = await home.run('channel remove --disabled --yes --json');
    expect(rest.json()).toMatchObject({ success: true, data: { ids: [3, 2] } });
    expect((await home.run('channel remove --disabled --yes')).stdout).toBe('there are no disabled channels\n');
    expect((await home.run('channel remove')).code).toBe(2);
  });
});
