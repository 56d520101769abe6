import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeService, createCodeService } from '../../../../core/services/account/code.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('a one-time code on %s', (engine) => {
  let services: TestServices;
  let codes: CodeService;
  /** Stands still unless a test moves it. */
  let time = 1_800_000_000;
  beforeAll(async () => {
    services = await createTestServices(engine);
    const { database, secretBox } = services;
    codes = createCodeService({ database, secretBox, now: () => time });
  });
  afterAll(() => services.remove());

  const use = (checked: Awaited<ReturnType<CodeService['check']>>, purpose: 'email' | 'reset' = 'email') =>
    services.database.transaction((transaction) => codes.use(purpose, checked, transaction));

  it('has 6 characters for an address and 32 for a reset, of which only a hash is stored', async () => {
    const [code, token] = [await codes.issue('email', 'a@b.co'), await codes.issue('reset', 'a@b.co', { userId: 7 })];
    expect(code).toMatch(/^[0-9a-f]{6}$/);
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    const stored = JSON.stringify(await services.database.select('SELECT * FROM one_time_codes'));
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(token);
    expect(await codes.check('reset', 'a@b.co', ` ${token.toUpperCase()} `)).toMatchObject({ userId: 7 });
  });

  it('B18 is good once, for its own address and purpose', async () => {
    const code = await codes.issue('email', 'once@b.co');
    await expect(codes.check('email', 'other@b.co', code)).rejects.toMatchObject({ code: 'code.invalid' });
    await expect(codes.check('reset', 'once@b.co', code)).rejects.toMatchObject({ code: 'code.resetInvalid' });
    const checked = await codes.check('email', 'once@b.co', code);
    const outcomes = await Promise.allSettled([use(checked), use(checked), use(checked)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(codes.check('email', 'once@b.co', code)).rejects.toMatchObject({ code: 'code.invalid' });
  });

  it('stays good when what it was for came to nothing', async () => {
    const code = await codes.issue('email', 'rolled@b.co');
    const checked = await codes.check('email', 'rolled@b.co', code);
    const attempt = services.database.transaction(async (transaction) => {
      await codes.use('email', checked, transaction);
      throw new Error('name taken');
    });
    await expect(attempt).rejects.toThrow('name taken');
    await use(await codes.check('email', 'rolled@b.co', code));
  });

  it('S8 is worth 5 tries, also when they come at once', async () => {
    const code = await codes.issue('email', 'tries@b.co');
    const guesses = Array.from({ length: 20 }, () => codes.check('email', 'tries@b.co', 'zzzzzz').catch(() => 0));
    await Promise.all(guesses);
    await expect(codes.check('email', 'tries@b.co', code)).rejects.toMatchObject({ code: 'code.invalid' });
  });

  it('S8 that was mailed for a reset is not used up by strangers, who do not know how it begins', async () => {
    const token = await codes.issue('reset', 'victim@b.co', { userId: 7 });
    const guesses = ['x', '', '0'.repeat(32), 'f'.repeat(32), token.slice(1), ...Array.from({ length: 20 }, String)];
    for (const guess of guesses)
      await expect(codes.check('reset', 'victim@b.co', guess)).rejects.toMatchObject({ code: 'code.resetInvalid' });
    expect(await codes.check('reset', 'victim@b.co', token)).toMatchObject({ userId: 7 });
    // Who knows the beginning guesses at this one.
    for (let tried = 1; tried < 5; tried++)
      await expect(codes.check('reset', 'victim@b.co', `${token.slice(0, 31)}g`)).rejects.toThrow();
    await expect(codes.check('reset', 'victim@b.co', token)).rejects.toMatchObject({ code: 'code.resetInvalid' });
  });

  it('ends after 10 minutes', async () => {
    const code = await codes.issue('email', 'late@b.co');
    time += 599;
    await codes.check('email', 'late@b.co', code);
    time += 1;
    await expect(codes.check('email', 'late@b.co', code)).rejects.toMatchObject({ code: 'code.invalid' });
  });

  it('S8 is made every 30 seconds and 5 times an hour at most, decoys included', async () => {
    for (const isDecoy of [true, false]) {
      const subject = `often${isDecoy}@b.co`;
      for (let made = 0; made < 5; made++) {
        await codes.issue('email', subject, { isDecoy });
        const wait = made < 4 ? 30 : 3480;
        await expect(codes.issue('email', subject, { isDecoy })).rejects.toMatchObject({ retryAfterSeconds: wait });
        time += 30;
      }
      const refused = { code: 'code.tooMany', status: 429, retryAfterSeconds: 3450 };
      await expect(codes.issue('email', subject, { isDecoy })).rejects.toMatchObject(refused);
      // Another user's address is not affected.
      await codes.issue('email', `else${subject}`);
    }
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => codes.issue('reset', 'parallel@b.co')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('that is a decoy is never right', async () => {
    const code = await codes.issue('reset', 'decoy@b.co', { isDecoy: true });
    await expect(codes.check('reset', 'decoy@b.co', code)).rejects.toMatchObject({ code: 'code.resetInvalid' });
  });

  it('is cleared away once it counts for nothing', async () => {
    time += 3601;
    await codes.issue('email', 'fresh@b.co');
    await codes.removeExpired();
    expect(await services.database.select('SELECT subject FROM one_time_codes')).toEqual([{ subject: 'fresh@b.co' }]);
  });

  it('F55 is made again after the clock was set back', async () => {
    time += 86_400;
    await codes.issue('reset', 'back@b.co');
    time -= 86_400;
    await codes.issue('reset', 'back@b.co');
    await expect(codes.issue('reset', 'back@b.co')).rejects.toMatchObject({
      code: 'code.tooMany',
      details: { seconds: 30 },
    });
  });
});
