import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

const secret = 'upstream-secret-0123456789';

describe('init', () => {
  let home: CliHome;
  let upstream: FakeUpstream;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
  });
  afterAll(() => upstream.close());
  beforeEach(() => {
    upstream.reset();
    home = createCliHome();
  });
  afterEach(() => home.remove());

  const words = (...more: string[]) => [
    'init',
    '--no-input',
    '--type',
    'openai',
    '--base-url',
    upstream.url,
    '--key-stdin',
    ...more,
  ];

  it('makes root, a channel and a token, and a second run changes nothing', async () => {
    const first = await home.run(words('--models', 'gpt-4o-mini', '--json'), { stdin: secret });
    expect(first.code).toBe(0);
    expect(first.json()).toEqual({
      root: { id: 1, username: 'root', default_password: false },
      channel: { id: 1, name: 'openai', type: 1, models: 'gpt-4o-mini' },
      token: { id: 1, name: 'default', key: expect.stringMatching(/^sk-[0-9A-Za-z]{48}$/) },
      data_directory: home.directory,
    });
    expect(first.stdout + first.stderr).not.toContain(secret);
    const second = await home.run(words('--models', 'gpt-4o-mini', '--json'), { stdin: secret });
    expect(second.code).toBe(0);
    expect(second.json()).toMatchObject({
      channel: { id: 1 },
      token: { id: 1, key: expect.stringMatching(/^sk-..….{4}$/) },
    });
    expect((await home.run('channel list --json')).json()).toMatchObject({ total: 1 });
    expect(upstream.requests).toHaveLength(0);
  });

  it('prints the key alone for a script and the next steps for a person', async () => {
    const run = await home.run(words('--models', 'gpt-4o-mini', '--name', 'main', '--group', 'vip'), { stdin: secret });
    expect(run.stdout).toMatch(/^sk-[0-9A-Za-z]{48}\n$/);
    expect(run.stderr).toContain('channel 1 created: main');
    expect(run.stderr).toContain('tollgate serve');
    expect(run.stderr).toContain('curl http://127.0.0.1:3000/v1/chat/completions');
  });

  it('reads the models from the provider when none are named', async () => {
    const run = await home.run(words('--json'), { stdin: secret });
    const { channel } = run.json<{ channel: { models: string } }>();
    expect(channel.models.split(',')).toContain('gpt-4o-mini');
    upstream.reset();
    upstream.respond({ status: 401, body: Buffer.from('{"error":{"message":"no"}}') });
    const refused = await home.run(words('--name', 'other'), { stdin: secret });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--models');
  });

  it('never asks with --no-input, and leaves the channel for later', async () => {
    const run = await home.run('init --no-input --json', { typed: ['never read'] });
    expect(run.json()).toMatchObject({ channel: null, token: { name: 'default' } });
    expect((await home.run('init --no-input --type openai --models m')).stderr).toContain('--key-stdin');
    expect((await home.run('init --no-input --type nosuch --models m')).code).toBe(2);
  });

  it('takes the first channel from the environment as long as there is none', async () => {
    const channel = { type: 'openai', name: 'given', key: secret, models: 'gpt-4o', base_url: upstream.url };
    const env = { INITIAL_CHANNEL: JSON.stringify(channel), INITIAL_ROOT_TOKEN: `sk-${'a1'.repeat(12)}` };
    expect((await home.run('init --json', { env })).json()).toMatchObject({ channel: { id: 1, name: 'given' } });
    expect((await home.run('init --json', { env })).json()).toMatchObject({ channel: null });
    expect((await home.run('token list --json')).json()).toMatchObject({ total: 2 });
    const broken = await home.run(['init', '--data-dir', `${home.directory}/second`], {
      env: { ...env, INITIAL_CHANNEL: `{"key":"${secret}"` },
    });
    expect(broken.code).toBe(2);
    expect(broken.stderr).not.toContain(secret);
  });

  it('asks for everything when the program is started alone on a terminal', async () => {
    const env = { TOLLGATE_ROOT_PASSWORD: '' };
    const answers = ['short', 'a long password 1', 'nosuch', 'custom', `${upstream.url}/v1/chat/completions`, secret];
    const typed = [...answers, 'n'];
    const run = await home.run('', { env, typed });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('at least 8 characters');
    expect(run.stderr).toContain('no provider matches this name');
    expect(run.stderr).toContain('7 models read from the provider');
    expect(run.stderr).toMatch(/channel 1 \(custom\): gpt-\S+ responded in/);
    expect(run.stdout).toMatch(/Key {6}sk-[0-9A-Za-z]{48}\n$/);
    expect(run.stdout + run.stderr).not.toContain(secret);
    expect(run.stdout + run.stderr).not.toContain('a long password 1');
  });

  it('asks again for a password that is easily guessed, and for what no channel can be made of', async () => {
    const env = { TOLLGATE_ROOT_PASSWORD: '' };
    const passwords = ['password1', 'Blue.Horse-42'];
    const typed = [...passwords, 'openai', 'http://127.0.0.1:1', '', '', 'later', 'n'];
    const run = await home.run('', { env, typed });
    expect(run.stderr).toContain('this password is too easy to guess');
    expect(run.stderr).toContain('key: cannot be empty');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('no channel yet');
    expect(run.stderr).not.toContain('still 123456');
  });

  it('asks for the base URL, and keeps a channel whose test failed only when told to', async () => {
    const typed = ['openai', upstream.url, secret];
    const refuse = () =>
      upstream.route('/v1/chat/completions', { status: 401, body: Buffer.from('{"error":{"message":"no"}}') });
    refuse();
    const dropped = await home.run('init', { typed: [...typed, 'n'] });
    expect(dropped.stderr).toContain('Base URL (press Enter for https://api.openai.com):');
    expect(dropped.stderr).toContain('The test failed. Keep channel openai anyway?');
    expect(dropped.stderr).toContain('tollgate channel create');
    expect((await home.run('channel list --json')).json()).toMatchObject({ total: 0 });
    refuse();
    const kept = await home.run('init', { typed: [...typed, 'y'] });
    expect(kept.stderr).toContain('was kept although its test failed');
    expect((await home.run('channel list --json')).json()).toMatchObject({ total: 1 });
  });

  it('refuses a password that is easily guessed before anything is made, so that the next try is a first start', async () => {
    const env = { TOLLGATE_ROOT_PASSWORD: '' };
    const weak = { stdin: 'password1\n', env };
    for (const run of [
      await home.run('init --no-input --password-stdin', weak),
      await home.run('init --no-input', { env: { TOLLGATE_ROOT_PASSWORD: 'password1' } }),
    ]) {
      expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('too easy to guess') });
      expect(readdirSync(home.directory)).toEqual([]);
    }
    const short = await home.run('init --no-input', { env: { TOLLGATE_ROOT_PASSWORD: 'Zx4-q' } });
    expect(short.code).toBe(2);
    expect(short.stderr).toContain('TOLLGATE_ROOT_PASSWORD is "********"; it must be at least 8 characters');
    expect(readdirSync(home.directory)).toEqual([]);
    const typed = await home.run('init', { env, typed: ['Blue.Horse-42', 'later'] });
    expect(typed.code).toBe(0);
    expect(typed.stderr).not.toContain('still 123456');
  });

  it('keeps the default root password when nothing is typed, and says how to change it', async () => {
    const run = await home.run('init', { env: { TOLLGATE_ROOT_PASSWORD: '' }, typed: ['', 'later'] });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('The root password is still 123456');
  });
});
