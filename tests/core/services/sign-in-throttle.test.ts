import { beforeEach, describe, expect, it } from 'vitest';
import { createSignInThrottle, type SignInThrottle } from '../../../core/services/sign-in-throttle.ts';

describe('guessing a password', () => {
  let time = 0;
  let throttle: SignInThrottle;
  beforeEach(() => {
    time = 1_800_000_000;
    throttle = createSignInThrottle(() => time);
  });
  const waitOf = (address = '192.0.2.1') => {
    try {
      throttle.check('alice', address);
      return 0;
    } catch (error) {
      return (error as { retryAfterSeconds: number }).retryAfterSeconds;
    }
  };

  it('S8 is free five times, then costs 1, 2, 4 … 900 seconds', () => {
    const waits = [];
    for (let tries = 0; tries < 20; tries++) {
      throttle.failed('alice', '192.0.2.1');
      waits.push(waitOf());
      time += 900;
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900, 900]);
  });

  it('S9 counts one IPv6 network as one address, and every other one by itself', () => {
    for (let tries = 0; tries < 6; tries++) throttle.failed('alice', `2001:db8:1:2::${tries}`);
    expect(waitOf('2001:db8:1:2:ffff::1')).toBe(2);
    expect(waitOf('2001:db8:1:3::1')).toBe(0);
  });

  it('S8 locks after 100 in a row from anywhere, until one is right, the password is new or a day is over', () => {
    const lock = () => {
      for (let tries = 0; tries < 99; tries++) throttle.failed('alice', `10.0.${tries}.1`, 3);
      expect(throttle.isLocked('alice', 3)).toBe(false);
      throttle.failed('alice', '10.1.1.1', 3);
      expect(throttle.isLocked('alice', 3)).toBe(true);
      expect(throttle.isLocked('bob', 3)).toBe(false);
    };
    lock();
    throttle.succeeded('alice', '10.2.2.2');
    lock();
    expect(throttle.isLocked('alice', 4)).toBe(false);
    lock();
    time += 24 * 3600 + 1;
    expect(throttle.isLocked('alice', 3)).toBe(false);
  });

  it('by a million names needs a bounded memory', () => {
    for (let name = 0; name < 150_000; name++) throttle.failed(`name ${name}`, '192.0.2.1');
    throttle.failed('name 149999', '192.0.2.1');
    expect(() => throttle.check('name 0', '192.0.2.1')).not.toThrow();
  });
});
