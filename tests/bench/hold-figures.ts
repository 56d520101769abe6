import { setTimeout as wait } from 'node:timers/promises';
import { plainShape } from './calls.ts';
import type { BenchChild } from './child.ts';
import { residentBytes, watchPeak } from './process-meter.ts';
import { add, type Load, measure, median, type Side, type Tally } from './rounds.ts';
import type { Figure } from './targets.ts';

interface HoldOptions {
  generator: BenchChild;
  /** Each round measures fresh processes: memory of earlier load would hide what the streams take. */
  startRaw(): Promise<Side>;
  startTollgate(): Promise<Side>;
  tally: Tally;
  quick: boolean;
}

const streams = 1000;

/** A thousand streams of one chunk a second, all open at once. */
export async function holdFigures({
  generator,
  startRaw,
  startTollgate,
  tally,
  quick,
}: HoldOptions): Promise<Figure[]> {
  const load: Load = {
    shape: { chunks: quick ? 4 : 12, everyMs: 1000 },
    pace: { kind: 'hold', streams, rampMs: 2000 },
  };
  const raw: Held[] = [];
  const tollgate: Held[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    raw.push(await hold(generator, await startRaw(), load));
    tollgate.push(await hold(generator, await startTollgate(), load, tally));
  }
  const peak = (held: Held[]) => median(held.map(({ peakBytes }) => peakBytes));
  const perStream = (held: Held[]) =>
    median(held.map(({ peakBytes, restBytes }) => (peakBytes - restBytes) / streams / 1024));
  const broken = Math.max(...tollgate.map(({ completed }) => streams - completed));
  const mebibytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
  return [
    {
      name: 'streamsBroken',
      value: broken,
      detail: `raw ${Math.max(...raw.map(({ completed }) => streams - completed))}`,
    },
    { name: 'memoryPerStream', value: perStream(tollgate), detail: `raw ${perStream(raw).toFixed(1)} KiB` },
    {
      name: 'peakMemory',
      value: peak(tollgate) / peak(raw),
      detail: `${mebibytes(peak(tollgate))} / ${mebibytes(peak(raw))}`,
    },
  ];
}

interface Held {
  completed: number;
  restBytes: number;
  peakBytes: number;
}

async function hold(generator: BenchChild, side: Side, load: Load, tally?: Tally): Promise<Held> {
  // Warm first: compiled code and filled caches are not the streams' memory.
  const warm = await measure(generator, side, { shape: plainShape, pace: { kind: 'closed', callers: 64, seconds: 1 } });
  await wait(1000);
  const restBytes = residentBytes(side.server.pid);
  const stopWatching = watchPeak(side.server.pid);
  const window = await measure(generator, side, load);
  const peakBytes = stopWatching();
  if (tally) for (const part of [warm, window]) add(tally, part);
  await side.server.stop();
  return { completed: window.right, restBytes, peakBytes };
}
