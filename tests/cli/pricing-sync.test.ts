import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { priceLists } from '../support/price-lists.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';
import { json } from '../support/upstream-script.ts';

interface Diff {
  items: { model: string; held: string | null; next: Record<string, number> }[];
  same: number;
  faults: unknown[];
}

describe('pricing sync', () => {
  let home: CliHome;
  let upstream: FakeUpstream;
  let source: string;
  beforeAll(async () => {
    home = createCliHome();
    upstream = await startFakeUpstream();
    source = `${upstream.url}/prices.json`;
    upstream.route('/prices.json', json(200, priceLists.litellm));
    await home.run('channel create --type openai --name main --models acme-large,house-model --key-stdin', {
      stdin: 'upstream-key',
    });
  });
  afterAll(async () => {
    home.remove();
    await upstream.close();
  });

  const priceOf = async (model: string) =>
    (await home.run(`pricing get ${model} --json`)).json<{ input: number | null; source: string }>();
  const file = (name: string, content: unknown) => {
    const path = join(home.directory, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  it('shows the changes first and makes none', async () => {
    const shown = await home.run(`pricing sync ${source}`);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toBe(
      'acme-large\t- -> 3\t- -> 0.3\t- -> 12\t-\t-\tdefault\t\nhouse-model\t- -> 1\t- -> 1\t- -> 2\t-\t-\tdefault\t\n',
    );
    expect(shown.stderr).toContain('would change with --yes: 2 of 2. Nothing was changed.');
    expect((await priceOf('acme-large')).source).toBe('none');
    const checked = await home.run(`pricing sync ${source} --check --json`);
    expect(checked.code).toBe(1);
    expect(checked.json<Diff>().items.map(({ model }) => model)).toEqual(['acme-large', 'house-model']);
  });

  it('applies them with --yes, narrowed to the models that are named', async () => {
    const applied = await home.run(['pricing', 'sync', source, '--models', 'acme-*', '--served', '--yes', '--json']);
    expect(applied.json<{ data: { models: string[] } }>().data.models).toEqual(['acme-large']);
    expect(await priceOf('acme-large')).toMatchObject({ input: 3, source: 'operator', context_window: 200_000 });
    expect((await priceOf('house-model')).source).toBe('none');
    const rest = await home.run(`pricing sync ${source} --apply`);
    expect(rest.stdout).toContain(`prices applied from ${source}: 1`);
    expect((await home.run(`pricing sync ${source} --check`)).code).toBe(0);
  });

  it('leaves what the rules protect, and applies it when it is told to', async () => {
    await home.run(['pricing', 'set', 'house-model', '--input', '4', '--output', '8']);
    const held = await home.run(`pricing sync ${source} --yes`);
    expect(held.stdout).toContain('your own price');
    expect(held.stdout).toContain(`prices applied from ${source}: 0; held by the rules: 1`);
    expect(await priceOf('house-model')).toMatchObject({ input: 4 });
    expect((await home.run(`pricing sync ${source} --yes --override`)).code).toBe(0);
    expect(await priceOf('house-model')).toMatchObject({ input: 1 });
  });

  it('has every change in its history, with who and from where', async () => {
    const { items } = (await home.run('pricing history house-model --json')).json<{ items: unknown[] }>();
    expect(items).toMatchObject([
      {
        before: { input: 4, output: 8 },
        after: { input: 1, output: 2 },
        origin: 'sync',
        list: source,
        actor_name: 'system',
      },
      { before: { input: 1 }, after: { input: 4 }, origin: 'cli', list: '' },
      { before: null, after: { input: 1 }, origin: 'sync' },
    ]);
    expect((await home.run('pricing history')).stdout).toContain('house-model\t4 -> 1');
    const imported = file('options.json', { ModelPrice: { 'hand-made': 0.5 } });
    await home.run(`option import ${imported} --yes`);
    expect((await home.run('pricing history hand-made --json')).json()).toMatchObject({
      items: [{ origin: 'import' }],
    });
  });

  it('reads files, and says which are no price list', async () => {
    const dev = await home.run(['pricing', 'sync', file('dev.json', priceLists.modelsDev), '--all', '--json']);
    expect(dev.json<Diff>().items.map(({ model }) => model)).toContain('mistral-tiny');
    const cases: [path: string, code: number, text: string][] = [
      [file('broken.json', '{"a":'), 2, 'it is not JSON'],
      [file('other.json', { hello: 1 }), 2, 'unknown format'],
      [file('huge.json', ' '.repeat(8 * 1024 * 1024 + 1)), 2, 'larger than 8 MiB'],
      [join(home.directory, 'absent.json'), 2, 'absent.json'],
      ['nosuchlist', 2, '"nosuchlist" is not a price list'],
    ];
    for (const [path, code, text] of cases) {
      const run = await home.run(['pricing', 'sync', path]);
      expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(text)]);
    }
    expect((await home.run('pricing sync http://127.0.0.1:9/prices.json')).code).toBe(7);
    const faulty = file('faulty.json', { 'acme-large': { litellm_provider: 'a', input_cost_per_token: 0 } });
    const named = await home.run(['pricing', 'sync', faulty]);
    expect(named.stderr).toContain('acme-large: input_cost_per_token = 0: 0; to make a model free');
  });

  it('compares with the packaged list when nothing else is named', async () => {
    const { source: list, format } = (await home.run('pricing sync --json')).json<{ source: string; format: string }>();
    expect([list, format]).toEqual(['packaged', 'packaged']);
  });

  it('refuses options that contradict each other', async () => {
    expect((await home.run('pricing sync --served --all')).code).toBe(2);
    expect((await home.run('pricing sync --check --yes')).code).toBe(2);
  });
});

