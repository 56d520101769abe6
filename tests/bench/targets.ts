import type { LocalText } from '../support/local-text.ts';

/** The targets of the performance sheet; both limits are the largest value that still meets them. */
export interface Target {
  figure: LocalText;
  unit: '×' | 'ms' | 's' | 'KiB' | 'MiB' | '';
  must?: number;
  goal?: number;
  /** Shown without a verdict: there is no target, the figure explains others. */
  digits: number;
}

export const targets = {
  cpuPerCall: {
    figure: { en: 'CPU per plain call / raw, 64 callers', zh: '每次普通调用的 CPU / 直通，64 个并发' },
    unit: '×',
    must: 3,
    goal: 2,
    digits: 2,
  },
  callsPerSecond: {
    figure: { en: 'calls/s at 64 callers / raw', zh: '64 个并发时每秒调用数 / 直通' },
    unit: '×',
    digits: 2,
  },
  cpuPerChunk: {
    figure: { en: 'CPU per dense stream chunk / raw', zh: '密集流式分片的 CPU / 直通' },
    unit: '×',
    must: 1.25,
    goal: 1.12,
    digits: 2,
  },
  cpuPerConvertedChunk: {
    figure: {
      en: 'CPU per dense chunk for an Anthropic client on an OpenAI upstream / raw',
      zh: 'Anthropic 客户端使用 OpenAI 上游时密集分片的 CPU / 直通',
    },
    unit: '×',
    must: 3,
    digits: 2,
  },
  firstToken: {
    figure: { en: 'added time to first token over raw, 16 callers', zh: '相比直通增加的首 token 时间，16 个并发' },
    unit: 'ms',
    must: 2,
    goal: 1,
    digits: 2,
  },
  cpuAtRate: {
    figure: { en: 'CPU per call at 200 calls/s / raw', zh: '每秒 200 次调用时每次的 CPU / 直通' },
    unit: '×',
    must: 2.5,
    digits: 2,
  },
  addedMedian: {
    figure: { en: 'added p50 at 200 calls/s over raw', zh: '每秒 200 次调用时相比直通增加的 p50' },
    unit: 'ms',
    must: 2,
    goal: 1.5,
    digits: 2,
  },
  addedTail: {
    figure: { en: 'added p99 at 200 calls/s over raw', zh: '每秒 200 次调用时相比直通增加的 p99' },
    unit: 'ms',
    must: 10,
    goal: 5,
    digits: 2,
  },
  longestBlock: {
    figure: {
      en: 'longest block of the event loop, bodies of 1 to 30 MiB',
      zh: '请求体为 1 至 30 MiB 时事件循环的最长阻塞',
    },
    unit: 'ms',
    must: 50,
    digits: 0,
  },
  streamsBroken: {
    figure: { en: 'slow streams not completed, of 1,000', zh: '1000 个慢速流中未完成的数量' },
    unit: '',
    must: 0,
    goal: 0,
    digits: 0,
  },
  memoryPerStream: {
    figure: { en: 'memory per open stream', zh: '每个打开的流占用的内存' },
    unit: 'KiB',
    must: 60,
    digits: 1,
  },
  peakMemory: {
    figure: { en: 'peak memory with 1,000 streams / raw', zh: '1000 个流时的内存峰值 / 直通' },
    unit: '×',
    must: 1.5,
    goal: 1.2,
    digits: 2,
  },
  start: {
    figure: { en: 'start to first response', zh: '从启动到第一次响应' },
    unit: 's',
    must: 2,
    goal: 0.6,
    digits: 2,
  },
  idleMemory: {
    figure: { en: 'memory of an idle process', zh: '空闲进程的内存' },
    unit: 'MiB',
    must: 90,
    digits: 0,
  },
  help: { figure: { en: 'tollgate --help', zh: 'tollgate --help' }, unit: 's', must: 0.3, digits: 2 },
  hitsPerResponse: {
    figure: { en: 'upstream requests per response', zh: '每次响应的上游请求数' },
    unit: '',
    must: 1,
    goal: 1,
    digits: 4,
  },
  wrong: {
    figure: { en: 'responses wrong, or billed wrong', zh: '错误的响应或错误的计费' },
    unit: '',
    must: 0,
    goal: 0,
    digits: 0,
  },
  lost: {
    figure: { en: 'responses without a log (lost)', zh: '缺少日志的响应（丢失）' },
    unit: '',
    must: 0,
    goal: 0,
    digits: 0,
  },
  doubled: {
    figure: { en: 'logs without a response (duplicate)', zh: '没有对应响应的日志（重复）' },
    unit: '',
    must: 0,
    goal: 0,
    digits: 0,
  },
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
