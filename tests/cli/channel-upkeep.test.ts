import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';
import { json } from '../support/upstream-script.ts';

describe('channel upkeep commands', () => {
  let home: CliHome;
  let upstream: FakeUpstream;
  beforeAll(async () => {
    home = createCliHome();
    upstream = await startFakeUpstream();
    const fixed = [
      '--type',
      'openai',
      '--models',
      'gpt-4o',
      '--base-url',
      upstream.url,
      '--tag',
      'cheap',
      '--key-stdin',
    ];
    for (const name of ['one', 'two'])
      await home.run(['channel', 'create', '--name', name, ...fixed], { stdin: 'upstream-key' });
  });
  afterAll(async () => {
    await upstream.close();
    home.remove();
  });
  const statusOf = async (name: string) =>
    (await home.run(`channel get ${name} --json`)).json<{ status: number }>().status;

  it('switches all channels of a tag', async () => {
    expect((await home.run('channel disable --tag cheap')).stdout).toBe('channel 2 (two), 1 (one) disabled\n');
    expect([await statusOf('one'), await statusOf('two')]).toEqual([2, 2]);
    expect((await home.run('channel enable --tag cheap --json')).json()).toMatchObject({ data: { ids: [2, 1] } });
    expect((await home.run('channel enable one --tag cheap')).code).toBe(2);
    const unknown = await home.run('channel enable --tag dear');
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toContain('no channel has the tag "dear"');
  });

  it('changes a tag, and dissolves it', async () => {
    const changed = await home.run('channel tag update cheap --priority 7 --group default,vip');
    expect(changed.stdout).toBe('2 channels with the tag cheap changed\n');
    expect((await home.run('channel get two --json')).json()).toMatchObject({ priority: 7, group: 'default,vip' });
    expect((await home.run('channel tag update cheap --weight -1')).stderr).toContain('whole number');
    expect((await home.run('channel tag update cheap')).code).toBe(2);
    expect((await home.run('channel tag dissolve cheap --dry-run')).stdout).toContain('tag: cheap → ""');
    expect((await home.run('channel tag dissolve cheap')).stdout).toBe('tag cheap removed from 2 channels\n');
    expect((await home.run('channel get two --json')).json()).toMatchObject({ tag: null });
  });

  it('gives channels a tag, lists tags, and switches all channels of one', async () => {
    expect((await home.run('channel tag set fast one two')).stdout).toBe('tag fast set on 2 channels\n');
    await home.run('channel disable two');
    expect((await home.run('channel tag list')).stdout).toBe('fast\t2\t1\n');
    await home.run('channel tag enable fast');
    expect((await home.run('channel tag list --json')).json()).toMatchObject({
      items: [{ tag: 'fast', channels: 2, enabled: 2 }],
      total: 1,
    });
    expect((await home.run('channel tag disable slow')).code).toBe(3);
    expect((await home.run('channel tag set fast nobody')).code).toBe(3);
  });

  it('repairs what routing reads, or says what it would repair', async () => {
    expect((await home.run('channel fix --dry-run')).code).toBe(0);
    expect((await home.run('channel fix')).stdout).toBe('0 channels repaired\n');
  });

  it('copies a channel that works like the first', async () => {
    expect((await home.run('channel copy one')).stdout).toBe('channel 3 created: one_copy\n');
    expect((await home.run('channel test one_copy')).code).toBe(0);
    expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer upstream-key');
  });

  it('reads balances and models from the upstream', async () => {
    const subscription = json(200, { hard_limit_usd: 12, has_payment_method: true });
    upstream.route('/v1/dashboard/billing/subscription', subscription);
    upstream.route('/v1/dashboard/billing/usage', json(200, { total_usage: 200 }));
    expect((await home.run('channel balance one')).stdout).toBe('channel 1 (one): balance 10.00 USD\n');
    expect((await home.run('channel balance --all --json')).stdout).toContain('"balance":10');
    expect((await home.run('channel get one --json')).json()).toMatchObject({ balance: 10 });
    expect((await home.run('channel models one')).stdout).toContain('gpt-4o-mini\n');
    expect((await home.run('channel balance')).code).toBe(2);
  });

  it('leaves out of --all what has no test or no balance, and says so of one that is named', async () => {
    for (const type of ['midjourney-proxy', 'anthropic']) {
      const words = ['channel', 'create', '--type', type, '--name', type, '--models', 'm', '--base-url', upstream.url];
      expect((await home.run([...words, '--key-stdin'], { stdin: 'upstream-key' })).code).toBe(0);
    }
    const balances = await home.run('channel balance --all');
    expect(balances).toMatchObject({ code: 0, stdout: expect.not.stringContaining('midjourney') });
    const tests = await home.run('channel test --all');
    expect(tests.stdout + tests.stderr).not.toContain('midjourney');
    const named = await home.run('channel test midjourney-proxy');
    expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining('a test would cost money') });
    expect((await home.run('channel balance midjourney-proxy')).stderr).toContain('does not provide a balance');
    await home.run('channel remove midjourney-proxy anthropic --yes');
  });

  it('repairs what routing reads', async () => {
    expect((await home.run('channel fix')).stdout).toBe('0 channels repaired\n');
  });
});
