import { coded } from '../text/coded.ts';

/** Milliseconds as people read them, as a code: `820 ms`, `3.4 s`. */
export const durationText = (ms: number): string =>
  ms < 1000
    ? coded('duration.milliseconds', { value: Math.round(ms) })
    : coded('duration.seconds', { value: Math.round(ms / 100) / 10 });
