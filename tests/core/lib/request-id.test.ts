import { describe, expect, it } from 'vitest';
import { newRequestId } from '../../../core/lib/request-id.ts';

describe('a request id', () => {
  it('M6 is a UUIDv7 of its moment', () => {
    const now = Date.parse('2026-03-04T05:06:07.089Z');
    for (let count = 0; count < 1000; count += 1) {
      const id = newRequestId(now);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(now);
    }
  });

  it('M6 comes once, and later ones sort behind', () => {
    const ids = Array.from({ length: 20_000 }, () => newRequestId());
    expect(new Set(ids).size).toBe(ids.length);
    expect(newRequestId(Date.now() + 1000) > (ids.at(-1) ?? '')).toBe(true);
    // Every random bit moves: 18 hex digits of chance take all their values.
    for (const at of [15, 16, 17, 20, 21, 22, 24, 35]) {
      expect(new Set(ids.map((id) => id[at])).size, `digit ${at}`).toBe(16);
    }
  });
});
