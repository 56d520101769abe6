import type { Usage } from '../../canonical/usage.ts';
import { writeServiceTier, writeUsage } from './usage.ts';

/** What all chunks of one stream share. */
export interface StreamIdentity {
  id: string;
  model: string;
  /** Unix seconds. */
  created: number;
  system_fingerprint?: string | null;
}

/** The last chunk of a stream whose client asked for usage while the upstream reported none. */
export function usageChunk(identity: StreamIdentity, usage: Usage): Record<string, unknown> {
  return {
    ...frame(identity),
    choices: [],
    usage: writeUsage(usage),
    ...writeServiceTier(usage),
  };
}

/** The end of choices whose upstream left it to the end of the stream. */
export function finishChunk(
  identity: StreamIdentity,
  ends: readonly { choice: number; reason: string }[],
): Record<string, unknown> {
  return {
    ...frame(identity),
    choices: ends.map(({ choice, reason }) => ({ index: choice, delta: {}, logprobs: null, finish_reason: reason })),
  };
}

function frame({ id, created, model, system_fingerprint = null }: StreamIdentity): Record<string, unknown> {
  return { id, object: 'chat.completion.chunk', created, model, system_fingerprint };
}
