import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../core/app.ts';
import { loadConfig } from '../../core/config.ts';
import { noFacts } from '../../core/schemas/model-fact.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

interface Price {
  model: string;
  source: string;
  input: number;
}

describe('pricing commands', () => {
  let home: CliHome;
  beforeAll(async () => {
    home = createCliHome();
    const words = 'channel create --type openai --name main --models gpt-4o,house-model --key-stdin';
    await home.run(words, { stdin: 'upstream-key' });
  });
  afterAll(() => home.remove());

  const items = async (words: string) =>
    (await home.run(`pricing list --json ${words}`)).json<{ items: Price[]; total: number }>().items;

  it('lists what channels serve in ratios and in dollars, and what has no price', async () => {
    expect(await items('')).toEqual([
      {
        model: 'gpt-4o',
        source: 'builtin',
        ratio: 1.25,
        completion_ratio: 4,
        cache_ratio: 0.5,
        create_cache_ratio: expect.any(Number),
        input: 2.5,
        output: 10,
        cached: 1.25,
        price: null,
        groups: ['default'],
        ...noFacts,
        context_window: 128_000,
      },
      expect.objectContaining({ model: 'house-model', source: 'none', input: null }),
    ]);
    expect((await items('--unpriced')).map(({ model }) => model)).toEqual(['house-model']);
    // Served by no channel, requested by its name.
    expect(await items('--model dall-e-3')).toMatchObject([{ model: 'dall-e-3', ratio: null, groups: [] }]);
    expect(await items('--page 2 --page-size 1')).toMatchObject([{ model: 'house-model' }]);
  });

  it('sets a price in dollars or in ratios, and changes nothing a second time', async () => {
    const words = ['pricing', 'set', 'house-model', '--input', '$0.6', '--output', '2.4', '--cached', '$0.15'];
    const tried = await home.run([...words, '--dry-run']);
    expect(tried.stdout).toContain('option.set\tModelRatio\thouse-model: 0.3\n');
    expect((await items('--unpriced')).length).toBe(1);
    const set = await home.run([...words, '--json']);
    expect(set.json()).toMatchObject({ ratio: 0.3, completion_ratio: 4, cache_ratio: 0.25, input: 0.6, output: 2.4 });
    expect((await home.run(words)).stdout).toBe(
      'house-model: $0.6 prompt, $2.4 completion, $0.15 cached per million tokens (unchanged)\n',
    );
    // A multiple of the input price that applies.
    const dearer = await home.run('pricing set house-model --output $3 --json');
    expect(dearer.json()).toMatchObject({ input: 0.6, output: 3, completion_ratio: 5 });
    const ratios = await home.run('pricing set a b --ratio 2 --completion-ratio 3');
    expect(ratios.stdout).toContain('2 of 2 done');
    expect(await items('--own')).toMatchObject([
      { model: 'a', input: 4, output: 12 },
      { model: 'b', input: 4, output: 12 },
      { model: 'house-model' },
    ]);
  });

  it('leaves the output price where it is when only the input price changes', async () => {
    expect((await home.run('pricing set raised --input $0.15 --output $0.6 --json')).json()).toMatchObject({
      output: 0.6,
    });
    expect((await home.run('pricing set raised --input $0.4 --json')).json()).toMatchObject({
      input: 0.4,
      output: 0.6,
    });
    // Also where the multiple is a rule of the model's family.
    const { output } =
      (await home.run('pricing list --model gpt-4o-mini --json')).json<{ items: { output: number }[] }>().items[0] ??
      {};
    expect((await home.run('pricing set gpt-4o-mini --input $0.4 --json')).json()).toMatchObject({
      input: 0.4,
      output,
    });
    expect((await home.run('pricing remove raised gpt-4o-mini --yes')).code).toBe(0);
  });

  it('takes a price per call in place of one by tokens, and back', async () => {
    expect((await home.run('pricing set a --price $0.04 --json')).json()).toMatchObject({ price: 0.04, input: null });
    expect((await home.run('pricing set a --output $3')).stderr).toContain('no input price');
    expect((await home.run('pricing set a --input $1 --output $3 --json')).json()).toMatchObject({
      price: null,
      output: 3,
    });
  });

  it('refuses what is not a price, and prices of two kinds', async () => {
    for (const words of [
      [],
      ['--input', '1', '--ratio', '1'],
      ['--price', '1', '--ratio', '1'],
      ['--ratio', ''],
      ['--ratio', '-1'],
      ['--input', '$'],
      ['--input', 'NaN'],
      ['--input', '0', '--output', '1'],
    ]) {
      expect((await home.run(['pricing', 'set', 'a', ...words])).code, words.join(' ')).toBe(2);
    }
    const unquoted = await home.run(['pricing', 'set', 'a', '--input', ''], { env: { LC_ALL: 'zh_CN.UTF-8' } });
    expect(unquoted.stderr).toContain('例如 0.5 或 $2.5');
    expect((await home.run(['pricing', 'set', '', '--ratio', '1'])).code).toBe(2);
    expect((await home.run('pricing set unknown-model --output 1')).code).toBe(2);
  });

  it('takes own prices away, one by one or all when the word is typed', async () => {
    expect((await home.run('pricing remove b')).code).toBe(2);
    expect((await home.run('pricing remove b --yes')).stdout).toBe('custom prices of b deleted\n');
    expect((await home.run('pricing remove b --yes')).stdout).toBe('b: no custom price\n');
    expect((await home.run('pricing reset', { typed: ['yes'] })).code).toBe(1);
    expect((await home.run('pricing reset --dry-run')).stdout).toContain('option.reset');
    expect((await items('--own')).length).toBe(2);
    expect((await home.run('pricing reset', { typed: ['reset'] })).code).toBe(0);
    expect(await items('--own')).toEqual([]);
  });

  it('takes away with a price what long prompts cost more, so that a sync may change it again', async () => {
    const factors = '{"long":{"above":100000,"prompt":2,"completion":2},"other":{"above":9,"prompt":3,"completion":3}}';
    expect((await home.run(['option', 'set', 'LongPromptRatio', factors])).code).toBe(0);
    expect((await home.run('pricing set long --ratio 1')).code).toBe(0);
    expect((await home.run('pricing remove long --yes')).stdout).toBe('custom prices of long deleted\n');
    const { value } = (await home.run('option get LongPromptRatio --json')).json<{ value: string }>();
    expect(Object.keys(JSON.parse(value))).toEqual(['other']);
    await home.run('pricing remove other --yes');
  });

  it('rehearses prices in a file against the requests of the last days', async () => {
    const app = await createApp({ ...loadConfig({}, home.env), logLevel: 'silent' });
    const bill = {
      rates: { modelRatio: 1.25, completionRatio: 4, groupRatio: 1, quotaPerUnit: 500_000, source: 'builtin' },
      usage: { prompt: 1_000_000, completion: 0 },
    };
    const row = {
      type: 2,
      created_at: app.now() - 60,
      model_name: 'gpt-4o',
      group: 'default',
      user_id: 1,
    };
    await app.database.logs.bulkCreate([
      { ...row, username: 'alice', quota: 1_250_000, other: JSON.stringify({ bill }) },
      { ...row, username: 'alice', quota: 5, model_name: 'imported' },
    ]);
    await app.close();
    const file = join(home.directory, 'prices.json');
    writeFileSync(file, JSON.stringify({ ModelRatio: { 'gpt-4o': 2.5 }, SystemName: 'mine' }));
    const run = await home.run(['pricing', 'rehearse', file]);
    expect(run.stdout).toBe('gpt-4o\t1\t$2.50\t$5.00\t+$2.50 (+100.0%)\n');
    expect(run.stderr).toContain('charged $2.50, at the new prices $5.00');
    expect(run.stderr).toContain('imported, 1 request, charged $0.00001: the log row does not say');
    expect(run.stderr).toContain('ignored: SystemName');
    const byUser = await home.run(['pricing', 'rehearse', file, '--by', 'user', '--days', '7']);
    expect(byUser.stdout).toContain('alice\t1\t$2.50');
    expect((await home.run(['pricing', 'rehearse', file, '--json'])).json()).toMatchObject({
      total: { calls: 1, old_quota: 1_250_000, new_quota: 2_500_000 },
      users: [{ username: 'alice' }],
      skipped: [{ reason: 'noBill', model: 'imported', calls: 1, quota: 5 }],
    });
    writeFileSync(file, JSON.stringify({ ModelRatios: {} }));
    expect((await home.run(['pricing', 'rehearse', file])).code).toBe(2);
    expect((await home.run(['pricing', 'rehearse', file, '--days', '0'])).code).toBe(2);
  });
});
