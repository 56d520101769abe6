import type { ErrorRule } from '../../errors/classify-upstream.ts';
import { isJsonObject } from '../../lib/json-value.ts';

/** The vendor publishes no codes; its words have to tell (AI Proxy sheet). */
export const libraryErrors: readonly ErrorRule[] = [
  { words: ['余额', 'point', 'balance'], kind: 'balance' },
  { words: ['key', '未授权', 'unauthorized'], kind: 'dead' },
  { status: [400], kind: 'client' },
];

/** Failures come with HTTP 200. */
export function isFailure(body: unknown): boolean {
  if (!isJsonObject(body)) return false;
  const { success, errCode: code, error } = body;
  return success === false || (code !== undefined && code !== null && code !== 0) || error !== undefined;
}
