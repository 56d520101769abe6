import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, systemActor } from '../../../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../../../core/schemas/channel.ts';
import { logClearSchema } from '../../../../core/schemas/log.ts';
import { tokenCreateSchema } from '../../../../core/schemas/token.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('books on %s', (engine) => {
  let services: TestServices;
  let alice: Actor;
  let tokenId: number;
  let channelId: number;
  let calls = 0;

  beforeAll(async () => {
    services = await createTestServices(engine);
    await services.root.ensure({} as never);
    alice = await services.createUser('alice');
    await services.users.adjustQuota(systemActor, { id: alice.id, amount: 10_000, note: '' });
    tokenId = (await services.tokens.create(alice, tokenCreateSchema.parse({ name: 't', remain_quota: 5000 }))).id;
    const input = { type: 1, name: 'c', key: 'k', models: 'gpt-4o' };
    channelId = (await services.channels.create(systemActor, channelCreateSchema.parse(input)))[0]?.id ?? 0;
  });
  afterAll(() => services.remove());

  /** One call, settled `age` seconds ago as far as its log row is concerned. */
  async function call(quota: number, age = 0, isLogged = true) {
    const id = `call-${calls++}`;
    expect(await services.ledger.hold({ id, userId: alice.id, tokenId, amount: 100 })).toEqual({ ok: true });
    const created_at = services.now() - age;
    const log = {
      created_at,
      content: '',
      username: 'alice',
      token_name: 't',
      model_name: 'gpt-4o',
      prompt_tokens: 5,
      completion_tokens: 5,
      use_time: 1,
      is_stream: false,
      group: 'default',
      other: '',
    };
    const hour = created_at - (created_at % 3600);
    const usage = { model_name: 'gpt-4o', username: 'alice', hour, token_used: 10 };
    const settlement = { id, userId: alice.id, tokenId, channelId, actual: quota, accessedAt: created_at };
    await services.ledger.settle({ ...settlement, ...(isLogged && { log, usage }) });
  }
  const differences = async () => (await services.ledger.verify()).differences;

  it('are right after accounts, tokens and calls, edits and switches', async () => {
    await call(70);
    await call(30);
    await services.users.update(systemActor, { id: alice.id, quota: 20_000, quota_loaded: 10_000 });
    await services.tokens.update(alice, { id: tokenId, remain_quota: 9000, remain_quota_loaded: 5000 });
    await services.tokens.update(alice, { id: tokenId, unlimited_quota: true });
    expect(await differences()).toEqual([]);
    expect(await services.users.get(alice, alice.id)).toMatchObject({
      quota: 19_900,
      used_quota: 100,
      request_count: 2,
    });
    expect(await services.tokens.get(alice, tokenId)).toMatchObject({ remain_quota: 8900, used_quota: 100 });
  });

  it('are right while consumption is not logged, and after old log rows were cleared', async () => {
    for (let index = 0; index < 20; index++) await call(index, 100_000 + 1000 * index);
    expect(await differences()).toEqual([]);
    await services.options.set(systemActor, 'LogConsumeEnabled', 'false');
    await call(40, 0, false);
    await services.options.set(systemActor, 'LogConsumeEnabled', 'true');
    expect(await differences()).toEqual([]);
    const before = services.now() - 105_500;
    expect(await services.logs.clear(systemActor, logClearSchema.parse({ target_timestamp: before }))).toBe(14);
    expect(await differences()).toEqual([]);
    expect((await services.channels.get(systemActor, channelId)).used_quota).toBe(100 + 190 + 40);
  });

  it('show a log row that was deleted by hand', async () => {
    await call(7);
    await services.database.logs.destroy({ where: { quota: 7 } });
    expect((await differences()).map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['user', 'token', 'channel']),
    );
  });
});
