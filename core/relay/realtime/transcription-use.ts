import { emptyUsage, type Usage } from '../../canonical/usage.ts';
import type { Priced } from '../../services/pricing/pricing.ts';
import type { TranscriptionUsage } from '../../wire/realtime/usage.ts';
import type { ChargedUse } from './session-bill.ts';

/** 0.006 US dollars a minute at whisper-1's ratio of 15 is 200 tokens a minute. */
const tokensPerMinute = 200;

/** Speech that was written down: by the upstream's count, else by the seconds that were heard. Undefined when there was none. */
export function transcriptionUse(
  reported: TranscriptionUsage | undefined,
  heardSeconds: number,
  { model, priced }: { model: string; priced: Priced },
): ChargedUse | undefined {
  const used = reported ?? { kind: 'seconds', seconds: heardSeconds };
  const usage: Usage =
    used.kind === 'tokens' ? used.usage : { ...emptyUsage, prompt: Math.ceil((used.seconds * tokensPerMinute) / 60) };
  if (usage.prompt + usage.completion === 0) return undefined;
  return {
    what: 'transcription',
    model,
    priced,
    usage,
    extras: {},
    flags: [],
    outcome: 'complete',
    usageSource: reported ? 'upstream' : 'measured',
    startedAt: performance.now(),
    firstTokenAt: undefined,
  };
}
