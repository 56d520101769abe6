import type { ServerTool, ServiceTier } from '../schemas/surcharge.ts';

export type { ServerTool, ServiceTier } from '../schemas/surcharge.ts';

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
  /** How often the upstream used tools of its own; billed by use, not as tokens. Left out when it used none. */
  serverTools?: ServerToolUse;
  /** How the call was served, where that has a price of its own; as the upstream reports it, not as the client asked. */
  serviceTiers?: readonly ServiceTier[];
  /** What a rerank counted as at an upstream that sells searches. */
  searches?: number;
  /** Length of the sound that a transcription heard, where the upstream tells it instead of tokens. */
  heardSeconds?: number;
}

export type ServerToolUse = Partial<Record<ServerTool, number>>;

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

/** Uses of one more tool; the same object while there are none. */
export function withTool(use: ServerToolUse | undefined, tool: ServerTool, count: number): ServerToolUse | undefined {
  return count > 0 ? { ...use, [tool]: (use?.[tool] ?? 0) + count } : use;
}
