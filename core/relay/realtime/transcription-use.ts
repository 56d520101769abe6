import type { Priced } from '../../services/pricing/pricing.ts';
import type { TranscriptionUsage } from '../../wire/realtime/usage.ts';
import { heardUsage } from '../meter/estimate.ts';
import type { ChargedUse } from './session-bill.ts';

/** Speech that was written down: by the upstream's count, else by the seconds that were heard. Undefined when there was none. */
export function transcriptionUse(
  reported: TranscriptionUsage | undefined,
  heardSeconds: number,
  { model, priced }: { model: string; priced: Priced },
): ChargedUse | undefined {
  const used = reported ?? { kind: 'seconds', seconds: heardSeconds };
  const usage = used.kind === 'tokens' ? used.usage : heardUsage(model, used.seconds, priced.rates);
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
