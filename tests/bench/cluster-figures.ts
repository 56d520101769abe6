import { plainShape } from './calls.ts';
import type { ExactFigure } from './cluster-exact.ts';
import type { ClusterSide, ClusterStand } from './cluster-stand.ts';
import type { LoadPlan, LoadResult } from './load-plan.ts';
import { cpuSeconds } from './process-meter.ts';
import { median } from './rounds.ts';

/** At 4 nodes, calls per CPU second of all nodes together against one node. */
const minShare = 0.85;
const callersPerNode = 8;
/** A machine that does much else sheds a call now and then. */
const maxRefused = 0.01;

export interface ClusterFigure {
  name: string;
  callsPerCpuSecond: number;
  /** Of what one node serves with a CPU second. */
  share: number;
  /** CPU milliseconds of PostgreSQL for each call, beside the nodes. */
  postgresMs: number;
  callsPerSecond: number;
}

interface Window {
  callsPerCpuSecond: number;
  postgresMs: number;
  callsPerSecond: number;
}

/** Rounds in turn, so that what else the machine does falls on all sides. Each side gets the same load for each of its nodes. */
export async function clusterFigures(
  stand: ClusterStand,
  isQuick: boolean,
  progress: (text: string) => void,
): Promise<ClusterFigure[]> {
  const windows = new Map<ClusterSide, Window[]>(stand.sides.map((side) => [side, []]));
  for (const side of stand.sides) await measure(stand, side, 2);
  for (let round = 0; round < (isQuick ? 2 : 5); round += 1) {
    progress(`plain calls on 1, 2 and 4 nodes and two workers, round ${round + 1}`);
    for (const side of stand.sides) windows.get(side)?.push(await measure(stand, side, isQuick ? 2 : 6));
  }
  const of = (side: ClusterSide | undefined, read: (window: Window) => number) =>
    median((side && windows.get(side))?.map(read) ?? []);
  const [one] = stand.sides;
  return stand.sides.map((side) => ({
    name: side.name,
    callsPerCpuSecond: of(side, (window) => window.callsPerCpuSecond),
    share: of(side, (window) => window.callsPerCpuSecond) / of(one, (window) => window.callsPerCpuSecond),
    postgresMs: of(side, (window) => window.postgresMs),
    callsPerSecond: of(side, (window) => window.callsPerSecond),
  }));
}

async function measure(stand: ClusterStand, side: ClusterSide, seconds: number): Promise<Window> {
  const { generator, gateway, postgresPid } = stand;
  const processes = side.name.startsWith('--workers') ? 2 : side.servers.length;
  const pace = { kind: 'closed', callers: callersPerNode * processes, seconds } as const;
  const plan: LoadPlan = { port: Number(new URL(side.front.url).port), key: gateway.key, shape: plainShape, pace };
  const meter = () => side.servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const [before, postgresBefore] = [meter(), cpuSeconds(postgresPid)];
  const result = await generator.ask<LoadResult>(plan);
  if (result.wrong > maxRefused * result.right)
    throw new Error(`${side.name}: ${result.wrong} wrong responses: ${result.firstWrong}`);
  return {
    callsPerCpuSecond: result.right / (meter() - before),
    postgresMs: (1000 * (cpuSeconds(postgresPid) - postgresBefore)) / result.right,
    callsPerSecond: result.right / result.seconds,
  };
}

interface ClusterReport {
  machine: string;
  figures: ClusterFigure[];
  exact: ExactFigure[];
  ledger: string;
}

export function renderCluster({ machine, figures, exact, ledger }: ClusterReport): string {
  const head = 'behind nginx    calls / CPU s   of one node   PostgreSQL ms   calls / s';
  const lines = figures.map(({ name, callsPerCpuSecond, share, postgresMs, callsPerSecond }) =>
    [
      name.padEnd(15),
      callsPerCpuSecond.toFixed(0).padStart(14),
      share.toFixed(2).padStart(14),
      postgresMs.toFixed(2).padStart(16),
      callsPerSecond.toFixed(0).padStart(12),
    ].join(''),
  );
  const four = figures.find(({ name }) => name === '4 nodes');
  const verdict = four && four.share >= minShare ? 'met' : 'MISSED';
  const limits = exact.map(({ name, wanted, found, detail }) => {
    return `${name}: ${found} of ${wanted} wanted${found === wanted ? '' : ' MISSED'}${detail ? ` (${detail})` : ''}`;
  });
  return [machine, head, ...lines, `4 nodes ≥ ${minShare}: ${verdict}`, '', ...limits, `ledger: ${ledger}`, ''].join(
    '\n',
  );
}
