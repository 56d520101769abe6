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
    id: identity.id,
    object: 'chat.completion.chunk',
    created: identity.created,
    model: identity.model,
    system_fingerprint: identity.system_fingerprint ?? null,
    choices: [],
    usage: writeUsage(usage),
    ...writeServiceTier(usage),
  };
}
