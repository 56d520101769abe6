import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectBookedOnce } from '../../support/booked-calls.ts';
import { askedUsage, type CallResult, emptyResult, runCalls } from '../../support/call-load.ts';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';

describe('a server whose PostgreSQL has other work on the same rows', () => {
  let installation: Installation;
  let server: GatewayProcess;
  let other: pg.Client;

  beforeEach(async () => {
    installation = await createInstallation('postgres');
    installation.upstream.always(askedUsage(2));
    const { target } = installation;
    other = new pg.Client({ connectionString: target.engine === 'postgres' ? target.url : '' });
    await other.connect();
  });
  afterEach(async () => {
    await other.end();
    await installation.remove();
  });

  /** Clients call while the other session works, and a little after it. */
  async function callsDuring(work: () => Promise<void>): Promise<CallResult> {
    const result = emptyResult();
    let isOver = false;
    const calls = runCalls({ ...installation, clients: 12, pauseMs: 50 }, () => isOver, result);
    try {
      await expect.poll(() => result.seen.length).toBeGreaterThan(12);
      await work();
      const before = result.seen.length;
      await expect.poll(() => result.seen.length).toBeGreaterThan(before);
    } finally {
      isOver = true;
      await calls;
    }
    return result;
  }

  async function expectAllBooked(result: CallResult): Promise<void> {
    expect(result.failed.filter(({ status, code }) => status !== 503 || code === '')).toEqual([]);
    server.signal('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
    await expectBookedOnce(installation, result);
  }

  async function figure(column: 'deadlocks' | 'xact_rollback'): Promise<number> {
    const { rows } = await other.query(`SELECT ${column} FROM pg_stat_database WHERE datname = current_database()`);
    return Number(rows[0]?.[column]);
  }

  it('F40 tries again what a deadlock ended, and books it once', async () => {
    server = await installation.start();
    // The ledger locks users before tokens; a transaction from the other side meets it. It looks first, so it gives way.
    await other.query("SET deadlock_timeout = '30s'");
    const result = await callsDuring(async () => {
      for (let times = 0; times < 6; times++) {
        await other.query('BEGIN');
        await other.query('UPDATE tokens SET remain_quota = remain_quota');
        await wait(300);
        await other.query('UPDATE users SET quota = quota');
        await other.query('COMMIT');
      }
    });
    // The figures of a session reach the view a moment later.
    await expect.poll(() => figure('deadlocks')).toBeGreaterThan(0);
    await expectAllBooked(result);
  });

  it.each(['repeatable read', 'serializable'])(
    'F43 tries again what could not be serialized, and books it once (%s)',
    { timeout: 120_000 },
    async (isolation) => {
      const { rows } = await other.query<{ name: string }>('SELECT current_database() AS name');
      await other.query(`ALTER DATABASE ${rows[0]?.name} SET default_transaction_isolation = '${isolation}'`);
      server = await installation.start();
      const result = await callsDuring(async () => {
        for (let times = 0; times < 60; times++) {
          await other.query('BEGIN');
          await other.query('UPDATE users SET quota = quota');
          await wait(5);
          await other.query('COMMIT');
          await wait(20);
        }
      });
      await expect.poll(() => figure('xact_rollback')).toBeGreaterThan(10);
      expect(result.failed).toEqual([]);
      await expectAllBooked(result);
    },
  );
});
