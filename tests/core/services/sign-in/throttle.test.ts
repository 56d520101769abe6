import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSecretBox } from '../../../../core/lib/secret-box.ts';
import { createSignInThrottle, type SignInThrottle } from '../../../../core/services/sign-in/throttle.ts';
import { createTemporaryDatabase, engines } from '../../../support/temporary-database.ts';

describe.each(engines)('guessing a password on %s', (engine) => {
  let bed: Awaited<ReturnType<typeof createTemporaryDatabase>>;
  let time = 0;
  let throttle: SignInThrottle;
  const open = () => {
    const { database } = bed;
    return createSignInThrottle({
      database,
      secretBox: createSecretBox(['test']),
      now: () => time,
      purpose: 'sign-in',
    });
  };
  beforeAll(async () => {
    bed = await createTemporaryDatabase(engine);
  });
  afterAll(() => bed.remove());
  beforeEach(async () => {
    await bed.database.sequelize.query('DELETE FROM sign_in_failures');
    time = 1_800_000_000;
    throttle = open();
  });
  const guess = (address = '192.0.2.1', account = 'alice', version = 3) =>
    throttle.begin({ account, address, version });
  const waitOf = (...of: Parameters<typeof guess>) =>
    guess(...of).then(
      () => 0,
      (error: { retryAfterSeconds: number }) => error.retryAfterSeconds,
    );

  it('S8 is free five times, then costs 1, 2, 4 … 900 seconds; a try that has to wait is not counted', async () => {
    const waits = [];
    for (let tries = 0; tries < 20; tries++) {
      await guess();
      const wait = await waitOf();
      // Not refused: it was counted as the next one.
      if (wait === 0) tries++;
      waits.push(wait);
      time += 900;
    }
    expect(waits).toEqual([0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900, 900]);
  });

  it('S8 keeps none of two tries at one moment waiting when they read the clock on both sides of a second', async () => {
    await guess();
    time -= 1;
    expect(await waitOf()).toBe(0);
  });

  it('S9 counts one IPv6 network as one address, and every other one by itself', async () => {
    for (let tries = 0; tries < 5; tries++) await guess(`2001:db8:1:2::${tries}`);
    expect(await waitOf('2001:db8:1:2:ffff::1')).toBe(1);
    expect(await waitOf('2001:db8:1:3::1')).toBe(0);
  });

  it('S8 lets no more tries through when they come at one time and in several processes', async () => {
    const processes = [open(), open(), open(), open()];
    const all = processes.flatMap((one) =>
      Array.from({ length: 10 }, () =>
        one.begin({ account: 'alice', address: '192.0.2.1', version: 3 }).then(
          () => 1,
          () => 0,
        ),
      ),
    );
    const through = (await Promise.all(all)).reduce<number>((sum, one) => sum + one, 0);
    expect(through).toBe(5);
  });

  it('S8 refuses none of four pages that all know the password, whichever is done first', async () => {
    const right = { account: 'alice', address: '192.0.2.1', version: 3 };
    await Promise.all(
      [open(), open(), open(), open()].map(async (page) => {
        for (let tries = 0; tries < 50; tries++) {
          await page.begin(right);
          await page.succeeded(right);
        }
      }),
    );
    expect(await bed.database.select('SELECT * FROM sign_in_failures')).toEqual([]);
  });

  it('S8 locks after 100 in a row from anywhere, until one is right, the password is new or a day is over', async () => {
    const lock = async () => {
      for (let tries = 0; tries < 100; tries++) expect(await guess(`10.0.${tries}.1`)).toEqual({ isLocked: false });
      expect(await guess('10.1.1.1')).toEqual({ isLocked: true });
      expect(await guess('10.1.1.1', 'bob')).toEqual({ isLocked: false });
    };
    await lock();
    await throttle.succeeded({ account: 'alice', address: '10.2.2.2', version: 3 });
    time += 1000;
    await lock();
    expect(await guess('10.3.3.3', 'alice', 4)).toEqual({ isLocked: false });
    time += 24 * 3600 + 1;
    await throttle.removeExpired();
    expect(await bed.database.select('SELECT * FROM sign_in_failures')).toEqual([]);
    await lock();
    // Further tries do not keep it locked.
    time += 12 * 3600;
    expect(await guess('10.4.4.4')).toEqual({ isLocked: true });
    time += 12 * 3600 + 1;
    expect(await guess('10.4.4.5')).toEqual({ isLocked: false });
  });

  it('F55 keeps no one out until a clock that was set back is there again', async () => {
    for (let tries = 0; tries < 100; tries++) {
      await guess();
      time += 900;
    }
    expect((await guess('198.51.100.7')).isLocked).toBe(true);
    time -= 3 * 86_400;
    expect(await waitOf()).toBe(0);
    expect((await guess('198.51.100.7')).isLocked).toBe(false);
  });

  it('keeps no name in clear: some of them are passwords', async () => {
    await guess('192.0.2.77', 'my secret password');
    expect(JSON.stringify(await bed.database.select('SELECT * FROM sign_in_failures'))).not.toMatch(/secret|192\.0/);
  });
});
