import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeListener } from '../../../core/database/change-feed.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { tokenCreateSchema } from '../../../core/schemas/token.ts';
import { createCallerService } from '../../../core/services/caller.ts';
import { createTestServices, type TestServices } from '../../support/services.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices('sqlite');
});
afterAll(() => services.remove());

describe('the memory for keys', () => {
  it('keeps those that exist through a flood of made-up ones, and forgets the oldest of these', async () => {
    const listeners: ChangeListener[] = [];
    const feed = { subscribe: (listener: ChangeListener) => void listeners.push(listener) };
    const reads: unknown[] = [];
    const { database, secretBox } = services;
    const tokens = new Proxy(database.tokens, {
      get(target, name) {
        if (name === 'findOne') reads.push(name);
        return Reflect.get(target, name, target);
      },
    });
    const callers = createCallerService({
      database: { ...database, tokens },
      feed: feed as never,
      secretBox,
      groups: { usable: () => true, hasRatio: () => true },
      format: () => ({ quotaPerUnit: 500_000, inCurrency: true }),
      nowSeconds: services.now,
    });
    const user = await services.createUser('alice');
    const input = tokenCreateSchema.parse({ name: 'test', unlimited_quota: true, remain_quota: 0 });
    const { key } = await services.tokens.create(systemActor, input, { userId: user.id });
    const asked = async (credential: string) => {
      const before = reads.length;
      await callers.authenticate(credential, '127.0.0.1').catch(() => undefined);
      return reads.length - before;
    };

    expect(await asked(`sk-${key}`)).toBe(1);
    for (let index = 0; index < 2100; index += 1) await asked(`sk-madeup${index}`);
    expect(await asked(`sk-${key}`)).toBe(0);
    expect(await asked('sk-madeup2100')).toBe(1);
    expect(await asked('sk-madeup2100')).toBe(0);
  });
});
