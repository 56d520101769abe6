import type { FirstTokenLimit, FirstTokenSource } from '../../schemas/first-token.ts';
import type { FirstTokenRecord } from './times.ts';

interface LimitFigures {
  /** With enough measurements. */
  minMs: number;
  /** Without. */
  unknownMs: number;
  /** As far as waits without a token may raise it: a channel that is silent for good must not be waited for longer and longer. */
  raisedMs: number;
}

export interface FirstTokenFigures {
  plain: LimitFigures;
  reasoning: LimitFigures;
  maxMs: number;
}

export const firstTokenFigures: FirstTokenFigures = {
  plain: { minMs: 10_000, unknownMs: 12_000, raisedMs: 60_000 },
  reasoning: { minMs: 30_000, unknownMs: 120_000, raisedMs: 600_000 },
  maxMs: 600_000,
};

/** Of fewer the longest is not the rule yet. */
const enoughSamples = 20;
const measuredFactor = 3;
const raisedFactor = 1.5;

/** What of a call has to do with how soon its first token comes. */
export interface CallPace {
  /** A reasoning model, or a call that asks for reasoning. */
  reasons: boolean;
  /** How much longer this prompt may take than a short one, 1 for that. */
  load: number;
}

/**
 * The limit that suits what a model on a channel took of late. Waits that ended without a token raise it, by half at a time and only
 * from the third on: a channel that has become slow is heard again, one that is silent is left as soon as before.
 */
export function measuredLimit(
  { samples, p99Ms, abandoned, waitedMs }: FirstTokenRecord,
  { reasons, load }: CallPace,
  figures: FirstTokenFigures,
): FirstTokenLimit {
  const { minMs, unknownMs, raisedMs } = reasons ? figures.reasoning : figures.plain;
  const isKnown = samples >= enoughSamples;
  const measured = p99Ms * measuredFactor * load;
  const raised = Math.min(waitedMs * raisedFactor * load, raisedMs);
  let ms = (isKnown ? minMs : unknownMs) * load;
  let source: FirstTokenSource = isKnown ? 'minimum' : 'default';
  if (measured > ms) [ms, source] = [measured, 'measured'];
  if (raised > ms) [ms, source] = [raised, 'abandoned'];
  const limit: FirstTokenLimit = { ms: Math.round(Math.min(ms, figures.maxMs)), source, samples, abandoned };
  if (samples > 0) limit.p99_ms = Math.round(p99Ms);
  if (source === 'measured') limit.factor = measuredFactor;
  if (source === 'abandoned') limit.factor = raisedFactor;
  if (load > 1) limit.prompt_factor = Math.round(load * 10) / 10;
  if (reasons) limit.reasoning = true;
  return limit;
}
