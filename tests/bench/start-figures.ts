import { setTimeout as wait } from 'node:timers/promises';
import type { InstalledGateway } from './gateway.ts';
import { residentBytes } from './process-meter.ts';
import { median } from './rounds.ts';
import type { Figure } from './targets.ts';

/** By then V8 has given back what the start alone needed, and nothing else has happened. */
const idleMs = 60_000;

/** Medians of five starts; the first one after init has migrated already. */
export async function startFigures(gateway: InstalledGateway): Promise<Figure[]> {
  const starts: number[] = [];
  const helps: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const server = await gateway.start();
    starts.push(server.startMs / 1000);
    await server.stop();
    helps.push((await gateway.helpMs()) / 1000);
  }
  const idle = await gateway.start();
  await wait(idleMs);
  const mebibytes = residentBytes(idle.pid) / 1024 ** 2;
  await idle.stop();
  const all = (values: number[]) => values.map((value) => value.toFixed(2)).join(' ');
  return [
    { name: 'start', value: median(starts), detail: all(starts) },
    { name: 'idleMemory', value: mebibytes, detail: `resident, ${idleMs / 1000} s after the start` },
    { name: 'help', value: median(helps), detail: all(helps) },
  ];
}
