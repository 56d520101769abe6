import bcrypt from 'bcryptjs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  hashPassword,
  PasswordQueueError,
  setPasswordCost,
  shippedCost,
  verifyPassword,
} from '../../../core/lib/password.ts';

beforeAll(() => setPasswordCost(shippedCost));

describe('password', () => {
  it('is verified against its own hash only', async () => {
    const stored = await hashPassword('correct horse');
    expect(stored).toMatch(/^\$scrypt\$N=32768,r=8,p=3\$/);
    expect(await verifyPassword('correct horse', stored)).toEqual({ ok: true, needsRehash: false });
    expect(await verifyPassword('correct horsf', stored)).toEqual({ ok: false, needsRehash: false });
    expect(await hashPassword('correct horse')).not.toBe(stored);
  });

  it('of an imported account is verified and asks for a new hash', async () => {
    const stored = (await bcrypt.hash('123456', 4)).replace(/^\$2b/, '$2a');
    expect(await verifyPassword('123456', stored)).toEqual({ ok: true, needsRehash: true });
    expect((await verifyPassword('1234567', stored)).ok).toBe(false);
  });

  it('never matches an unreadable hash', async () => {
    for (const stored of ['', 'x', '$scrypt$', '$scrypt$N=1,r=1,p=1$$']) {
      expect((await verifyPassword('', stored)).ok).toBe(false);
    }
  });

  it('is refused at once when 20 wait already, and the waiting ones still get their result', async () => {
    const stored = await bcrypt.hash('pass word', 4);
    const results = await Promise.allSettled(Array.from({ length: 25 }, () => verifyPassword('pass word', stored)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(4);
    expect(refused.every(({ reason }) => reason instanceof PasswordQueueError)).toBe(true);
    expect(results.filter((result) => result.status === 'fulfilled' && result.value.ok)).toHaveLength(21);
    expect((await verifyPassword('pass word', stored)).ok).toBe(true);
  });
});
