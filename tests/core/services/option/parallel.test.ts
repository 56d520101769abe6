import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { groupSetSchema } from '../../../../core/schemas/group.ts';
import { priceSetSchema } from '../../../../core/schemas/pricing.ts';
import { createGroupSettings } from '../../../../core/services/group/setting.ts';
import { createOptionService, type OptionService } from '../../../../core/services/option/option.ts';
import { createListedModels } from '../../../../core/services/pricing/listed-model.ts';
import { createPriceSettings } from '../../../../core/services/pricing/price-setting.ts';
import { createPricing, rateTablesOf } from '../../../../core/services/pricing/pricing.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const root = { ...systemActor, name: 'root' };

describe.each(engines)('parallel changes of options on %s', (engine) => {
  let services: TestServices;
  let others: OptionService[];

  beforeAll(async () => {
    services = await createTestServices(engine);
    const { database, secretBox, audit } = services;
    // As many processes have: each with a memory of its own, read before any change.
    others = [1, 2, 3].map(() => createOptionService({ database, secretBox, audit, checkAddress: () => {} }));
    for (const options of others) await options.load();
  });
  afterAll(() => services.remove());

  const stored = async () => {
    await services.options.load();
    return services.options;
  };
  const settingsOf = (options: OptionService) => {
    const pricing = createPricing(() => rateTablesOf(options.get));
    options.onChange(() => pricing.forget());
    const servedModels = { read: async () => new Map() };
    const listedModels = createListedModels({ database: services.database });
    return createPriceSettings({ options, pricing, servedModels, listedModels });
  };

  it('keeps the price of every model', async () => {
    const all = others.map(settingsOf);
    const models = Array.from({ length: 12 }, (_, index) => `parallel-${index}`);
    await Promise.all(
      models.map((model, index) =>
        all[index % all.length]?.set(root, priceSetSchema.parse({ model, input: '$1', output: '$2' })),
      ),
    );
    const options = await stored();
    expect(Object.keys(options.get('ModelRatio'))).toEqual(expect.arrayContaining(models));
    expect(models.map((model) => options.get('CompletionRatio')[model])).toEqual(models.map(() => 2));
  });

  it('counts dollars for output from the input price that is stored, not from the one this process has read', async () => {
    const [one, other] = others.map(settingsOf);
    await one?.set(root, priceSetSchema.parse({ model: 'late', input: '$1', output: '$2' }));
    await one?.set(root, priceSetSchema.parse({ model: 'late', input: '$4', output: '$8' }));
    await other?.set(root, priceSetSchema.parse({ model: 'late', output: '$2' }));
    expect((await stored()).get('CompletionRatio').late).toBe(0.5);
  });

  it('keeps every group, also while one is removed', async () => {
    const all = others.map((options) => createGroupSettings({ database: services.database, options }));
    await all[0]?.set(root, groupSetSchema.parse({ name: 'gone', ratio: 1 }));
    await Promise.all([
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) =>
        all[index % all.length]?.set(root, groupSetSchema.parse({ name, ratio: index, usable: true })),
      ),
      all[2]?.remove(root, 'gone'),
    ]);
    const options = await stored();
    expect(Object.keys(options.get('GroupRatio')).filter((name) => name.length === 1)).toHaveLength(6);
    expect(options.get('GroupRatio')).not.toHaveProperty('gone');
    expect(Object.keys(options.get('UserUsableGroups'))).toEqual(
      expect.arrayContaining(['a', 'b', 'c', 'd', 'e', 'f']),
    );
  });

  it('refuses a change made from an older version, and says what it is now and who changed it', async () => {
    const [mine, theirs] = others;
    if (!mine || !theirs) throw new Error('there are three');
    await mine.load();
    const { version } = mine.getOne(root, 'Notice');
    expect(version).toBe('');
    await theirs.set({ ...root, name: 'alice' }, 'Notice', 'theirs');
    const attempt = (seen: string) =>
      mine.setMany(root, [
        { key: 'RetryTimes', value: '7' },
        { key: 'Notice', value: 'mine', version: seen },
      ]);
    const refusal = await attempt(version).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'option.stale',
      details: { keys: 'Notice', names: 'alice' },
      data: { conflicts: [{ key: 'Notice', value: 'theirs', changed_by: 'alice', changed_at: expect.any(Number) }] },
    });
    expect((await stored()).get('RetryTimes')).toBe(2);
    const { data } = refusal as { data: { conflicts: { version: string }[] } };
    await attempt(data.conflicts[0]?.version ?? '');
    expect((await stored()).get('Notice')).toBe('mine');
  });

  it('lets two people who write the same do so, and consoles that send no version', async () => {
    const [mine, theirs] = others;
    await theirs?.set(root, 'About', 'same');
    await mine?.setMany(root, [{ key: 'About', value: 'same', version: 'older' }]);
    await mine?.set(root, 'About', 'without version');
    expect((await stored()).get('About')).toBe('without version');
  });

  it('gives each stored text a version of its own, a secret too, which does not tell the secret', async () => {
    const { options } = services;
    const versions = new Set<string>();
    for (const value of ['one', 'two', 'two']) {
      await options.set(root, 'SMTPToken', value);
      versions.add(options.getOne(root, 'SMTPToken').version);
    }
    expect(versions.size).toBe(3);
    await options.reset(root, 'SMTPToken');
    expect(options.getOne(root, 'SMTPToken').version).toBe('');
  });
});

describe('the text of an option', () => {
  let services: TestServices;
  beforeAll(async () => {
    services = await createTestServices('sqlite');
  });
  afterAll(() => services.remove());

  const laidOut = '{\n    "default": 1,\n    "vip": 0.5\n}';

  it('is kept as it was typed', async () => {
    const { options } = services;
    await options.set(root, 'GroupRatio', laidOut);
    expect(options.getOne(root, 'GroupRatio').value).toBe(laidOut);
    const words = 'first\n\n  second  \n';
    await options.set(root, 'SensitiveWords', words);
    expect(options.getOne(root, 'SensitiveWords').value).toBe(words);
    expect(options.get('SensitiveWords')).toEqual(['first', 'second']);
  });

  it('stays on several lines when one entry of it is changed', async () => {
    const { options, database } = services;
    await options.set(root, 'GroupRatio', laidOut);
    await createGroupSettings({ database, options }).set(root, groupSetSchema.parse({ name: 'gold', ratio: 2 }));
    expect(options.getOne(root, 'GroupRatio').value).toBe('{\n  "default": 1,\n  "vip": 0.5,\n  "gold": 2\n}');
  });
});
