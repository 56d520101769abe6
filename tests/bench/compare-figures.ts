import type { Alternative } from './alternatives.ts';
import { eventsAround, plainShape } from './calls.ts';
import type { BenchChild } from './child.ts';
import { add, type Load, measure, median, type Side, type Tally, type Window } from './rounds.ts';

interface CompareOptions {
  generator: BenchChild;
  raw: Side;
  tollgate: Side;
  others: readonly Alternative[];
  tally: Tally;
  quick: boolean;
}

interface Part {
  title: string;
  load(quick: boolean): Load;
  read(window: Window): number;
  /** How one value is shown beside its ratio to the bare pass-through. */
  show(value: number): string;
}

const chunks = 500;
const parts: Part[] = [
  {
    title: 'CPU per plain call, 64 callers',
    load: (quick) => ({ shape: plainShape, pace: { kind: 'closed', callers: 64, seconds: quick ? 1 : 3 } }),
    read: ({ cpuSeconds, right }) => cpuSeconds / right,
    show: (value) => `${(value * 1e6).toFixed(0)} µs`,
  },
  {
    title: 'calls/s, 64 callers',
    load: (quick) => ({ shape: plainShape, pace: { kind: 'closed', callers: 64, seconds: quick ? 1 : 3 } }),
    read: ({ right, seconds }) => right / seconds,
    show: (value) => value.toFixed(0),
  },
  {
    title: 'CPU per stream chunk, 16 callers',
    load: (quick) => ({ shape: { chunks, everyMs: 1 }, pace: { kind: 'closed', callers: 16, seconds: quick ? 2 : 4 } }),
    read: ({ cpuSeconds, right }) => cpuSeconds / (right * (chunks + eventsAround)),
    show: (value) => `${(value * 1e6).toFixed(1)} µs`,
  },
  {
    title: 'first token, 16 callers',
    load: (quick) => ({
      shape: { chunks: 11, everyMs: 5 },
      pace: { kind: 'closed', callers: 16, seconds: quick ? 1 : 3 },
    }),
    read: ({ firstTokenMs }) => firstTokenMs.p50,
    show: (value) => `${value.toFixed(2)} ms`,
  },
];

export interface Compared {
  title: string;
  /** In the order of `names`. */
  cells: string[];
}

/** Every program under the same load in turn, round by round; medians, and their ratio to the bare pass-through. */
export async function compareAll(options: CompareOptions, progress: (text: string) => void) {
  const sides: Alternative[] = [
    { name: 'raw', ...options.raw },
    { name: 'Tollgate', ...options.tollgate },
    ...options.others,
  ];
  const rows: Compared[] = [];
  for (const part of parts) {
    progress(part.title);
    const values = await valuesOf(part, sides, options);
    const [raw] = values;
    const cells = values.map((value) =>
      value === undefined ? 'fails' : `${part.show(value)} (${(value / (raw ?? 1)).toFixed(2)} ×)`,
    );
    rows.push({ title: part.title, cells });
  }
  return { names: sides.map(({ name }) => name), rows };
}

/** Undefined for a program that responds wrong: what it said goes to standard error, and the others are measured without it. */
async function valuesOf(part: Part, sides: readonly Alternative[], options: CompareOptions) {
  const { generator, tally, quick } = options;
  const load = part.load(quick);
  const seen: number[][] = sides.map(() => []);
  const failed = new Set<string>();
  for (let round = 0; round <= (quick ? 2 : 5); round += 1) {
    for (const [at, side] of sides.entries()) {
      if (failed.has(side.name)) continue;
      const window = await measure(generator, side, load);
      if (side.name === 'Tollgate') add(tally, window);
      else if (window.wrong > 0) {
        failed.add(side.name);
        console.error(`${side.name} responded wrong: ${window.firstWrong}`);
      }
      // The first round warms up.
      if (round > 0) seen[at]?.push(part.read(window));
    }
  }
  return sides.map(({ name }, at) => (failed.has(name) ? undefined : median(seen[at] ?? [])));
}

/** A table in Markdown. */
export function renderCompared({ names, rows }: { names: string[]; rows: Compared[] }): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['', ...names]),
    line(['---', ...names.map(() => '---')]),
    ...rows.map(({ title, cells }) => line([title, ...cells])),
  ].join('\n');
}
