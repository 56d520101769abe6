import { createHash } from 'node:crypto';

/** A client's user may be the address of a person: only its hash leaves. */
export function hashedIdentifier(userId: string): string {
  return createHash('sha256').update(userId).digest('hex');
}
