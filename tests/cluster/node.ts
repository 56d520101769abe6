import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type CallResult, callOnce, emptyResult } from '../support/call-load.ts';
import type { GatewayProcess } from '../support/gateway-process.ts';
import type { Installation } from '../support/installation.ts';
import { freePort } from '../support/postgres.ts';

/** `npm run test:cluster`: a freeze of 30 seconds, 100 kills and waits that are as long as in production. */
export const isWhole = process.env.TOLLGATE_CLUSTER === 'full';

/** One server of several, as on a machine of its own: its own port, data folder and spool. */
export interface ClusterNode {
  name: string;
  url: string;
  environment: Record<string, string>;
  /** What its clients have seen, over all scenarios. */
  result: CallResult;
  process(): GatewayProcess;
  start(program?: string): Promise<GatewayProcess>;
  kill(): Promise<void>;
  /** As an order to stop, to the end. */
  stop(): Promise<void>;
}

/** For the whole installation, the command line included. */
export const sharedSettings = {
  // The machines of a cluster share it; each would make its own otherwise.
  CRYPTO_SECRET: 'the secret of all nodes of this test',
  GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
};

const clockHook = fileURLToPath(new URL('./clock-hook.cjs', import.meta.url));

export const clockAhead = (milliseconds: number): Record<string, string> => ({
  NODE_OPTIONS: `--require ${clockHook}`,
  CLOCK_AHEAD_MS: String(milliseconds),
});

export async function createNode(
  installation: Installation,
  name: string,
  extra: Record<string, string> = {},
): Promise<ClusterNode> {
  const port = await freePort();
  const environment = {
    TOLLGATE_HOME: `${installation.directory}/${name}`,
    PORT: String(port),
    ...extra,
  };
  let running: GatewayProcess | undefined;
  const node: ClusterNode = {
    name,
    url: `http://127.0.0.1:${port}`,
    environment,
    result: emptyResult(),
    process() {
      if (!running) throw new Error(`${name} was never started`);
      return running;
    },
    async start(program) {
      running = await installation.start({ environment, ...(program !== undefined && { program }) });
      return running;
    },
    async kill() {
      node.process().signal('SIGKILL');
      await node.process().ended;
    },
    async stop() {
      node.process().signal('SIGTERM');
      expect(await node.process().ended, node.name).toMatchObject({ code: 0, signal: null });
    },
  };
  return node;
}

interface LoadPlan {
  key: string;
  clientsPerNode?: number;
  /** Between two calls of a client; two cores serve everything here. */
  everyMs?: number;
}

/** Clients of each node call before, during and after the work. */
export async function underLoad<T>(nodes: ClusterNode[], plan: LoadPlan, work: () => Promise<T>): Promise<T> {
  const { key, clientsPerNode = 2, everyMs = isWhole ? 80 : 160 } = plan;
  let isOver = false;
  const clients = nodes.flatMap(({ url, result }) =>
    Array.from({ length: clientsPerNode }, async () => {
      while (!isOver) {
        await callOnce({ url, key }, result);
        await wait(everyMs * (0.5 + Math.random()));
      }
    }),
  );
  try {
    await Promise.all(nodes.map((node) => servesAgain(node)));
    return await work();
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
}

/** Milliseconds until a call that its clients send ends well. */
export async function servesAgain({ result, name }: ClusterNode): Promise<number> {
  const [startedAt, before] = [performance.now(), result.seen.length];
  await expect.poll(() => result.seen.length, { interval: 10, message: `${name} serves` }).toBeGreaterThan(before);
  return Math.round(performance.now() - startedAt);
}

/** Calls that failed and that ended well since `mark`. */
export function since(nodes: ClusterNode[], mark: Mark): { good: number; failed: CallResult['failed'] } {
  const each = nodes.map((node) => {
    const { seen, failed } = mark.get(node) ?? { seen: 0, failed: 0 };
    return { good: node.result.seen.length - seen, failed: node.result.failed.slice(failed) };
  });
  return { good: each.reduce((sum, { good }) => sum + good, 0), failed: each.flatMap(({ failed }) => failed) };
}

export type Mark = Map<ClusterNode, { seen: number; failed: number }>;

export const markOf = (nodes: ClusterNode[]): Mark =>
  new Map(nodes.map((node) => [node, { seen: node.result.seen.length, failed: node.result.failed.length }]));

export function resultOf(nodes: ClusterNode[]): CallResult {
  const results = nodes.map(({ result }) => result);
  return {
    seen: results.flatMap(({ seen }) => seen),
    failed: results.flatMap(({ failed }) => failed),
    begun: results.reduce((sum, { begun }) => sum + begun, 0),
  };
}

/** One line of measured figures, for the documentation and for who reads a failed run. */
export function report(scenario: string, figures: Record<string, number | string>): void {
  console.info(`cluster: ${scenario}: ${JSON.stringify(figures)}`);
}
