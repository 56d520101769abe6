/** The targets of the performance sheet; both limits are the largest value that still meets them. */
export interface Target {
  figure: string;
  unit: '×' | 'ms' | 's' | 'KiB' | '';
  must?: number;
  goal?: number;
  /** Shown without a verdict: there is no target, the figure explains others. */
  digits: number;
}

export const targets = {
  cpuPerCall: { figure: 'CPU per plain call / raw, 64 callers', unit: '×', must: 3, goal: 2, digits: 2 },
  callsPerSecond: { figure: 'calls/s at 64 callers / raw', unit: '×', digits: 2 },
  cpuPerChunk: { figure: 'CPU per dense stream chunk / raw', unit: '×', must: 1.25, goal: 1.12, digits: 2 },
  firstToken: { figure: 'added first token over raw, 16 callers', unit: 'ms', must: 2, goal: 1, digits: 2 },
  addedMedian: { figure: 'added p50 at 200 calls/s over raw', unit: 'ms', must: 2, goal: 1.5, digits: 2 },
  addedTail: { figure: 'added p99 at 200 calls/s over raw', unit: 'ms', must: 10, goal: 5, digits: 2 },
  streamsBroken: { figure: 'slow streams not completed, of 1,000', unit: '', must: 0, goal: 0, digits: 0 },
  memoryPerStream: { figure: 'memory per held stream', unit: 'KiB', must: 60, digits: 1 },
  peakMemory: { figure: 'peak memory with 1,000 streams / raw', unit: '×', must: 1.5, goal: 1.2, digits: 2 },
  start: { figure: 'start to first answer', unit: 's', must: 2, goal: 0.6, digits: 2 },
  help: { figure: 'tollgate --help', unit: 's', must: 0.3, digits: 2 },
  hitsPerAnswer: { figure: 'upstream hits per answer', unit: '', must: 1, goal: 1, digits: 4 },
  wrong: { figure: 'answers wrong, or billed wrong', unit: '', must: 0, goal: 0, digits: 0 },
  lost: { figure: 'answers without a log row (lost)', unit: '', must: 0, goal: 0, digits: 0 },
  doubled: { figure: 'log rows without an answer (doubled)', unit: '', must: 0, goal: 0, digits: 0 },
} satisfies Record<string, Target>;

type TargetName = keyof typeof targets;

export interface Figure {
  name: TargetName;
  value: number;
  /** The numbers behind the value. */
  detail: string;
}

export type Verdict = 'goal' | 'ok' | 'missed' | '-';

export function verdictOf(target: Target, value: number): Verdict {
  if (target.must === undefined) return '-';
  // Judged as printed: 1.2501 against 1.25 is noise in the last digit.
  const shown = Number(value.toFixed(target.digits));
  if (target.goal !== undefined && shown <= target.goal) return 'goal';
  return shown <= target.must ? 'ok' : 'missed';
}
