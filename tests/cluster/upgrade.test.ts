import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedUsage } from '../support/call-load.ts';
import { binary, runBinary } from '../support/gateway-process.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { expectBooks } from './books.ts';
import { makeNewerBuild } from './newer-build.ts';
import {
  type ClusterNode,
  createNode,
  isWhole,
  markOf,
  report,
  servesAgain,
  sharedSettings,
  since,
  underLoad,
} from './node.ts';

const nextColumns = "information_schema.columns WHERE column_name = 'next_release'";

describe('two nodes that are upgraded one after the other', () => {
  let installation: Installation;
  let newer: ReturnType<typeof makeNewerBuild>;
  let nodes: ClusterNode[];

  beforeAll(async () => {
    newer = makeNewerBuild();
    installation = await createInstallation('postgres', { environment: sharedSettings });
    installation.upstream.always(askedUsage(10));
    nodes = await Promise.all(['node0', 'node1', 'node2'].map((name) => createNode(installation, name)));
    await Promise.all(nodes.slice(0, 2).map((node) => node.start(binary)));
  });
  afterAll(async () => {
    await installation?.remove();
    rmSync(newer.folder, { recursive: true, force: true });
  });

  it('D1 serve beside the new version while its migration runs, and after it', async () => {
    const [first, second, third] = nodes as [ClusterNode, ClusterNode, ClusterNode];
    await underLoad([first, second], installation, async () => {
      const mark = markOf(nodes);
      await third.start(newer.program);
      expect(await installation.count(nextColumns)).toBeGreaterThan(0);
      const during = since([first, second], mark);
      await underLoad([third], installation, async () => {
        await wait(isWhole ? 10_000 : 1000);
        await Promise.all(nodes.map((node) => servesAgain(node)));
      });
      const { good, failed } = since(nodes, mark);
      expect(failed).toEqual([]);
      report('upgrade: old beside new', {
        'calls of the old during the migration': during.good,
        calls: good,
        failed: 0,
      });
    });
    await expectBooks(installation, nodes);
  });

  it('D1 are replaced under load: only the one that restarts takes no calls', async () => {
    for (const node of nodes.slice(0, 2)) {
      const others = nodes.filter((one) => one !== node);
      await underLoad(others, installation, async () => {
        const mark = markOf(others);
        await node.stop();
        await node.start(newer.program);
        const { good, failed } = since(others, mark);
        expect(failed).toEqual([]);
        report(`upgrade: ${node.name} replaced`, { 'calls of the others': good, failed: 0 });
      });
    }
    await underLoad(nodes, installation, async () => {
      await Promise.all(nodes.map((node) => servesAgain(node)));
    });
    await expectBooks(installation, nodes);
  });

  it('D1 do not start the old version again', async () => {
    const environment = { ...installation.environment, PORT: '0' };
    const { code, stderr } = await runBinary({ words: ['serve'], environment });
    expect(code).not.toBe(0);
    expect(stderr).toContain('newer version (9999-next-release)');
    await Promise.all(nodes.map((node) => node.stop()));
    // With the program that knows the schema.
    const verified = await runBinary({ program: newer.program, words: ['ledger', 'verify'], environment });
    expect(verified.code).toBe(0);
  });
});
