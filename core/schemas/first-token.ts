import { z } from 'zod';
import { coded } from '../text/coded.ts';
import { durationText } from './duration.ts';

/** What decided: the operator, too few measurements, the minimum, measured times, or waits that ended without a token. */
const firstTokenSources = ['setting', 'default', 'minimum', 'measured', 'abandoned'] as const;

/** How long an attempt may take until its first token, and what that was made of; only `ms` and `source` for a setting. */
export const firstTokenLimitSchema = z.object({
  /** Milliseconds. */
  ms: z.number(),
  source: z.enum(firstTokenSources),
  /** Measured first tokens of this model on this channel, of its latest 100 requests. */
  samples: z.number().optional(),
  /** Their 99th percentile in milliseconds, for a short prompt; 0 without any. */
  p99_ms: z.number().optional(),
  /** Of those requests, how many waited without a token until they moved on. */
  abandoned: z.number().optional(),
  /** What the time measured or waited was multiplied with, apart from the prompt. */
  factor: z.number().optional(),
  /** How much longer this prompt may take than a short one, where that counts. */
  prompt_factor: z.number().optional(),
  /** The model or the request asks for reasoning, which has longer limits and is measured by itself. */
  reasoning: z.boolean().optional(),
});
export type FirstTokenLimit = z.output<typeof firstTokenLimitSchema>;
export type FirstTokenSource = FirstTokenLimit['source'];

/** As a person reads it, in codes: `firstToken.*` of the texts `detail`. */
export function firstTokenText(limit: FirstTokenLimit): string {
  const { source, samples = 0, p99_ms: p99 = 0, abandoned = 0, factor = 1, prompt_factor: load, reasoning } = limit;
  const details = { duration: durationText(limit.ms), samples, p99: durationText(p99), abandoned, factor };
  return [
    coded(`firstToken.${source}`, details),
    load === undefined ? '' : coded('firstToken.prompt', { factor: load }),
    reasoning ? coded('firstToken.reasoning') : '',
  ].join('');
}
