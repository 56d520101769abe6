import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedUsage, callOnce } from '../support/call-load.ts';
import { createConsoleClient } from '../support/console-client.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { ageOwner, expectBooks, ownerOf, seeOwner } from './books.ts';
import {
  type ClusterNode,
  clockAhead,
  createNode,
  isWhole,
  markOf,
  report,
  servesAgain,
  sharedSettings,
  since,
  underLoad,
} from './node.ts';

/** The clock of the second one is two seconds ahead all the time. */
describe('four nodes on one PostgreSQL and one Redis', { timeout: isWhole ? 600_000 : 120_000 }, () => {
  let postgres: PostgresCluster;
  let redis: RedisServer;
  let installation: Installation;
  let nodes: ClusterNode[];

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres({ isDurable: isWhole }), startRedis()]);
    const directory = mkdtempSync(join(tmpdir(), 'tollgate-cluster-'));
    installation = await createInstallation('postgres', {
      place: {
        target: { engine: 'postgres', url: postgres.url },
        directory,
        remove: async () => rmSync(directory, { recursive: true, force: true }),
      },
      environment: { ...sharedSettings, REDIS_CONN_STRING: redis.url },
    });
    await watchJobs();
    const extras = [{}, clockAhead(2000), {}, {}];
    nodes = await Promise.all(extras.map((extra, index) => createNode(installation, `node${index}`, extra)));
    await Promise.all(nodes.map((node) => node.start()));
    installation.upstream.always(askedUsage(5));
  });
  afterAll(async () => {
    for (const node of nodes ?? []) node.process().signal('SIGCONT');
    await installation?.remove();
    await redis?.stop();
    postgres?.remove();
  });

  const underLoadOfAll = <T>(work: () => Promise<T>) => underLoad(nodes, installation, work);
  const [dead, frozen] = [3, 2];
  let keys = 0;
  /** Of the killed node and of the frozen one that was taken for dead: no others may be returned. */
  let silentHolds = 0;
  const nodeOf = (index: number) => nodes[index] as ClusterNode;
  /** Once they are: PostgreSQL ends what a node sent before it was killed or frozen, so that there may be more than at that moment. */
  const returnedOf = (owner: string) => installation.count(`quota_holds WHERE state = 1 AND owner = '${owner}'`);

  /** Each start of a job, by the clock of the database. */
  async function watchJobs(): Promise<void> {
    await installation.database.sequelize.query(`
      CREATE TABLE job_starts (name TEXT, at DOUBLE PRECISION);
      CREATE FUNCTION note_start() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO job_starts VALUES (NEW.name, extract(epoch FROM clock_timestamp())); RETURN NULL; END $$;
      CREATE TRIGGER starts AFTER UPDATE ON job_locks FOR EACH ROW
        WHEN (NEW.owner <> '' AND NEW.ran_at <> OLD.ran_at) EXECUTE FUNCTION note_start();`);
  }

  it('go on when one of them is killed, and its holds are back within a minute', async () => {
    // Calls of two seconds, so that some are under way in any case.
    installation.upstream.always(askedUsage(200));
    const others = nodes.filter((node) => node !== nodes[dead]);
    const owner = await ownerOf(installation, nodeOf(dead));
    const heldByDead = () => installation.count(`quota_holds WHERE state = 0 AND owner = '${owner}'`);
    await underLoadOfAll(async () => {
      await expect.poll(heldByDead, { interval: 20 }).toBeGreaterThan(0);
      const mark = markOf(others);
      await nodeOf(dead).kill();
      const killedAt = performance.now();
      if (!isWhole) await ageOwner(installation, owner);
      await expect.poll(heldByDead, { timeout: 90_000, interval: 100 }).toBe(0);
      const held = await returnedOf(owner);
      silentHolds += held;
      const seconds = (performance.now() - killedAt) / 1000;
      if (isWhole) expect(seconds).toBeLessThan(60);
      await Promise.all(others.map((node) => servesAgain(node)));
      const { good, failed } = since(others, mark);
      expect(failed).toEqual([]);
      await nodeOf(dead).start();
      await servesAgain(nodeOf(dead));
      report('one node killed', {
        held,
        'holds back after s': seconds.toFixed(1),
        'calls of the others': good,
        failed: 0,
      });
    });
    installation.upstream.always(askedUsage(5));
    await expectBooks(installation, nodes);
  });

  it('M5 book once what a frozen one settles late, when its holds were already returned', async () => {
    const others = nodes.filter((node) => node !== nodes[frozen]);
    const owner = await ownerOf(installation, nodeOf(frozen));
    const heldByFrozen = () => installation.count(`quota_holds WHERE state = 0 AND owner = '${owner}'`);
    installation.upstream.always(askedUsage(200));
    await underLoadOfAll(async () => {
      await expect.poll(heldByFrozen, { interval: 20 }).toBeGreaterThan(0);
      const mark = markOf(nodes);
      nodeOf(frozen).process().signal('SIGSTOP');
      const frozenAt = performance.now();
      const held = await heldByFrozen();
      if (isWhole) {
        await wait(30_000);
        // It is not taken for dead yet.
        expect(await heldByFrozen()).toBe(held);
        const during = since(others, mark);
        expect(during.failed).toEqual([]);
        nodeOf(frozen).process().signal('SIGCONT');
        const againMs = await servesAgain(nodeOf(frozen));
        report('one node frozen for 30 s', {
          held,
          'serves again after ms': againMs,
          'calls of the others': during.good,
        });
        nodeOf(frozen).process().signal('SIGSTOP');
      }
      await ageOwner(installation, owner);
      await expect.poll(heldByFrozen, { timeout: 60_000, interval: 100 }).toBe(0);
      silentHolds += await returnedOf(owner);
      // One that slept for that long gives a sign as soon as it is awake, because its timer is overdue; this one slept for less.
      await seeOwner(installation, owner);
      const seconds = ((performance.now() - frozenAt) / 1000).toFixed(1);
      nodeOf(frozen).process().signal('SIGCONT');
      const againMs = await servesAgain(nodeOf(frozen));
      const { good, failed } = since(nodes, mark);
      expect(failed).toEqual([]);
      report('one node frozen and taken for dead', {
        held,
        'frozen s': seconds,
        'serves again after ms': againMs,
        calls: good,
      });
    });
    installation.upstream.always(askedUsage(5));
    await expectBooks(installation, nodes);
  });

  it('F34 go on when PostgreSQL is restarted, also after a crash', async () => {
    for (const mode of ['fast', 'immediate'] as const) {
      await underLoadOfAll(async () => {
        const mark = markOf(nodes);
        postgres.stop(mode);
        await postgres.start();
        const againMs = Math.max(...(await Promise.all(nodes.map((node) => servesAgain(node)))));
        const { good, failed } = since(nodes, mark);
        expect(failed.filter(({ status, code }) => status !== 503 || code === '')).toEqual([]);
        report(`PostgreSQL stopped (${mode}) and started`, {
          'all nodes serve after ms': againMs,
          good,
          'told 503': failed.length,
        });
      });
    }
    await expectBooks(installation, nodes);
  });

  it('D8 follow a setting and a session that another one has changed', async () => {
    await installation.cli('option', 'set', 'SystemName', 'before', '--json');
    const nameOn = async ({ url }: ClusterNode) => {
      const { data } = (await (await fetch(`${url}/api/status`)).json()) as { data: { system_name: string } };
      return data.system_name;
    };
    // The first call of a node takes longer, whatever it reads.
    await Promise.all(nodes.map(nameOn));
    const delays: number[] = [];
    for (let round = 0; round < (isWhole ? 10 : 3); round++) {
      const name = `round ${round}`;
      const console = createConsoleClient(nodeOf(round % 4).url);
      await console.data(console.signIn('root', 'correct horse battery'));
      await console.data(console.put('/api/option/', { key: 'SystemName', value: name }));
      const changedAt = performance.now();
      for (const node of nodes) await expect.poll(() => nameOn(node), { interval: 5 }).toBe(name);
      delays.push(performance.now() - changedAt);
      // The session was made by a clock that is two seconds ahead of the others, or behind the one that is asked.
      for (const { url } of nodes) {
        const other = createConsoleClient(url);
        Object.assign(other, { cookie: console.cookie, userId: console.userId });
        expect((await other.get('/api/user/self')).status).toBe(200);
      }
    }
    report('a setting is in force on all four', {
      'median ms': median(delays),
      'worst ms': Math.round(Math.max(...delays)),
    });
    await installation.cli('option', 'reset', 'SystemName', '--yes');
  });

  it('R9 keep one limit of calls a minute together, over clocks that differ, and their own ones without Redis', async () => {
    await installation.cli('option', 'set', 'TokenRequestRateLimitCount', '20');
    const callAll = async (known?: string) => {
      const key = known ?? (await newKey(`key ${++keys}`));
      const mark = markOf(nodes);
      await Promise.all(nodes.flatMap((node) => Array.from({ length: 12 }, () => callOnceOn(node, key))));
      const { good, failed } = since(nodes, mark);
      expect(failed.filter(({ status }) => status !== 429)).toEqual([]);
      return { good, key };
    };
    try {
      const first = await newKey('first');
      await expect.poll(() => refuses(first)).toBe(true);
      const shared = await withRedis(() => callAll());
      expect(shared.good).toBe(20);
      await redis.command('FLUSHALL');
      const emptied = await withRedis(() => callAll(shared.key));
      // The limit once more at most: Redis has forgotten what came before.
      expect(emptied.good).toBeLessThanOrEqual(20);
      await redis.kill();
      const alone = await callAll();
      // Each node by itself: it lets its own twelve calls through.
      expect(alone.good).toBe(48);
      await redis.start();
      const again = await withRedis(() => callAll());
      expect(again.good).toBe(20);
      report('20 calls a minute, 48 tried', {
        shared: shared.good,
        'after FLUSHALL': emptied.good,
        'without Redis': alone.good,
        'Redis back': again.good,
      });
    } finally {
      await installation.cli('option', 'reset', 'TokenRequestRateLimitCount', '--yes');
    }
    await expectBooks(installation, nodes);
  });

  it('F50, F52 serve every call while Redis is emptied, gone and back', async () => {
    await underLoadOfAll(async () => {
      const mark = markOf(nodes);
      for (let times = 0; times < (isWhole ? 10 : 2); times++) {
        await redis.command('FLUSHALL');
        await Promise.all(nodes.map((node) => servesAgain(node)));
      }
      await redis.kill();
      await wait(isWhole ? 10_000 : 500);
      await redis.start();
      await Promise.all(nodes.map((node) => servesAgain(node)));
      const { good, failed } = since(nodes, mark);
      expect(failed).toEqual([]);
      report('Redis emptied, gone and back', { calls: good, failed: 0 });
    });
    await expectBooks(installation, nodes);
  });

  it('D7 run no job twice and return no hold of a living one, whatever their clocks say', async () => {
    const jobStarts = () =>
      installation.database.select<{ name: string; at: number }>(
        "SELECT name, at FROM job_starts WHERE name = 'send-task-notice' ORDER BY at",
      );
    // It is due every ten seconds, and looked for as often.
    await expect.poll(async () => (await jobStarts()).length, { timeout: 60_000 }).toBeGreaterThan(1);
    const starts = await jobStarts();
    const gaps = starts.slice(1).map(({ at }, index) => at - (starts[index]?.at ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(9);
    expect(sweptHolds()).toBe(silentHolds);
    report('clocks two seconds apart', {
      'starts of a job due every 10 s': starts.length,
      'shortest pause s': Math.min(...gaps).toFixed(1),
    });
    await Promise.all(nodes.map((node) => node.stop()));
    const { acknowledged } = await expectBooks(installation, nodes);
    report('all faults on four nodes', { acknowledged, lost: 0, doubled: 0, 'holds returned': silentHolds });
  });

  /** What the nodes say they have returned. */
  function sweptHolds(): number {
    const lines = nodes.flatMap((node) => node.process().output().split('\n'));
    const swept = lines.filter((line) => line.includes('did not stop cleanly'));
    return swept.reduce((sum, line) => sum + Number(/"count":"?(\d+)/.exec(line)?.[1]), 0);
  }

  async function callOnceOn({ url, result }: ClusterNode, key: string): Promise<void> {
    await callOnce({ url, key }, result, false);
  }

  /** Once all four use Redis; and again if a busy machine let one of them do without it meanwhile. */
  async function withRedis<T>(work: () => Promise<T>): Promise<T> {
    const timesWithout = () =>
      nodes.reduce((sum, node) => sum + node.process().output().split('Redis is not used').length, 0);
    for (;;) {
      await expect.poll(connectedNodes).toBe(4);
      const before = timesWithout();
      const result = await work();
      if (timesWithout() === before) return result;
    }
  }

  async function newKey(name: string): Promise<string> {
    const { json } = await installation.cli('token', 'create', '--name', name, '--json');
    return json<{ key: string }>().key;
  }

  /** Once the limit is in force everywhere. */
  async function refuses(key: string): Promise<boolean> {
    const before = markOf(nodes);
    await Promise.all(nodes.flatMap((node) => Array.from({ length: 21 }, () => callOnceOn(node, key))));
    return since(nodes, before).failed.length > 0;
  }

  async function connectedNodes(): Promise<number> {
    const list = String(await redis.command('CLIENT', 'LIST'));
    return list.split('\n').filter((line) => /name=tollgate .*cmd=(ping|eval)/.test(line)).length;
  }
});

function median(values: number[]): number {
  return Math.round([...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN);
}
