import type { FirstTokenLimit } from '../../schemas/first-token.ts';
import type { Breaker } from '../attempt/breaker.ts';
import type { ReadCall } from '../call.ts';
import { paceOf } from '../first-token/pace.ts';
import type { FirstTokenTimes } from '../first-token/times.ts';
import { firstTokenLimit } from '../first-token/watch.ts';
import type { RelayLimits, RelayOptions } from '../relay-options.ts';
import type { ExplainedTurn } from './turns.ts';

interface TurnsOfCall {
  turns: readonly ExplainedTurn[];
  retries: number;
}

interface LimitTools {
  options: RelayOptions;
  limits: RelayLimits;
  breaker: Breaker;
  firstTokens: FirstTokenTimes;
}

/** By channel, how long a stream may take until its first token when it is the first of its turn; without the channels that have no limit. */
export function firstTokenLimits(
  run: Omit<ReadCall, 'media'>,
  { turns, retries }: TurnsOfCall,
  tools: LimitTools,
): Map<number, FirstTokenLimit> {
  const limits = new Map<number, FirstTokenLimit>();
  if (!run.request.stream) return limits;
  for (const { channel, turn } of turns) {
    if (turn === undefined) continue;
    const before = turns.filter((other) => other.turn !== undefined && other.turn < turn).length;
    const others =
      retries > before ? turns.filter((other) => other.channel !== channel && (other.turn ?? turn) >= turn) : [];
    const left = {
      othersLeft: others.length > 0,
      othersWell: others.some((other) => tools.breaker.allows(other.channel.id)),
    };
    const limit = firstTokenLimit(paceOf(run, channel), left, tools);
    if (limit) limits.set(channel.id, limit);
  }
  return limits;
}
