import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../support/temporary-database.ts';

describe.each(engines)('transactions on %s', (engine) => {
  let bed: TemporaryDatabase;
  beforeAll(async () => {
    bed = await createTemporaryDatabase(engine);
    await bed.database.options.create({ key: 'count', value: '0' });
  });
  afterAll(() => bed.remove());

  const add = () =>
    bed.database.transaction(async (transaction) => {
      const lock = engine === 'postgres' ? ' FOR UPDATE' : '';
      const [row] = await bed.database.select<{ value: string }>(
        `SELECT value FROM options WHERE key = 'count'${lock}`,
        {},
        transaction,
      );
      const value = String(Number(row?.value) + 1);
      await bed.database.options.update({ value }, { where: { key: 'count' }, transaction });
    });

  it('are many at once without keeping each other from the end', async () => {
    await Promise.all(Array.from({ length: 60 }, add));
    expect(await bed.database.options.findByPk('count', { raw: true })).toMatchObject({ value: '60' });
  });

  it('let the next one begin after one that failed', async () => {
    const failed = bed.database.transaction(async () => {
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await add();
    expect(await bed.database.options.findByPk('count', { raw: true })).toMatchObject({ value: '61' });
  });
});
