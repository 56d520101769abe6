import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectBookedOnce } from '../../support/booked-calls.ts';
import { askedUsage, type CallResult, callOnce, emptyResult, runCalls } from '../../support/call-load.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { type PostgresCluster, startPostgres } from '../../support/postgres.ts';

const unseenKey = 'sk-fedcba9876543210FEDCBA';
/** A lock of 30 s and 200 cut links with TOLLGATE_FAULTS=full. */
const isFull = process.env.TOLLGATE_FAULTS === 'full';
/** Settlements are tried for five seconds before they are spooled: longer outages are no different. */
const outageMs = isFull ? 30_000 : 8000;

describe('a server whose PostgreSQL fails', () => {
  let cluster: PostgresCluster;
  let proxy: FaultProxy;
  let installation: Installation;
  let server: GatewayProcess;
  let databases = 0;

  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(() => cluster.remove());

  beforeEach(async () => {
    const url = new URL(cluster.url);
    url.pathname = `/fault${++databases}`;
    await ask(`CREATE DATABASE fault${databases}`);
    // As an owner of its own, because the limits below do not count for a superuser.
    await ask(`CREATE ROLE gate${databases} LOGIN`);
    await ask(`ALTER DATABASE fault${databases} OWNER TO gate${databases}`);
    url.username = `gate${databases}`;
    proxy = await startFaultProxy({ port: cluster.port });
    const through = new URL(url);
    through.port = String(proxy.port);
    const directory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
    installation = await createInstallation('postgres', {
      place: {
        target: { engine: 'postgres', url: url.href },
        directory,
        remove: async () => rmSync(directory, { recursive: true, force: true }),
      },
      through: through.href,
    });
    installation.upstream.always(askedUsage(20));
    server = await installation.start();
  });
  afterEach(async () => {
    await proxy.close();
    await installation.remove();
    // A failed test may have left it stopped, or read-only.
    await cluster.start().catch(() => undefined);
    await setReadOnly(false);
  });

  /** As the superuser, on the maintenance database. */
  async function ask(sql: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }

  async function setReadOnly(isOn: boolean): Promise<void> {
    await ask(`ALTER SYSTEM SET default_transaction_read_only = ${isOn ? 'on' : 'off'}`);
    await ask('SELECT pg_reload_conf()');
  }

  const endBackends = (name = 'tollgate%') =>
    ask(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'gate${databases}'
         AND application_name LIKE '${name}'`,
    );

  const spooledFiles = () => readdirSync(join(installation.directory, 'spool')).filter((name) => name !== 'reserve');

  /** Clients call before, during and after the fault. */
  async function callsDuring(fault: (result: CallResult) => Promise<void>, clients = 12): Promise<CallResult> {
    const result = emptyResult();
    let isOver = false;
    const calls = runCalls({ ...installation, clients, pauseMs: 50 }, () => isOver, result);
    try {
      await expect.poll(() => result.seen.length).toBeGreaterThan(clients);
      await fault(result);
    } finally {
      isOver = true;
      await calls;
    }
    return result;
  }

  /** A new call, within a second and some more for a busy machine; `key` may be one that the server has not seen yet. */
  async function expectTurnedDown(result: CallResult, key = installation.key): Promise<void> {
    const failure = await callOnce({ ...installation, key }, result);
    expect(failure).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^[1-5]$/) });
    // Whichever notices first: the ledger, or the watch over its queue.
    expect(['database_unavailable', 'server_busy', 'server_overloaded']).toContain(failure?.code);
  }

  /** From now on; the promise is two seconds, the rest is for a busy machine. */
  async function expectServedSoon(result: CallResult): Promise<void> {
    const before = result.seen.length;
    await expect.poll(() => result.seen.length, { interval: 50 }).toBeGreaterThan(before);
  }

  /** New calls got an error in time and in words; nothing was lost, doubled or left behind. */
  async function expectNothingLost(result: CallResult): Promise<void> {
    const odd = result.failed.filter(({ status, code }) => status !== 503 || code === '');
    expect(odd, server.output()).toEqual([]);
    expect(result.failed.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
    await expect.poll(spooledFiles).toEqual([]);
    // Holds that were taken unheard are given back once no statement can still run.
    await expect.poll(() => installation.count('quota_holds WHERE state = 0')).toBe(0);
    server.signal('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
    await expectBookedOnce(installation, result);
  }

  it('F33, D5 turns new calls down while it is stopped, and books those under way', { timeout: 120_000 }, async () => {
    installation.upstream.always(askedUsage(150));
    const result = await callsDuring(async (soFar) => {
      cluster.stop('immediate');
      await wait(outageMs);
      expect(spooledFiles()).not.toEqual([]);
      await expectTurnedDown(soFar);
      await expectTurnedDown(soFar, unseenKey);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
      await cluster.start();
      await expectServedSoon(soFar);
      await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
    });
    await expectNothingLost(result);
  });

  it('F34 goes on when it is restarted', async () => {
    const result = await callsDuring(async (soFar) => {
      cluster.stop('fast');
      await cluster.start();
      await expectServedSoon(soFar);
      cluster.stop('immediate');
      await cluster.start();
      await expectServedSoon(soFar);
    });
    await expectNothingLost(result);
  });

  it('F35 goes on when its backends are ended again and again', async () => {
    const result = await callsDuring(async (soFar) => {
      for (let times = 0; times < 40; times++) {
        await endBackends();
        await wait(20 + Math.random() * 60);
      }
      await expectServedSoon(soFar);
    });
    await expectNothingLost(result);
  });

  it('F36, M6 books once what it committed without hearing so', { timeout: isFull ? 300_000 : 60_000 }, async () => {
    const result = await callsDuring(async (soFar) => {
      for (let cuts = 0; cuts < (isFull ? 200 : 20); cuts++) {
        proxy.set({ cutOn: { pattern: 'ledger_apply', side: cuts % 4 === 0 ? 'before' : 'after', times: 1 } });
        await expect.poll(() => proxy.cuts(), { interval: 2 }).toBe(1);
        await wait(60 + Math.random() * 100);
      }
      await expectServedSoon(soFar);
    });
    await expectNothingLost(result);
  });

  it('F37 serves over a link that is 200 ms slower each way', async () => {
    const result = await callsDuring(async (soFar) => {
      proxy.set({ latencyMs: 200 });
      await wait(4000);
      await expectServedSoon(soFar);
      await proxy.heal();
    });
    expect(result.failed).toEqual([]);
    await expectNothingLost(result);
  });

  it('F39 spools while another session locks the rows', async () => {
    installation.upstream.always(askedUsage(100));
    const result = await callsDuring(async (soFar) => {
      await installation.database.transaction(async (transaction) => {
        await installation.database.sequelize.query('SELECT 1 FROM users FOR UPDATE', { transaction });
        await wait(outageMs);
        expect(spooledFiles()).not.toEqual([]);
        await expectTurnedDown(soFar);
      });
      await expectServedSoon(soFar);
    });
    await expectNothingLost(result);
  });

  it('F41 spools while the database is read-only, as after a failover', async () => {
    installation.upstream.always(askedUsage(100));
    const result = await callsDuring(async (soFar) => {
      await setReadOnly(true);
      await wait(7000);
      expect(spooledFiles()).not.toEqual([]);
      await expectTurnedDown(soFar);
      await setReadOnly(false);
      await expectServedSoon(soFar);
    });
    await expectNothingLost(result);
  });

  it('F42 turns calls down while the database takes no more connections', async () => {
    const result = await callsDuring(async (soFar) => {
      await ask(`ALTER ROLE gate${databases} CONNECTION LIMIT 0`);
      await endBackends();
      await wait(1000);
      await expectTurnedDown(soFar);
      await expectTurnedDown(soFar, unseenKey);
      await ask(`ALTER ROLE gate${databases} CONNECTION LIMIT -1`);
      await expectServedSoon(soFar);
    });
    await expectNothingLost(result);
  });

  it('D5 is not held up by a link that swallows everything', async () => {
    installation.upstream.always(askedUsage(100));
    const result = await callsDuring(async (soFar) => {
      proxy.set({ stalled: true });
      await wait(outageMs);
      expect(spooledFiles()).not.toEqual([]);
      await expectTurnedDown(soFar);
      await expectTurnedDown(soFar, unseenKey);
      await proxy.heal();
      proxy.cutNow();
      await expectServedSoon(soFar);
    });
    await expectNothingLost(result);
  });
});
