import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedUsage, emptyResult, runCalls } from '../support/call-load.ts';
import { binary } from '../support/gateway-process.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { has, startCaddy, startNginx } from '../support/proxy-server.ts';
import { expectBooks } from './books.ts';
import { type ClusterNode, createNode, report, sharedSettings } from './node.ts';

/** A stream takes some two seconds, so that a node that stops still has some when its new calls must go elsewhere. */
const pieceDelayMs = 200;

describe('two nodes behind a proxy that are restarted one after the other', () => {
  let installation: Installation;
  let nodes: ClusterNode[];
  /** Of all calls, because the books are compared with all of them. */
  const result = emptyResult();

  beforeAll(async () => {
    installation = await createInstallation('postgres', {
      environment: { ...sharedSettings, TRUSTED_PROXIES: '127.0.0.1' },
    });
    installation.upstream.always(askedUsage(pieceDelayMs));
    nodes = await Promise.all(['node0', 'node1'].map((name) => createNode(installation, name)));
    await Promise.all(nodes.map((node) => node.start(binary)));
  });
  afterAll(() => installation?.remove());

  it.each([
    ['nginx', startNginx],
    ['caddy', startCaddy],
  ] as const)('lose no call of clients that never repeat one (%s)', async (program, start) => {
    if (!has(program)) return;
    const proxy = await start(nodes.map(({ url }) => url));
    let isOver = false;
    const calls = runCalls({ url: proxy.url, key: installation.key, clients: 16 }, () => isOver, result);
    await wait(2000);
    for (const node of nodes) {
      await node.stop();
      await node.start(binary);
      await expect
        .poll(() => endedCalls(node), { message: `${program} gives ${node.name} calls again` })
        .toBeGreaterThan(0);
    }
    isOver = true;
    await calls;
    report(`restart behind ${program}`, { calls: result.begun, failed: result.failed.length });
    expect(result.failed).toEqual([]);
    await proxy.stop();
    await expectBooks(
      installation,
      nodes.slice(0, 1).map((node) => ({ ...node, result })),
    );
  });
});

/** Calls that this process of the node has served to their end. */
async function endedCalls({ url }: ClusterNode): Promise<number> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
  const counts = lines.filter((line) => line.startsWith('tollgate_relay_requests_total{'));
  return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
