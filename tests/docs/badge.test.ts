import { describe, expect, it } from 'vitest';
import { badges, readBadge } from './badge.ts';

describe('the badges of the README', async () => {
  const drawn = await badges();

  it.each(Object.keys(drawn))('say what the package says: %s (npm run docs draws them again)', async (name) => {
    expect(await readBadge(name)).toBe(drawn[name]);
  });
});