describe('models without a price', () => {
  let home: CliHome;
  let upstream: FakeUpstream;
  beforeAll(async () => {
    home = createCliHome();
    upstream = await startFakeUpstream();
  });
  afterAll(async () => {
    home.remove();
    await upstream.close();
  });

  it('are named with their list price when a channel gets them, and priced in one step', async () => {
    const words = [
      'channel',
      'create',
      '--type',
      'openai',
      '--name',
      'main',
      '--key-stdin',
      '--base-url',
      upstream.url,
    ];
    const mapping = ['--model-mapping', '{"fast":"gpt-4o-mini"}'];
    const created = await home.run([...words, '--models', 'fast,gpt-4o,odd-model', ...mapping], {
      stdin: 'upstream-key',
    });
    expect(created.stderr).toContain('models without a price, so calls to them are refused: 2');
    expect(created.stderr).toContain('fast: list price $0.15/$0.6 (gpt-4o-mini, packaged)');
    expect(created.stderr).toContain('odd-model: in no price list');
    expect(created.stderr).not.toContain('cost what text costs');
    const offers = await home.run('pricing offer --json');
    expect(offers.json()).toMatchObject({ items: [{ model: 'fast' }, { model: 'odd-model', price: null }] });
    const taken = await home.run('pricing offer --yes --json');
    expect(taken.json()).toMatchObject({ data: { models: ['fast'], without_offer: ['odd-model'] } });
    expect((await home.run('pricing list --unpriced --json')).json()).toMatchObject({
      items: [{ model: 'odd-model' }],
    });
    expect((await home.run('pricing history fast --json')).json()).toMatchObject({ items: [{ origin: 'offer' }] });
  });

  it('are named with what sound and pictures cost under the name of an alias', async () => {
    const words = ['channel', 'create', '--type', 'openai', '--name', 'sound', '--key-stdin', '--models', 'voice'];
    const mapping = ['--model-mapping', '{"voice":"gpt-4o-audio-preview"}'];
    const created = await home.run([...words, ...mapping], { stdin: 'upstream-key' });
    expect(created.stderr).toContain('sound and image tokens cost what text costs under these names: voice.');
    await home.run('channel remove sound --yes');
  });

  it('are named when the upstream is asked for its models, and when a list of models changes', async () => {
    upstream.route('/v1/models', json(200, { object: 'list', data: [{ id: 'acme/gpt-4o-mini' }, { id: 'gpt-4o' }] }));
    const asked = await home.run('channel models main --json');
    expect(asked.json()).toMatchObject({
      data: {
        models: ['acme/gpt-4o-mini', 'gpt-4o'],
        unpriced: [{ model: 'acme/gpt-4o-mini', listed_as: 'gpt-4o-mini' }],
      },
    });
    const updated = await home.run('channel update main --models gpt-4o,another-model');
    expect(updated.stderr).toContain('another-model');
    expect((await home.run('channel update main --priority 3')).stderr).toBe('');
  });
});
