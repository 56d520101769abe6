import type { CallSummary } from '../call.ts';

const windowMs = 5 * 60_000;
const suspicious = 20;

interface UnchargedCalls {
  /** For an administrator to act upon; the last of the calls shows where to look. */
  alarm(calls: number, last: CallSummary): void;
  /** Monotonic milliseconds. */
  now?(): number;
}

/**
 * Many complete responses at a price, of which none was charged, are a fault that no single bill shows: an upstream that delivers
 * nothing, or a mistake of ours. Said once in five minutes.
 */
export function watchUncharged({ alarm, now = () => performance.now() }: UnchargedCalls) {
  let beganAt = Number.NEGATIVE_INFINITY;
  let calls = 0;
  let quota = 0;
  return function note(summary: CallSummary): void {
    if (!summary.isPriced || summary.outcome !== 'complete') return;
    if (now() - beganAt >= windowMs) {
      beganAt = now();
      calls = 0;
      quota = 0;
    }
    calls += 1;
    quota += summary.quota;
    if (calls === suspicious && quota === 0) alarm(calls, summary);
  };
}
