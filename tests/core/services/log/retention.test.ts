import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { createRetention } from '../../../../core/services/log/retention.ts';
import { addChannel, settlementOf } from '../../../support/ledger-books.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const day = 86_400;

describe.each(engines)('rows that come without end on %s', (engine) => {
  let services: TestServices;

  beforeAll(async () => {
    services = await createTestServices(engine);
  });
  afterAll(() => services.remove());

  const values = async (sql: string) =>
    (await services.database.select<{ value: unknown }>(sql)).map(({ value }) => value);

  it('go when their time is over, and the books stay provable', async () => {
    const { database, now, options, ledger } = services;
    const run = (sql: string) => database.sequelize.query(sql);
    const audit = (action: string, age: number) =>
      run(`INSERT INTO audits (created_at, action) VALUES (${now() - age * day}, '${action}')`);
    await audit('session.signInFailed', 91);
    await audit('session.signInFailed', 89);
    await audit('option.update', 400);
    const order = (name: string, status: string, age: number) =>
      run(
        `INSERT INTO top_ups (user_id, trade_no, status, create_time) VALUES (1, '${name}', '${status}', ${now() - age * day})`,
      );
    await order('old', 'pending', 31);
    await order('new', 'pending', 29);
    await order('paid', 'success', 31);
    const { id: userId } = await services.createUser('alice');
    await services.users.adjustQuota(systemActor, { id: userId, amount: 1000, note: '' });
    const channelId = await addChannel(services.bed);
    for (const [id, age] of [
      ['old', 800],
      ['new', 1],
    ] as const) {
      await ledger.hold({ id, userId, tokenId: 0, amount: 10 });
      const settlement = settlementOf({ id, userId, tokenId: 0, channelId, actual: 7 });
      Object.assign(settlement.log ?? {}, { created_at: now() - age * day });
      await ledger.settle(settlement);
    }
    const removeOld = createRetention({ database, options, now });
    expect(await removeOld(new AbortController().signal)).toBe(3);
    expect(await removeOld(new AbortController().signal)).toBe(0);
    expect(
      await values(
        "SELECT action AS value FROM audits WHERE action LIKE 'session%' OR action LIKE 'option%' ORDER BY id",
      ),
    ).toEqual(['session.signInFailed', 'option.update']);
    expect(await values('SELECT trade_no AS value FROM top_ups ORDER BY id')).toEqual(['new', 'paid']);
    expect(await values('SELECT count(*) AS value FROM usage_data').then(([count]) => Number(count))).toBe(1);
    expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
  });
});
