import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareBooks } from '../support/booked-calls.ts';
import { askedUsage } from '../support/call-load.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import {
  type ClusterNode,
  createNode,
  isWhole,
  report,
  resultOf,
  servesAgain,
  sharedSettings,
  underLoad,
} from './node.ts';

const kills = Number(process.env.TOLLGATE_KILLS ?? (isWhole ? 100 : 4));

describe('four nodes on PostgreSQL that are killed again and again, each at moments of its own', () => {
  let installation: Installation;
  let nodes: ClusterNode[];

  beforeEach(async () => {
    installation = await createInstallation('postgres', { environment: sharedSettings });
    installation.upstream.always(askedUsage(2));
    nodes = await Promise.all([0, 1, 2, 3].map((index) => createNode(installation, `node${index}`)));
    await Promise.all(nodes.map((node) => node.start()));
  });
  afterEach(() => installation?.remove());

  it('F21, M3 have every response a client saw whole in their books, once', {
    timeout: 120_000 + kills * 20_000,
  }, async () => {
    await underLoad(nodes, installation, async () => {
      let left = kills;
      const killAgainAndAgain = async (node: ClusterNode) => {
        while (left-- > 0) {
          await servesAgain(node);
          await wait(Math.random() * 300);
          await node.kill();
          await node.start();
        }
      };
      await Promise.all(nodes.map(killAgainAndAgain));
    });
    const alive = nodes.map((node) => node.process().pid).join(', ');
    await installation.database.sequelize.query(
      `UPDATE ledger_owners SET seen_at = seen_at - 100 WHERE pid NOT IN (${alive})`,
    );
    await expect.poll(() => installation.count('quota_holds WHERE state = 0'), { timeout: 60_000 }).toBe(0);
    await Promise.all(nodes.map((node) => node.stop()));
    const books = await compareBooks(installation, resultOf(nodes));
    report('kill loop on four nodes', { kills, ...books });
    expect(books).toMatchObject({ lost: 0, doubled: 0, wrongSums: 0, openHolds: 0 });
    expect(books.acknowledged).toBeGreaterThan(kills);
  });
});
