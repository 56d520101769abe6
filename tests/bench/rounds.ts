import type { CallShape, ClientProtocol } from './calls.ts';
import type { BenchChild } from './child.ts';
import type { RunningServer } from './gateway.ts';
import type { LoadPlan, LoadResult } from './load-plan.ts';
import { cpuSeconds } from './process-meter.ts';

/** A server under load: the bare pass-through, or Tollgate. */
export interface Side {
  server: RunningServer;
  key: string;
  headers?: Record<string, string>;
  /** What its clients speak; OpenAI's chat protocol when left out. */
  protocol?: ClientProtocol;
}

/** What the gateway was asked and what it gave, over the whole run; checked against its rows at the end. */
export interface Tally {
  right: number;
  wrong: number;
  firstWrong: string | undefined;
}

export interface Window extends LoadResult {
  cpuSeconds: number;
}

export interface Load {
  shape: CallShape;
  pace: LoadPlan['pace'];
}

/** Puts one piece of load on one side and measures the CPU its processes used meanwhile. */
export async function measure(generator: BenchChild, side: Side, load: Load): Promise<Window> {
  const { server, key, headers, protocol } = side;
  const plan: LoadPlan = { port: server.port, key, headers, protocol, ...load };
  const before = cpuSeconds(side.server.pid);
  const result = await generator.ask<LoadResult>(plan);
  return { ...result, cpuSeconds: cpuSeconds(side.server.pid) - before };
}

export interface Rounds {
  raw: Window[];
  tollgate: Window[];
  /** The bare pass-through a second time in each round: its distance from `raw` is the noise. */
  rawAgain: Window[];
}

interface RoundOptions {
  generator: BenchChild;
  raw: Side;
  tollgate: Side;
  tally: Tally;
  count: number;
  load: Load;
  warmUp: Load;
}

export async function interleave({
  generator,
  raw,
  tollgate,
  tally,
  count,
  load,
  warmUp,
}: RoundOptions): Promise<Rounds> {
  const rounds: Rounds = { raw: [], tollgate: [], rawAgain: [] };
  for (const side of [raw, tollgate]) {
    const warm = await measure(generator, side, warmUp);
    if (side === tollgate) add(tally, warm);
  }
  for (let round = 0; round < count; round += 1) {
    rounds.raw.push(await measure(generator, raw, load));
    const window = await measure(generator, tollgate, load);
    add(tally, window);
    rounds.tollgate.push(window);
    rounds.rawAgain.push(await measure(generator, raw, load));
  }
  for (const window of [...rounds.raw, ...rounds.rawAgain]) {
    if (window.wrong > 0) throw new Error(`the bare pass-through answered wrong: ${window.firstWrong}`);
  }
  return rounds;
}

export function add(tally: Tally, window: LoadResult): void {
  tally.right += window.right;
  tally.wrong += window.wrong;
  tally.firstWrong ??= window.firstWrong;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Medians of one number per window: the bare side over both its turns, and its second turn against its first. */
export function compare(rounds: Rounds, read: (window: Window) => number) {
  const of = (windows: Window[]) => median(windows.map(read));
  return {
    raw: of([...rounds.raw, ...rounds.rawAgain]),
    tollgate: of(rounds.tollgate),
    noise: of(rounds.rawAgain) / of(rounds.raw),
  };
}
