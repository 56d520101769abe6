import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textIn } from '../../core/text/text.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

const secret = 'upstream-secret-0123456789';

describe('channel export and import', () => {
  let home: CliHome;
  let other: CliHome;

  beforeAll(async () => {
    home = createCliHome();
    other = createCliHome();
    const words = ['channel', 'create', '--type', 'openai', '--models', 'gpt-4o', '--key-stdin'];
    await home.run([...words, '--name', 'main', '--group', 'default,vip', '--tag', 'cheap', '--priority', '7'], {
      stdin: secret,
    });
    // Two of one name, as several keys in one call make them.
    await home.run([...words, '--name', 'twin', '--setting', '{"force_format":true}'], { stdin: 'key-a\nkey-b' });
    await home.run('channel disable twin-2');
  });
  afterAll(() => {
    home.remove();
    other.remove();
  });

  const fileOf = (name: string, value: unknown) => {
    const path = join(other.directory, name);
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
    return path;
  };
  const lines = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('takes channels with their keys to another installation, and changes nothing a second time', async () => {
    const exported = await home.run('channel export');
    expect(exported.code).toBe(0);
    expect(exported.stderr).toContain('the keys of 3 channels in plain text');
    expect(exported.json()).toMatchObject({
      version: 1,
      channels: [
        { name: 'main', type: 'openai', status: 'enabled', group: 'default,vip', priority: 7, key: secret },
        { name: 'twin', key: 'key-a' },
        { name: 'twin', key: 'key-b' },
      ],
    });
    const file = fileOf('all.json', exported.stdout);
    const first = lines((await other.run(['channel', 'import', file, '--yes', '--json'])).stdout);
    expect(first.map(({ data }) => data.result ?? data)).toEqual([
      'created',
      'created',
      'created',
      { done: 3, failed: 0, total: 3 },
    ]);
    expect((await other.run('channel export')).stdout).toBe(exported.stdout);
    // Nothing to change needs no yes.
    const second = lines((await other.run(['channel', 'import', file, '--update', '--json'])).stdout);
    expect(second.slice(0, 3).map(({ data }) => data.result)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect((await other.run('channel list --json')).json()).toMatchObject({ total: 3 });
  });

  it('leaves the keys out when it is told to, and a trace in the audit log', async () => {
    const run = await home.run('channel export main --no-keys');
    expect(run.stdout).not.toContain(secret);
    expect(run.stderr).toBe('');
    const tagged = (await home.run('channel export --tag cheap --no-keys')).json<{ channels: object[] }>();
    expect(tagged.channels).toHaveLength(1);
    const [shown] = (await home.run('channel get main --json')).stdout.trim().split('\n');
    expect(shown).not.toContain(secret);
  });

  it('asks before keys are on a screen', async () => {
    const run = await home.run('channel export main', { typed: ['n'] });
    expect(run.code).toBe(1);
    expect(run.stdout).not.toContain(secret);
    expect((await home.run('channel export main', { typed: ['y'] })).stdout).toContain(secret);
  });

  it('changes channels of the same name only with --update, and only what the file names', async () => {
    const file = fileOf('change.json', { name: 'main', type: 'openai', models: ['gpt-4o', 'o3'], priority: 9 });
    const kept = await other.run(['channel', 'import', file, '--yes']);
    expect(kept.stdout).toContain('channel 1 not changed: main (differs in models, priority');
    const tried = await other.run(['channel', 'import', file, '--update', '--dry-run']);
    expect(tried.stdout).toBe('channel.update\t1\tpriority: 7 → 9, models: gpt-4o → gpt-4o,o3\n');
    expect((await other.run('channel get main --json')).json()).toMatchObject({ models: 'gpt-4o', priority: 7 });
    expect((await other.run(['channel', 'import', file, '--update'])).code).toBe(2);
    const changed = await other.run(['channel', 'import', file, '--update', '--yes', '--json']);
    expect(changed.json()).toMatchObject({ data: { id: 1, result: 'updated', fields: ['models', 'priority'] } });
    expect((await other.run('channel get main --json')).json()).toMatchObject({
      models: 'gpt-4o,o3',
      priority: 9,
      tag: 'cheap',
      group: 'default,vip',
    });
  });

  it('takes keys from the environment and mappings as objects', async () => {
    const entry = { name: 'env', type: 14, models: 'claude', key_env: 'CLAUDE_KEY', model_mapping: { claude: 'c-1' } };
    const file = fileOf('env.json', [entry]);
    const missing = await other.run(['channel', 'import', file, '--yes']);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('CLAUDE_KEY');
    const run = await other.run(['channel', 'import', file, '--yes'], { env: { CLAUDE_KEY: 'from-outside' } });
    expect(run.code).toBe(0);
    const { channels } = (await other.run('channel export env')).json<{ channels: object[] }>();
    expect(channels[0]).toMatchObject({ key: 'from-outside', model_mapping: '{"claude":"c-1"}' });
  });

  it.each(['en', 'zh'] as const)(
    'tells in %s where a file is no JSON, and nothing of the key that stands there',
    async (language) => {
      const words = textIn(language, 'detail', 'input.jsonBrokenAt', { line: 2, column: 8 });
      const file = fileOf('keys.json', `[{"name":"main",\n"key": ${secret}}]`);
      for (const command of ['channel import', 'option import', 'pricing rehearse']) {
        const run = await other.run([...command.split(' '), file, '--language', language]);
        expect([run.code, run.stdout]).toEqual([2, '']);
        expect(run.stderr).toContain(words);
        expect(run.stderr).not.toContain(secret.slice(0, 5));
        expect(run.stderr).not.toContain('Unexpected');
      }
    },
  );

  it('tells everything that is wrong with a file before anything is written', async () => {
    const before = (await other.run('channel list --json')).stdout;
    const file = fileOf('wrong.json', {
      version: 1,
      channels: [
        { name: 'fine', type: 'openai', models: 'a', key: 'k' },
        { name: '', type: 'nothing', models: 'a', key: 'k', prioritty: 3 },
        { name: 'keyless', type: 'openai', models: 'a' },
        { name: 'homeless', type: 'azure', models: 'a', key: 'k' },
        { name: 'off', type: 'openai', models: 'a', key: 'k', status: 'sometimes' },
      ],
    });
    const run = await other.run(['channel', 'import', file, '--yes']);
    expect(run.code).toBe(2);
    for (const place of ['channels[1].prioritty', 'channels[1].name', 'channels[1].type', 'channels[4].status']) {
      expect(run.stderr).toContain(place);
    }
    expect(run.stderr).toContain('nothing was changed');
    const half = fileOf('half.json', [
      { name: 'keyless', type: 'openai', models: 'a' },
      { name: 'homeless', type: 'azure', models: 'a', key: 'k' },
    ]);
    const refused = await other.run(['channel', 'import', half, '--yes']);
    expect(refused.stderr).toContain('channels[0]: a channel needs a key');
    expect(refused.stderr).toContain('channels[1]: channels of type Azure OpenAI need a base URL');
    for (const text of ['{', '7', '{"version":2,"channels":[]}', '{"channels":{}}']) {
      expect((await other.run('channel import - --yes', { stdin: text })).code, text).toBe(2);
    }
    expect((await other.run('channel list --json')).stdout).toBe(before);
  });

  it('is stopped neither by one channel that cannot be changed, and says so by its exit code', async () => {
    const entries = [
      { name: 'main', type: 'openai', base_url: 'https://elsewhere.example' },
      { name: 'new', type: 'openai', key: 'k' },
    ].map((entry) => ({ ...entry, models: 'gpt-4o' }));
    const file = fileOf('partly.json', entries);
    const tried = await other.run(['channel', 'import', file, '--update', '--dry-run']);
    expect(tried.code).toBe(6);
    expect(tried.stderr).toContain('enter the key again');
    expect(tried.stdout).toContain('channel.create');
    const run = await other.run(['channel', 'import', file, '--update', '--yes']);
    expect(run.code).toBe(6);
    expect(run.stdout).toContain('created: new');
    expect(run.stdout).toContain('1 of 2 done, 1 failed');
    expect((await other.run(['channel', 'import', file, '--update', '--yes', '--keep-key'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('elsewhere');
  });
});
