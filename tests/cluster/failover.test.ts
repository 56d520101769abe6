import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedUsage } from '../support/call-load.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { type Standby, startStandby } from '../support/postgres-standby.ts';
import { type AddressSwitch, startAddressSwitch } from './address-switch.ts';
import { expectBooks } from './books.ts';
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

describe('two nodes whose PostgreSQL fails over to a standby under the same address', () => {
  let primary: PostgresCluster;
  let standby: Standby;
  let address: AddressSwitch;
  let installation: Installation;
  let nodes: ClusterNode[];

  beforeAll(async () => {
    primary = await startPostgres();
    address = await startAddressSwitch(primary.port);
    const directory = mkdtempSync(join(tmpdir(), 'tollgate-cluster-'));
    const url = new URL(primary.url);
    url.port = String(address.port);
    installation = await createInstallation('postgres', {
      place: {
        target: { engine: 'postgres', url: url.href },
        directory,
        remove: async () => rmSync(directory, { recursive: true, force: true }),
      },
      environment: sharedSettings,
    });
    standby = await startStandby(primary);
    installation.upstream.always(askedUsage(20));
    nodes = await Promise.all(['node0', 'node1'].map((name) => createNode(installation, name)));
    await Promise.all(nodes.map((node) => node.start()));
  });
  afterAll(async () => {
    await installation?.remove();
    address?.close();
    standby?.remove();
    primary?.remove();
  });

  it('D5 lose no acknowledged call, and serve as soon as the standby does', async () => {
    await underLoad(nodes, { key: installation.key, clientsPerNode: 4 }, async () => {
      const mark = markOf(nodes);
      primary.stop('immediate');
      await wait(isWhole ? 8000 : 500);
      await standby.promote();
      address.lead(standby.port);
      const againMs = Math.max(...(await Promise.all(nodes.map((node) => servesAgain(node)))));
      const { good, failed } = since(nodes, mark);
      expect(failed.filter(({ status, code }) => status !== 503 || code === '')).toEqual([]);
      report('failover to a synchronous standby', { 'serve after ms': againMs, good, 'told 503': failed.length });
    });
    await expectBooks(installation, nodes);
  });

  it('D8 hear of changes over the new connection', async () => {
    const refusals = async () => {
      const responses = await Promise.all(
        nodes.map(({ url }) => fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${installation.key}` } })),
      );
      return responses.map(({ status }) => status);
    };
    expect(await refusals()).toEqual([200, 200]);
    const { json } = await installation.cli('token', 'list', '--user', 'root', '--json');
    const [token] = json<{ items: { id: number }[] }>().items;
    await installation.cli('token', 'disable', String(token?.id));
    await expect.poll(refusals, { interval: 20 }).toEqual([401, 401]);
    await Promise.all(nodes.map((node) => node.stop()));
    await expectBooks(installation, nodes);
  });
});
