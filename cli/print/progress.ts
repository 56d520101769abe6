import type { Context } from '../context.ts';

export interface Progress {
  /** How much of the work is behind us. */
  at(done: number): void;
  /** Takes the bar off the screen. */
  end(): void;
}

const quietMs = 1000;
const redrawMs = 200;
const width = 20;

/** A bar with done, total, rate and the time that is left, on a screen and only when the work takes longer than a second. */
export function startProgress({ output, speak }: Pick<Context, 'output' | 'speak'>, total: number): Progress {
  const startedAt = performance.now();
  let done = 0;
  const draw = () => {
    const seconds = (performance.now() - startedAt) / 1000;
    if (seconds * 1000 < quietMs || total === 0) return;
    const rate = done / seconds;
    const filled = Math.round((Math.min(done, total) / total) * width);
    const bar = '#'.repeat(filled) + '-'.repeat(width - filled);
    const details = { done, total, rate: rate.toFixed(rate < 10 ? 1 : 0) };
    const left = rate > 0 ? ` · ${speak('progress.left', { time: duration((total - done) / rate) })}` : '';
    output.progress(`[${bar}] ${speak('progress.done', details)}${left}`);
  };
  const timer = setInterval(draw, redrawMs);
  timer.unref();
  return {
    at(count) {
      done = count;
    },
    end() {
      clearInterval(timer);
      output.progress(undefined);
    },
  };
}

export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
