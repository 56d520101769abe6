import { randomFillSync } from 'node:crypto';

const bytesPerId = 10;
// Random bytes are drawn a block at a time: one call into the system costs more than the rest of the id.
const pool = Buffer.allocUnsafe(bytesPerId * 400);
let used = pool.length;

/** A UUIDv7: 48 bits of unix milliseconds, 74 random bits, so ids sort by time and their index stays in memory. */
export function newRequestId(nowMs: number = Date.now()): string {
  if (used >= pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const time = nowMs.toString(16).padStart(12, '0');
  const version = (0x7000 | (pool.readUInt16BE(used) & 0x0fff)).toString(16);
  const variant = (0x8000 | (pool.readUInt16BE(used + 2) & 0x3fff)).toString(16);
  const rest = pool.toString('hex', used + 4, used + bytesPerId);
  used += bytesPerId;
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${rest}`;
}
