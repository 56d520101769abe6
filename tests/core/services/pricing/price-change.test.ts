import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('the history of a model’s price on %s', (engine) => {
  let services: TestServices;
  beforeAll(async () => {
    services = await createTestServices(engine);
  });
  afterAll(() => services.remove());

  const historyOf = async (model: string) => {
    const input = { page: 1, page_size: 20, action: '', object_kind: 'price', object_id: model, actor: '' };
    const { items } = await services.audit.list(systemActor, { ...input, start_timestamp: 0, end_timestamp: 0 });
    return items.map(({ action, before, after }) => ({ action, before, after }));
  };
  const set = (key: string, value: object) => services.options.set(systemActor, key, JSON.stringify(value));

  it('has each change in dollars, whichever table it was made in, and nothing of models that stay', async () => {
    await set('ModelRatio', { first: 1, second: 2 });
    await set('CompletionRatio', { first: 3, second: 1 });
    await set('ModelRatio', { first: 2, second: 2 });
    await set('ModelPrice', { second: 0.04 });
    await set('ModelRatio', { second: 2 });
    expect(await historyOf('first')).toEqual([
      { action: 'price.change', before: { input: 4, cached: 4, output: 12 }, after: { origin: 'cli' } },
      {
        action: 'price.change',
        before: { input: 2, cached: 2, output: 6 },
        after: { input: 4, cached: 4, output: 12, origin: 'cli' },
      },
      {
        action: 'price.change',
        before: { input: 2, cached: 2, output: 2 },
        after: { input: 2, cached: 2, output: 6, origin: 'cli' },
      },
      { action: 'price.change', before: {}, after: { input: 2, cached: 2, output: 2, origin: 'cli' } },
    ]);
    expect(await historyOf('second')).toEqual([
      { action: 'price.change', before: { input: 4, cached: 4, output: 4 }, after: { call: 0.04, origin: 'cli' } },
      { action: 'price.change', before: {}, after: { input: 4, cached: 4, output: 4, origin: 'cli' } },
    ]);
  });

  it('has nothing of an entry that says what the list says', async () => {
    await services.options.reset(systemActor, 'ModelRatio');
    await set('ModelRatio', { 'gpt-4o': 1.25 });
    expect(await historyOf('gpt-4o')).toEqual([]);
  });

  it('has hundreds of models that are changed at once, and not a table of thousands', async () => {
    const table = (size: number, first: number) =>
      set(
        'ModelRatio',
        Object.fromEntries(Array.from({ length: size }, (_, index) => [`many-${index}`, index + first])),
      );
    await table(400, 1);
    expect(await historyOf('many-399')).toMatchObject([{ after: { input: 800 } }]);
    await table(3000, 2);
    expect(await historyOf('many-399')).toHaveLength(1);
    expect(await historyOf('many-2999')).toEqual([]);
  });
});
