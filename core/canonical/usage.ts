/**
 * What one call consumed. Counts are tokens unless said otherwise, integers from 0 to 10^7.
 * `cachedRead`, `cacheWrite`, `audioInput` and `imageInput` are parts of `prompt`; `reasoning`, `audioOutput` and `imageOutput`
 * are parts of `completion`
 * (the OpenAI way of counting; adapters of vendors that count exclusively add up first).
 */
export interface Usage {
  prompt: number;
  completion: number;
  cachedRead: number;
  cacheWrite: number;
  reasoning: number;
  audioInput: number;
  audioOutput: number;
  /** Picture tokens; only models that draw report them. */
  imageInput?: number;
  imageOutput?: number;
  /** The part of `cacheWrite` that was written for an hour instead of five minutes (Anthropic prices it apart). */
  cacheWriteHour?: number;
  /** Searches the upstream made by itself; billed each, not as tokens. */
  webSearches?: number;
}

/** Where the counts come from: the upstream, our own tokeniser, or a fixed measure (characters, seconds, pictures). */
export type UsageSource = 'upstream' | 'counted' | 'measured';

export const emptyUsage: Usage = {
  prompt: 0,
  completion: 0,
  cachedRead: 0,
  cacheWrite: 0,
  reasoning: 0,
  audioInput: 0,
  audioOutput: 0,
};
