import { eventsAround, plainShape } from './calls.ts';
import type { BenchChild } from './child.ts';
import { compare, interleave, type Load, type Side, type Tally, type Window } from './rounds.ts';
import type { Figure } from './targets.ts';

/** Two running servers, one load generator, and what is being found out about them. */
export interface Stand {
  generator: BenchChild;
  raw: Side;
  tollgate: Side;
  tally: Tally;
  quick: boolean;
  noise: string[];
}

const microseconds = (seconds: number) => `${(seconds * 1e6).toFixed(0)} µs`;
const milliseconds = (value: number) => `${value.toFixed(2)} ms`;
const distance = (ratio: number) => `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(0)} %`;

export async function plainFigures(stand: Stand): Promise<Figure[]> {
  const rounds = await interleave({
    ...stand,
    count: stand.quick ? 3 : 5,
    load: closed(0, 64, stand.quick ? 1 : 3),
    warmUp: closed(0, 64, stand.quick ? 2 : 8),
  });
  const cpu = compare(rounds, (window) => window.cpuSeconds / window.right);
  const rate = compare(rounds, (window) => window.right / window.seconds);
  stand.noise.push(`CPU per call ${distance(cpu.noise)}`, `calls/s ${distance(rate.noise)}`);
  return [
    {
      name: 'cpuPerCall',
      value: cpu.tollgate / cpu.raw,
      detail: `${microseconds(cpu.tollgate)} / ${microseconds(cpu.raw)}`,
    },
    {
      name: 'callsPerSecond',
      value: rate.tollgate / rate.raw,
      detail: `${rate.tollgate.toFixed(0)} / ${rate.raw.toFixed(0)}`,
    },
  ];
}

/**
 * Sixteen streams with a chunk each millisecond: dense, but each chunk comes in a read of its own. Sent without a pause,
 * chunks pile up before a slow server and are then read together, which makes it look cheaper than it is.
 */
export async function denseFigures(stand: Stand): Promise<Figure[]> {
  const chunks = 500;
  const rounds = await interleave({
    ...stand,
    count: stand.quick ? 3 : 7,
    load: closed(chunks, 16, stand.quick ? 2 : 4, 1),
    warmUp: closed(chunks, 16, stand.quick ? 1 : 6, 1),
  });
  const cpu = compare(rounds, (window) => window.cpuSeconds / (window.right * (chunks + eventsAround)));
  stand.noise.push(`CPU per chunk ${distance(cpu.noise)}`);
  const detail = `${(cpu.tollgate * 1e6).toFixed(1)} / ${(cpu.raw * 1e6).toFixed(1)} µs`;
  return [{ name: 'cpuPerChunk', value: cpu.tollgate / cpu.raw, detail }];
}

/** As dense streams, for clients that speak Anthropic's protocol: each chunk is read, and written in other words. */
export async function convertedFigures(stand: Stand): Promise<Figure[]> {
  const chunks = 500;
  const rounds = await interleave({
    ...stand,
    tollgate: { ...stand.tollgate, protocol: 'anthropic' },
    count: stand.quick ? 3 : 7,
    load: closed(chunks, 16, stand.quick ? 2 : 4, 1),
    warmUp: closed(chunks, 16, stand.quick ? 1 : 6, 1),
  });
  const cpu = compare(rounds, (window) => window.cpuSeconds / (window.right * chunks));
  const detail = `${(cpu.tollgate * 1e6).toFixed(1)} / ${(cpu.raw * 1e6).toFixed(1)} µs`;
  return [{ name: 'cpuPerConvertedChunk', value: cpu.tollgate / cpu.raw, detail }];
}

/** Streams of 11 chunks over 50 ms from 16 callers: the machine is not full, so waiting shows as waiting. */
export async function firstTokenFigures(stand: Stand): Promise<Figure[]> {
  const load = closed(11, 16, stand.quick ? 2 : 4, 5);
  const rounds = await interleave({ ...stand, count: 3, load, warmUp: closed(11, 16, 1, 5) });
  const first = compare(rounds, (window) => window.firstTokenMs.p50);
  stand.noise.push(`first token ${distance(first.noise)}`);
  return [
    {
      name: 'firstToken',
      value: first.tollgate - first.raw,
      detail: `${milliseconds(first.tollgate)} - ${milliseconds(first.raw)}`,
    },
  ];
}

export async function rateFigures(stand: Stand): Promise<Figure[]> {
  const load: Load = { shape: plainShape, pace: { kind: 'rate', perSecond: 200, seconds: stand.quick ? 2 : 8 } };
  const warmUp: Load = { shape: plainShape, pace: { kind: 'rate', perSecond: 200, seconds: 1 } };
  const rounds = await interleave({ ...stand, count: 3, load, warmUp });
  const added = (name: 'addedMedian' | 'addedTail', read: (window: Window) => number): Figure => {
    const latency = compare(rounds, read);
    stand.noise.push(`${name === 'addedMedian' ? 'p50' : 'p99'} at 200/s ${distance(latency.noise)}`);
    const detail = `${milliseconds(latency.tollgate)} - ${milliseconds(latency.raw)}`;
    return { name, value: latency.tollgate - latency.raw, detail };
  };
  const cpu = compare(rounds, (window) => window.cpuSeconds / window.right);
  return [
    {
      name: 'cpuAtRate',
      value: cpu.tollgate / cpu.raw,
      detail: `${microseconds(cpu.tollgate)} / ${microseconds(cpu.raw)}`,
    },
    added('addedMedian', (window) => window.latencyMs.p50),
    added('addedTail', (window) => window.latencyMs.p99),
  ];
}

function closed(chunks: number, callers: number, seconds: number, everyMs = 0): Load {
  return { shape: { chunks, everyMs }, pace: { kind: 'closed', callers, seconds } };
}
