import type { ResponseSpeed } from '../../services/health/cells.ts';
import type { ServedResponse } from '../run.ts';

/** Of fewer tokens, what lies between the first and the last says little. */
const minTokens = 16;

/** Of a stream; a plain response has no first token. `startedAt`: monotonic milliseconds. */
export function speedOf({ meter }: ServedResponse, startedAt: number): ResponseSpeed {
  const { contentAt, runningCompletion: tokens } = meter;
  if (contentAt === undefined) return { firstTokenMs: undefined, tokensPerSecond: undefined };
  const seconds = Math.max(performance.now() - contentAt, 1) / 1000;
  return {
    firstTokenMs: contentAt - startedAt,
    tokensPerSecond: tokens < minTokens ? undefined : tokens / seconds,
  };
}
