import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';

interface Report {
  items: {
    name: string;
    id: number;
    calls: number;
    tokens: number;
    quota: number;
    share: number;
    prompt_tokens: number | null;
    completion_tokens: number | null;
  }[];
  total: number;
  totals: { calls: number; tokens: number; quota: number };
}

describe('usage show', () => {
  let gateway: TestGateway;
  const run = (words: string, options = {}) => runCli(words, { ...options, env: gateway.environment });
  const report = async (words: string) => (await run(`usage show ${words} --json`)).json<Report>();

  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.addChannel({ name: 'second', models: 'gpt-4o' });
    const bob = await gateway.addToken(await gateway.addUser('bob', 10_000_000));
    for (const model of ['gpt-4o-mini', 'gpt-4o']) await gateway.chat({ model }).then((response) => response.text());
    await gateway.chat({ model: 'gpt-4o' }, { key: bob }).then((response) => response.text());
  });
  afterAll(() => gateway.stop());

  it('adds up to the same whichever way it is cut, and to what the log says', async () => {
    const charged = (await gateway.logs()).reduce((sum, { quota }) => sum + quota, 0);
    for (const by of ['model', 'user', 'channel', 'day']) {
      const { items, total, totals } = await report(`--by ${by}`);
      expect(totals, by).toMatchObject({ calls: 3, quota: charged });
      expect(items.reduce((sum, { quota }) => sum + quota, 0)).toBe(charged);
      expect(items.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 3);
      expect(total).toBe(items.length);
    }
  });

  it('names what was used, the largest spending first', async () => {
    expect((await report('--by model')).items.map(({ name, calls }) => [name, calls])).toEqual([
      ['gpt-4o', 2],
      ['gpt-4o-mini', 1],
    ]);
    expect((await report('--by channel')).items.map(({ name }) => name)).toEqual(['second', 'fake']);
    expect((await report('--by user --user bob')).items).toMatchObject([{ name: 'bob', calls: 1, share: 1 }]);
    expect((await report('--by model --until 1d')).items).toEqual([]);
  });

  it('tells prompt and completion tokens apart, always by channel, else where asked', async () => {
    const splits = ['--by channel', '--by model --split', '--by user --split', '--by day --split'];
    for (const words of splits) {
      const { items } = await report(words);
      for (const item of items)
        expect((item.prompt_tokens ?? 0) + (item.completion_tokens ?? 0), words).toBe(item.tokens);
    }
    expect((await report('--by model')).items[0]?.prompt_tokens).toBeNull();
    expect((await run('usage show --by model --split')).stdout).toMatch(/^gpt-4o\t2\t60\t40\t20\t0\.0%\t\$0\.00\t/);
  });

  it('shows money and shares to people, and values alone to scripts', async () => {
    const shown = await run('usage show --by user --no-color', { typed: [] });
    expect(shown.stdout).toMatch(/^ID {2}USER +CALLS +TOKENS +SPENT +SHARE\n/);
    expect(shown.stdout).toMatch(/alice .+ \$0\.\d+ +\d+\.\d%\n/);
    expect(shown.stderr).toMatch(/^\$0\.\d+ spent from \d{4}-.+ \(calls: 3, tokens: \d+, time zone /);
    const piped = await run('usage show --by model');
    expect(piped.stdout.split('\n')[0]).toMatch(/^gpt-4o\t2\t\d+\t\$0\.\d+\t\d+\.\d%$/);
    expect((await run('usage show --by user --language zh')).stderr).toContain('共消耗');
  });

  it('refuses an unknown grouping, an invalid time and an unknown user', async () => {
    expect((await run('usage show --by color')).code).toBe(2);
    expect((await run('usage show --since soon')).code).toBe(2);
    expect((await run('usage show --user nobody')).code).toBe(3);
  });
});
