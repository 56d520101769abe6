import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import type { PriceDiff, PriceDiffRow, PriceHistoryRow, PriceOffer } from '../../../../core/schemas/price-sync.ts';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';
import { priceLists } from '../../../support/price-lists.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';
import { json } from '../../../support/upstream-script.ts';

/** Statements after which nothing can be written to the models of lists, and those that undo them: as a process that ends there. */
const refusal = {
  sqlite: [
    [`CREATE TRIGGER refuse BEFORE INSERT ON listed_models BEGIN SELECT RAISE(ABORT, 'refused'); END`],
    ['DROP TRIGGER refuse'],
  ],
  postgres: [
    [
      `CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$ LANGUAGE plpgsql`,
      'CREATE TRIGGER refuse BEFORE INSERT ON listed_models FOR EACH ROW EXECUTE FUNCTION refuse()',
    ],
    ['DROP FUNCTION refuse() CASCADE'],
  ],
} as const;

const password = 'correct horse battery';

describe.each(engines)('the price sync on %s', (engine) => {
  let gateway: TestGateway;
  let root: ConsoleClient;
  let mail: MailServer;
  let source: string;

  beforeAll(async () => {
    gateway = await startGateway(engine);
    root = createConsoleClient(gateway.url);
    await root.data(root.signIn('root', password));
    await gateway.addChannel({ models: 'acme-large,acme-picture,house-model,nowhere-model' });
    source = `${gateway.upstream.url}/prices.json`;
    mail = await startMailServer();
    await gateway.app.database.users.update({ email: 'root@example.com' }, { where: { username: 'root' } });
    await gateway.setOption('SMTPServer', '127.0.0.1');
    await gateway.setOption('SMTPPort', String(mail.port));
    await gateway.setOption('SMTPFrom', 'gate@example.com');
  });
  afterAll(async () => {
    await gateway.stop();
    await mail.close();
  });

  beforeEach(async () => {
    gateway.upstream.reset();
    for (const key of [
      'ModelRatio',
      'ModelPrice',
      'CompletionRatio',
      'CacheRatio',
      'CreateCacheRatio',
      'LongPromptRatio',
    ])
      await gateway.setOption(key, '{}');
    for (const key of ['PriceSyncOwnPrices', 'PriceSyncNewPrices', 'PriceSyncMaxPercent', 'PriceSyncSource'])
      await gateway.app.services.options.reset(systemActor, key);
    await gateway.app.database.listedModels.destroy({ where: {} });
    gateway.app.services.listedModels.forget();
    give(priceLists.litellm);
  });

  const english = { 'accept-language': 'en' };
  const post = (path: string, body: object) => root.post(`/api/pricing/${path}`, body, english);
  const give = (list: unknown) => gateway.upstream.route('/prices.json', json(200, list));
  const preview = (input: object = {}): Promise<PriceDiff> => root.data(post('sync/preview', { source, ...input }));
  const changesOf = (rows: PriceDiffRow[]) => rows.map(({ model, old, next }) => ({ model, old, next }));
  const apply = (rows: PriceDiffRow[]) => post('sync/apply', { source, changes: changesOf(rows) });
  const rowOf = async (model: string) => (await preview()).rows.find((row) => row.model === model);
  const setPrice = (model: string, ratio: number) =>
    gateway.setOption('ModelRatio', JSON.stringify({ [model]: ratio }));
  const historyOf = async (model: string): Promise<PriceHistoryRow[]> =>
    (await root.data(root.get(`/api/pricing/history?model=${model}`))).items;
  const priceOf = async (model: string) => gateway.app.services.priceSettings.get(systemActor, model);

  it('shows what would change and changes nothing', async () => {
    const diff = await preview();
    expect(diff).toMatchObject({
      source,
      format: 'litellm',
      total: 2,
      missing: ['acme-picture', 'gpt-4o-mini', 'nowhere-model'],
    });
    expect(diff.rows).toMatchObject([
      {
        model: 'acme-large',
        old: null,
        old_source: 'none',
        next: {
          input: 3,
          cached: 0.3,
          cache_write: 3.75,
          output: 12,
          long_prompt: { above: 200_000, input: 6, output: 18 },
        },
        change: null,
        held: null,
        groups: ['default'],
      },
      { model: 'house-model', next: { input: 1, output: 2 } },
    ]);
    expect(await priceOf('acme-large')).toMatchObject({ source: 'none' });
  });

  it('applies what was seen, so that calls cost it, and leaves who, when and from which list', async () => {
    const { rows } = await preview();
    const applied = await root.data(apply(rows.filter(({ model }) => model === 'acme-large')));
    expect(applied).toEqual({ models: ['acme-large'] });
    expect(await priceOf('acme-large')).toMatchObject({ source: 'operator', input: 3, output: 12, cached: 0.3 });
    expect(gateway.app.services.pricing.find('acme-large', 'default').rates.longPrompt).toMatchObject({
      above: 200_000,
      prompt: 2,
      completion: 1.5,
    });
    const [change] = await historyOf('acme-large');
    expect(change).toMatchObject({
      model: 'acme-large',
      actor_name: 'root',
      origin: 'sync',
      list: source,
      before: null,
      after: { input: 3, output: 12, cached: 0.3 },
    });
    expect(change?.created_at).toBeGreaterThan(0);
    // The other one was not chosen.
    expect((await preview()).rows.map(({ model }) => model)).toEqual(['house-model']);
  });

  it('holds a price of the operator’s own, and not one that came from a list', async () => {
    await setPrice('house-model', 0.49);
    expect(await rowOf('house-model')).toMatchObject({ old: { input: 0.98 }, held: 'own' });
    await gateway.setOption('PriceSyncOwnPrices', 'true');
    // Its output would cost twice as much.
    expect((await rowOf('house-model'))?.held).toBe('tooMuch');
    await gateway.setOption('PriceSyncMaxPercent', '200');
    expect((await rowOf('house-model'))?.held).toBeNull();
    await gateway.setOption('PriceSyncOwnPrices', 'false');
    await root.data(apply((await preview()).rows));
    give({ 'house-model': { litellm_provider: 'house', input_cost_per_token: 1.1e-6, output_cost_per_token: 2e-6 } });
    expect(await rowOf('house-model')).toMatchObject({ change: 10, held: null });
    // By hand again: it is the operator's own from here on.
    await setPrice('house-model', 0.51);
    expect((await rowOf('house-model'))?.held).toBe('own');
  });

  it('holds what changes by more than the limit, another kind of price, and new prices where they are not wanted', async () => {
    await root.data(apply((await preview()).rows));
    const cost = (input: number) => ({
      'house-model': { litellm_provider: 'h', input_cost_per_token: input, output_cost_per_token: 2e-6 },
    });
    give(cost(1.2e-6));
    expect(await rowOf('house-model')).toMatchObject({ change: 20, held: null });
    give(cost(1.21e-6));
    expect(await rowOf('house-model')).toMatchObject({ change: 21, held: 'tooMuch' });
    await gateway.setOption('PriceSyncMaxPercent', '21');
    expect((await rowOf('house-model'))?.held).toBeNull();
    give({ data: [{ model_name: 'house-model', quota_type: 1, model_price: 0.01 }] });
    expect(await rowOf('house-model')).toMatchObject({ change: null, held: 'kind', next: { call: 0.01 } });
    await gateway.setOption('PriceSyncNewPrices', 'false');
    give(priceLists.priceList);
    expect(await rowOf('acme-picture')).toMatchObject({ old: null, held: 'new' });
  });

  it('changes nothing when the list or the price is another one than what was seen', async () => {
    const { rows } = await preview();
    give({
      'acme-large': { litellm_provider: 'acme', input_cost_per_token: 9e-6 },
      'house-model': { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
    });
    const moved = await apply(rows);
    expect(moved).toMatchObject({ success: false, message: expect.stringContaining('acme-large') });
    expect((await priceOf('house-model')).source).toBe('none');
    give(priceLists.litellm);
    await setPrice('house-model', 4);
    expect((await apply(rows)).message).toContain('house-model');
    expect(await priceOf('house-model')).toMatchObject({ input: 8 });
    expect((await priceOf('acme-large')).source).toBe('none');
  });

  it('stores prices only together with the mark that they came from a list', async () => {
    const { sequelize } = gateway.app.database;
    const [refuse, allow] = refusal[engine];
    const { rows } = await preview();
    const before = await historyOf('house-model');
    for (const statement of refuse) await sequelize.query(statement);
    expect((await apply(rows)).status).toBe(500);
    for (const statement of allow) await sequelize.query(statement);
    expect(await priceOf('house-model')).toMatchObject({ source: 'none' });
    expect(await historyOf('house-model')).toEqual(before);
    await root.data(apply(rows));
    expect(await priceOf('house-model')).toMatchObject({ source: 'operator', input: 1 });
    give({ 'house-model': { litellm_provider: 'h', input_cost_per_token: 1.1e-6, output_cost_per_token: 2e-6 } });
    expect((await rowOf('house-model'))?.held).toBeNull();
  });

  it('reads a file in place of an address, and only the models that are asked for', async () => {
    const content = JSON.stringify(priceLists.modelsDev);
    const diff = await preview({ source: 'mine.json', content, models: ['mistral-*'], scope: 'known' });
    expect(diff).toMatchObject({ source: 'mine.json', format: 'models.dev' });
    expect(diff.rows.map(({ model }) => model)).toContain('mistral-tiny');
    expect((await preview({ models: ['house-model'] })).rows).toHaveLength(1);
    expect((await preview({ scope: 'all' })).rows.map(({ model }) => model)).toContain('acme-embed');
    expect((await preview({ scope: 'served' })).rows.map(({ model }) => model)).not.toContain('acme-embed');
  });

  it('compares with the list that ships with the program', async () => {
    const diff = await preview({ source: 'packaged', models: ['gpt-4o-mini', 'claude-sonnet-4-5'] });
    expect(diff).toMatchObject({ format: 'packaged', source: 'packaged' });
    expect(diff.same + diff.rows.length).toBe(2);
  });

  it('says what the requests of the last days would have cost', async () => {
    const { rows } = await preview();
    const report = await root.data(post('sync/rehearse', { changes: changesOf(rows), days: 7 }));
    expect(report).toMatchObject({ total: { calls: 0 }, ignored_options: [] });
    expect((await priceOf('acme-large')).source).toBe('none');
  });

  describe('with a source that is out of order', () => {
    const refusal = async () => post('sync/preview', { source });

    it('says which status it has, where it redirects to, and that it is no JSON', async () => {
      gateway.upstream.route('/prices.json', json(503, { error: 'down' }));
      expect(await refusal()).toMatchObject({ success: false, message: expect.stringContaining('HTTP 503') });
      gateway.upstream.route('/prices.json', { status: 302, headers: { location: 'https://elsewhere.example/p' } });
      expect((await refusal()).message).toContain('https://elsewhere.example/p');
      gateway.upstream.route('/prices.json', { status: 200, body: Buffer.from('<html>') });
      expect((await refusal()).message).toContain('web page');
      give({ some: 'thing' });
      expect((await refusal()).message).toContain('LiteLLM');
    });

    it('does not read one that is too large', async () => {
      gateway.upstream.route('/prices.json', { status: 200, generatedBytes: 9 * 1024 * 1024 });
      expect(await refusal()).toMatchObject({ success: false, message: expect.stringContaining('too large') });
    });

    it('names a price that cannot be used, and keeps the price', async () => {
      give({
        'acme-large': { litellm_provider: 'a', input_cost_per_token: 0, output_cost_per_token: 1e-6 },
        'house-model': { litellm_provider: 'a', input_cost_per_token: -1e-6, output_cost_per_token: 'NaN' },
        'acme-picture': { litellm_provider: 'a', input_cost_per_token: 1e308 },
      });
      const diff = await preview();
      expect(diff.rows).toEqual([]);
      expect(diff.faults.map(({ model, fault }) => `${model} ${fault}`)).toEqual([
        'acme-large zero',
        'house-model negative',
        'house-model notNumber',
        'acme-picture tooLarge',
      ]);
    });

    it('does not call addresses that nothing of ours may call', async () => {
      const own = await post('sync/preview', { source: `${gateway.url}/api/pricing` });
      expect(own).toMatchObject({ success: false, message: expect.stringContaining('127.0.0.1') });
      const metadata = await post('sync/preview', { source: 'http://169.254.169.254/latest' });
      expect(metadata.success).toBe(false);
      expect((await post('sync/preview', { source: 'ftp://a/b' })).message).toContain('ftp://a/b');
    });
  });

  it('is root’s alone', async () => {
    await gateway.addUser('bob-admin', 0);
    const user = createConsoleClient(gateway.url);
    await user.data(user.signIn('alice', password));
    for (const path of ['preview', 'apply', 'rehearse']) {
      expect((await user.post(`/api/pricing/sync/${path}`, {})).success).toBe(false);
    }
    expect((await user.get('/api/pricing/history')).success).toBe(false);
  });

  describe('on a schedule', () => {
    const run = () => gateway.app.services.scheduledSync.run();
    it('applies what the rules allow and tells root of the rest, once', async () => {
      await gateway.app.database.notices.destroy({ where: {} });
      await gateway.setOption('PriceSyncSource', source);
      await setPrice('house-model', 4);
      expect(await run()).toEqual({ applied: 1, held: 1 });
      expect(await priceOf('acme-large')).toMatchObject({ input: 3 });
      expect(await priceOf('house-model')).toMatchObject({ input: 8 });
      expect((await historyOf('acme-large'))[0]).toMatchObject({ origin: 'job', actor_name: 'system', list: source });
      const written = async () =>
        (await gateway.app.database.notices.findAll({ raw: true })).map(({ content }) => content);
      await expect.poll(async () => (await written()).length, { timeout: 20_000 }).toBe(1);
      const [notice = ''] = await written();
      expect(notice).toContain('acme-large: no price → $3 / $12');
      expect(notice).toContain('house-model: $8 / ');
      expect(notice).toContain('your own price');
      // The same again is no news.
      expect(await run()).toEqual({ applied: 0, held: 1 });
      give({ 'house-model': { litellm_provider: 'h', input_cost_per_token: 2e-6, output_cost_per_token: 2e-6 } });
      expect(await run()).toEqual({ applied: 0, held: 1 });
      await expect.poll(async () => (await written()).length, { timeout: 20_000 }).toBe(2);
      expect((await mail.take('root@example.com')).text).toContain('house-model: $8 / ');
    });

    it('tells root when the list cannot be read, and changes nothing', async () => {
      await gateway.app.database.notices.destroy({ where: {} });
      await gateway.setOption('PriceSyncSource', source);
      gateway.upstream.route('/prices.json', json(500, {}));
      await expect(run()).rejects.toThrow('HTTP 500');
      const count = () => gateway.app.database.notices.count();
      await expect.poll(count, { timeout: 20_000 }).toBe(1);
    });
  });

  describe('for models without a price', () => {
    const offer = (models: string[], model_mapping = {}) => root.data(post('offer', { models, model_mapping }));

    it('offers the list price, also of the model behind an alias and of a vendor’s name', async () => {
      const offers = await offer(['fast', 'vendor/gpt-4o', 'gpt-4o', 'nowhere-model'], { fast: 'gpt-4o-mini' });
      expect(offers).toMatchObject([
        { model: 'fast', listed_as: 'gpt-4o-mini', source: 'packaged', price: { input: 0.15, output: 0.6 } },
        { model: 'vendor/gpt-4o', listed_as: 'gpt-4o', price: { input: 2.5, output: 10 } },
        { model: 'nowhere-model', price: null, listed_as: '' },
      ]);
    });

    it('says under which names sound and pictures would cost what text costs', async () => {
      const models = ['voice', 'painter', 'my-gpt-4o-audio', 'fast'];
      const mapping = { voice: 'gpt-4o-audio-preview', painter: 'gpt-image-1', fast: 'gpt-4o-mini' };
      const all = { ...mapping, 'my-gpt-4o-audio': 'gpt-4o-audio-preview' };
      const offers: PriceOffer[] = await offer(models, all);
      const asText = offers.filter(({ media_as_text }) => media_as_text).map(({ model }) => model);
      expect(asText).toEqual(['voice', 'painter']);
    });

    it('knows the prices of the last sync, and sets those that are accepted', async () => {
      await root.data(apply((await preview({ models: ['house-model'] })).rows));
      const [found] = await offer(['acme-large']);
      expect(found).toMatchObject({ source, price: { input: 3, output: 12 }, facts: { context_window: 200_000 } });
      const changes = [{ model: 'acme-large', old: null, next: found.price }];
      await root.data(post('offer/accept', { changes }));
      expect(await priceOf('acme-large')).toMatchObject({ input: 3, output: 12 });
      expect((await historyOf('acme-large'))[0]).toMatchObject({ origin: 'offer', actor_name: 'root' });
      expect(await offer(['acme-large'])).toEqual([]);
      // A price that was set meanwhile stays.
      await setPrice('acme-large', 7);
      expect((await post('offer/accept', { changes })).message).toContain('has changed');
      const free = [{ model: 'nowhere-model', old: null, next: { input: 0, output: 0 } }];
      expect((await post('offer/accept', { changes: free })).message).toContain('nowhere-model');
    });
  });

  it('shows context size, modalities and the last day on the price page and with the price', async () => {
    await root.data(apply((await preview()).rows));
    const { data } = (await root.get('/api/pricing')).body;
    const row = data.find(({ model_name }: { model_name: string }) => model_name === 'acme-large');
    const facts = {
      context_window: 200_000,
      input_modalities: ['text', 'image', 'pdf'],
      abilities: ['tools', 'structured_output'],
      retires_on: '2027-03-01',
    };
    expect(row).toMatchObject({ ...facts, max_output: 8192 });
    expect(await priceOf('acme-large')).toMatchObject(facts);
  });

  it('keeps where a price was set by hand: console, command line and import', async () => {
    await root.data(root.put('/api/option/', { key: 'ModelPrice', value: '{"hand-made":0.5}' }));
    expect((await historyOf('hand-made'))[0]).toMatchObject({
      origin: 'console',
      actor_name: 'root',
      after: { call: 0.5 },
    });
    await gateway.setOption('ModelPrice', '{"hand-made":0.6}');
    expect((await historyOf('hand-made'))[0]).toMatchObject({
      origin: 'cli',
      before: { call: 0.5 },
      after: { call: 0.6 },
    });
    await gateway.setOption('ModelPrice', '{}');
    expect((await historyOf('hand-made'))[0]).toMatchObject({ before: { call: 0.6 }, after: null });
  });
});
