import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../../core/app.ts';
import { loadConfig } from '../../../core/config.ts';
import { createDatabaseClock } from '../../../core/database/database-clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { tokenCreateSchema } from '../../../core/schemas/token.ts';
import { createCallerService } from '../../../core/services/caller.ts';
import { createOauthStates } from '../../../core/services/sign-in/oauth-state.ts';
import { createTemporaryTarget } from '../../support/temporary-database.ts';

describe('two nodes whose clocks are ten minutes apart', () => {
  let fast: App;
  let slow: App;
  let remove: () => Promise<void>;
  const seconds = () => Math.floor(Date.now() / 1000);

  beforeAll(async () => {
    const bed = await createTemporaryTarget('postgres');
    remove = bed.remove;
    const open = (name: string, apartSeconds: number) => {
      const directory = join(bed.directory, name);
      mkdirSync(directory);
      const environment = {
        TOLLGATE_HOME: directory,
        LOG_LEVEL: 'silent',
        CRYPTO_SECRET: 'the same on both',
        TOLLGATE_ROOT_PASSWORD: 'correct horse battery',
        ...(bed.target.engine === 'postgres' && { SQL_DSN: bed.target.url }),
      };
      return createApp(loadConfig({}, environment), { nodeMs: () => Date.now() + apartSeconds * 1000 });
    };
    fast = await open('fast', 300);
    slow = await open('slow', -300);
  });
  afterAll(async () => {
    await fast.close();
    await slow.close();
    await remove();
  });

  it('agree on the time', () => {
    expect(Math.abs(fast.now() - slow.now())).toBeLessThanOrEqual(1);
    expect(Math.abs(fast.now() - seconds())).toBeLessThanOrEqual(2);
  });

  it('agree on which tokens, codes and states have expired', async () => {
    const root = await fast.database.users.findOne({ where: { username: 'root' }, raw: true, rejectOnEmpty: true });
    const actor = { ...systemActor, id: root.id, name: 'root', role: 100 };
    const input = { name: 'soon', unlimited_quota: true, expired_time: seconds() + 100 };
    const { key, id } = await slow.services.tokens.create(systemActor, tokenCreateSchema.parse(input), {
      userId: root.id,
    });
    const format = () => ({ quotaPerUnit: 500_000, inCurrency: true });
    const call = ({ database, feed, secretBox, services: { groups }, now: nowSeconds }: App) =>
      createCallerService({ database, feed, secretBox, groups, format, nowSeconds }).authenticate(
        `sk-${key}`,
        '127.0.0.1',
      );
    for (const node of [fast, slow]) await expect(call(node)).resolves.toMatchObject({ tokenName: 'soon' });
    await fast.database.tokens.update({ expired_time: seconds() - 100 }, { where: { id } });
    for (const node of [fast, slow]) await expect(call(node)).rejects.toMatchObject({ code: 'token.expired' });

    const code = { name: 'soon', quota: 100, count: 2, expired_time: seconds() + 100 };
    const [open = '', over = ''] = await slow.services.redemptions.create(systemActor, code);
    await slow.database.redemptions.update(
      { expired_time: seconds() - 100 },
      { where: { key_hash: slow.secretBox.lookupHash(over) } },
    );
    for (const node of [fast, slow]) {
      const redeeming = node.services.redemptions.redeem(actor, over);
      await expect(redeeming).rejects.toMatchObject({ code: 'redemption.expired' });
    }
    expect(await fast.services.redemptions.redeem(actor, open)).toBe(100);
    const log = await slow.database.logs.findOne({ order: [['id', 'DESC']], raw: true, rejectOnEmpty: true });
    expect(Math.abs(Number(log.created_at) - seconds())).toBeLessThanOrEqual(10);

    const binding = { browser: 'a browser', userId: 0 };
    const states = (app: App) => createOauthStates({ database: app.database, secretBox: app.secretBox, now: app.now });
    const state = await states(slow).begin(binding, { inviterCode: '', hasChallenge: false });
    await slow.database.sequelize.query('UPDATE one_time_codes SET expires_at = :at', {
      replacements: { at: seconds() + 100 },
    });
    expect(await states(fast).take(state, binding)).toMatchObject({ hasChallenge: false });
  });

  it('measure again now and then, and keep what they know while the database does not respond', async () => {
    let apart = 0;
    let isDown = false;
    let failures = 0;
    const database = {
      engine: 'postgres' as const,
      select: <T extends object>(text: string) =>
        isDown ? Promise.reject(new Error('down')) : fast.database.select<T>(text),
    };
    const clock = await createDatabaseClock({
      database,
      everyMs: 20,
      nodeMs: () => Date.now() + apart,
      onError: () => {
        failures += 1;
      },
    });
    apart = 3_600_000;
    await expect.poll(() => Math.abs(clock.now() - seconds()) <= 2).toBe(true);
    isDown = true;
    await expect.poll(() => failures).toBeGreaterThan(0);
    expect(Math.abs(clock.now() - seconds())).toBeLessThanOrEqual(2);
    clock.close();
  });
});
