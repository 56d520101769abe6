import { randomFillSync } from 'node:crypto';

const bytesPerId = 10;
// Random bytes are drawn a block at a time: one call into the system costs more than the rest of the id.
const pool = Buffer.allocUnsafe(bytesPerId * 400);
let used = pool.length;

let lastMs = -1;
let lastTime = '';

/** A UUIDv7: 48 bits of unix milliseconds, 74 random bits, so ids sort by time and their index stays in memory. */
export function newRequestId(nowMs: number = Date.now()): string {
  if (used >= pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    const time = nowMs.toString(16).padStart(12, '0');
    lastTime = `${time.slice(0, 8)}-${time.slice(8)}-`;
  }
  // The version is 7, the variant the two bits 10.
  pool[used] = 0x70 | ((pool[used] ?? 0) & 0x0f);
  pool[used + 2] = 0x80 | ((pool[used + 2] ?? 0) & 0x3f);
  const random = pool.toString('hex', used, used + bytesPerId);
  used += bytesPerId;
  return `${lastTime}${random.slice(0, 4)}-${random.slice(4, 8)}-${random.slice(8)}`;
}

export const isRequestId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text);
