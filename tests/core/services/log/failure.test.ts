import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFailureLog, type FailedCall } from '../../../../core/services/log/failure.ts';
import { createRetention } from '../../../../core/services/log/retention.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const day = 86_400;

describe.each(engines)('rows of failed calls on %s', (engine) => {
  let services: TestServices;
  /** Seconds since the epoch, a full minute. */
  let time = 1_700_000_040;
  let number = 0;
  const errors: unknown[] = [];
  const values: Record<string, unknown> = { LogErrorEnabled: true, LogErrorsPerMinute: 2, LogErrorRetentionDays: 30 };
  const options = { get: ((key: string) => values[key] ?? 0) as TestServices['options']['get'] };

  beforeAll(async () => {
    services = await createTestServices(engine);
  });
  afterAll(() => services.remove());
  beforeEach(() => services.database.logs.destroy({ where: { type: 5 } }));

  const open = () =>
    createFailureLog({ database: services.database, options, onError: (error) => errors.push(error), now: () => time });
  const call = (tokenName: string): FailedCall => ({
    id: `call-${++number}`,
    caller: { userId: 1, username: 'root', tokenId: tokenName.length, tokenName, group: 'default' },
    model: 'gpt-4o',
    status: 503,
    outcome: 'unavailable',
    content: 'no channel',
    code: 'relay.noChannel',
    durationMs: 12.4,
    protocol: 'openai',
    isStream: false,
    attempts: [{ channel: 7, outcome: '500', ms: 3 }],
  });
  const rows = () => services.database.logs.findAll({ where: { type: 5 }, order: [['id', 'ASC']], raw: true });

  it('say what failed, and never take the request id that a charge would have', async () => {
    const log = open();
    const failed = call('a');
    log.note(failed);
    await log.flush();
    const [row] = await rows();
    expect(row).toMatchObject({
      created_at: time,
      channel_id: 7,
      model_name: 'gpt-4o',
      quota: 0,
      content: 'no channel',
    });
    expect(row?.request_id).not.toBe(failed.id);
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ status: 503, code: 'relay.noChannel', duration_ms: 12 });
    expect((await services.ledger.verify()).ok).toBe(true);
  });

  it('are counted in one row beyond the limit of a minute, for each token by itself', async () => {
    const log = open();
    for (const token of ['a', 'a', 'a', 'a', 'bb']) log.note(call(token));
    time += 60;
    log.note(call('a'));
    await log.flush();
    const all = await rows();
    expect(all.filter(({ token_name }) => token_name === 'bb')).toHaveLength(1);
    const counting = all.filter(({ request_id }) => request_id === null);
    expect(counting.map(({ other }) => JSON.parse(other))).toEqual([{ count: 2 }]);
    expect(counting[0]?.content).toContain('log.moreErrors');
    expect(all.filter(({ token_name }) => token_name === 'a')).toHaveLength(4);
  });

  it('are written once for each request, and a second one of it keeps no other out', async () => {
    const log = open();
    const failed = call('a');
    log.note(failed);
    log.note(failed);
    log.note(call('bb'));
    await log.flush();
    expect(await rows()).toHaveLength(2);
    expect(log.dropped()).toBe(0);
  });

  it('are all written when the server stops, the count of the last minute too', async () => {
    const log = open();
    for (const token of ['a', 'a', 'a']) log.note(call(token));
    await log.close();
    expect(await rows()).toHaveLength(3);
  });

  it('are not written where the operator wants none', async () => {
    values.LogErrorEnabled = false;
    const log = open();
    log.note(call('a'));
    await log.close();
    values.LogErrorEnabled = true;
    expect(await rows()).toEqual([]);
  });

  it('stop no call when the database refuses them, and are counted then', async () => {
    const log = open();
    await services.database.sequelize.query('ALTER TABLE logs RENAME TO logs_away');
    log.note(call('a'));
    await log.flush();
    await services.database.sequelize.query('ALTER TABLE logs_away RENAME TO logs');
    expect(log.dropped()).toBe(1);
    expect(errors).toHaveLength(1);
    log.note(call('a'));
    await log.flush();
    expect(await rows()).toHaveLength(1);
  });

  it('go after their own time, and leave all other rows', async () => {
    const log = open();
    log.note(call('a'));
    await log.close();
    await services.createUser('zoe');
    const others = () => services.database.logs.count({ where: { type: [1, 2, 3, 4] } });
    const before = await others();
    const removeAt = (now: number) =>
      createRetention({ database: services.database, options, now: () => now })(new AbortController().signal);
    await removeAt(time + 29 * day);
    expect(await rows()).toHaveLength(1);
    await removeAt(time + 31 * day);
    expect(await rows()).toEqual([]);
    expect(await others()).toBe(before);
  });
});
