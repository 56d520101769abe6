import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../core/database/sqlite-connection.ts';
import { expectBookedOnce } from '../../support/booked-calls.ts';
import { askedUsage, type CallResult, callOnce, emptyResult, runCalls } from '../../support/call-load.ts';
import type { GatewayProcess } from '../../support/gateway-process.ts';
import { createInstallation, type Installation } from '../../support/installation.ts';
import { canMountDisks, mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts';

/** A lock of 30 s with TOLLGATE_FAULTS=full. */
const lockMs = process.env.TOLLGATE_FAULTS === 'full' ? 30_000 : 10_000;
/** Whichever notices first: the ledger, or the watch over its queue. */
const turnedDown = /^(server_busy|database_unavailable|server_overloaded)$/;
const soon = expect.stringMatching(/^[1-5]$/);

describe('servers on one SQLite file', () => {
  let installation: Installation;
  let disk: SmallDisk | undefined;

  afterEach(async () => {
    await installation.remove();
    disk?.remove();
    disk = undefined;
  });

  const spooledFiles = () => readdirSync(join(installation.directory, 'spool')).filter((name) => name !== 'reserve');

  async function expectServedSoon(result: CallResult): Promise<void> {
    const before = result.seen.length;
    await expect.poll(() => result.seen.length, { interval: 50 }).toBeGreaterThan(before);
  }

  async function expectNothingLost(result: CallResult): Promise<void> {
    expect(result.failed.filter(({ status, code }) => status !== 503 || code === '')).toEqual([]);
    await expect.poll(spooledFiles).toEqual([]);
    await expect.poll(() => installation.count('quota_holds WHERE state = 0')).toBe(0);
    await expectBookedOnce(installation, result);
  }

  it('F44 turn calls down while another program keeps the file locked, then go on', async () => {
    installation = await createInstallation('sqlite');
    installation.upstream.always(askedUsage(100));
    const server = await installation.start();
    const result = emptyResult();
    let isOver = false;
    // Refusing calls is work for the server as well.
    const calls = runCalls({ ...installation, clients: 12, pauseMs: 150 }, () => isOver, result);
    await expect.poll(() => result.seen.length).toBeGreaterThan(12);
    const other = await openSqlite(join(installation.directory, 'tollgate.db'));
    await expect
      .poll(() =>
        other.exec('BEGIN EXCLUSIVE').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await wait(lockMs);
    expect(spooledFiles()).not.toEqual([]);
    const refused = await callOnce(installation, result);
    expect(refused).toMatchObject({ status: 503, code: expect.stringMatching(turnedDown), retryAfter: soon });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await other.exec('COMMIT');
    await other.close();
    await expectServedSoon(result);
    isOver = true;
    await calls;
    await expectNothingLost(result);
  });

  const needsRoot = canMountDisks ? '' : ' (left out: no small disk can be mounted here)';

  it.skipIf(!canMountDisks)(
    `F45, D3 turn calls down while the disk is full, then go on${needsRoot}`,
    {
      timeout: 120_000,
    },
    async () => {
      disk = mountSmallDisk(48);
      const { directory } = disk;
      installation = await createInstallation('sqlite', {
        place: {
          target: { engine: 'sqlite', file: join(directory, 'tollgate.db') },
          directory,
          remove: async () => undefined,
        },
      });
      const server = await installation.start();
      await expectTurnedDownWhile(server, disk.fill, disk.free);
      expect(readdirSync(join(directory, 'spool'))).toEqual(['reserve']);
    },
  );

  it('F45 turn calls down while the file may not grow, then go on', async () => {
    installation = await createInstallation('sqlite');
    const server = await installation.start();
    const limitFiles = (bytes: number | string) =>
      execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:unlimited`]);
    const { size } = statSync(join(installation.directory, 'tollgate.db-wal'));
    await expectTurnedDownWhile(
      server,
      () => void limitFiles(size + 8192),
      () => void limitFiles('unlimited'),
    );
    // It is unknown what of a failed write is on the disk.
    expect(server.output()).toContain('the database file was opened anew, read, and found whole');
  });

  async function expectTurnedDownWhile(server: GatewayProcess, fill: () => void, free: () => void): Promise<void> {
    // A response of ten pieces takes three seconds.
    installation.upstream.always(askedUsage(300));
    const result = emptyResult();
    const underWay = Array.from({ length: 20 }, () => callOnce(installation, result, true));
    await installation.upstream.waitForRequests(20);
    fill();
    const statusNow = async () => (await callOnce(installation, result, false))?.status ?? 200;
    await expect.poll(statusNow).toBe(503);
    const asked = installation.upstream.requests.length;
    const refused = await callOnce(installation, result, false);
    expect(refused).toMatchObject({ status: 503, code: expect.stringMatching(turnedDown), retryAfter: soon });
    expect(installation.upstream.requests).toHaveLength(asked);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    // Each of them gets its end, because its bill is kept in the spool.
    expect((await Promise.all(underWay)).filter(Boolean)).toEqual([]);
    free();
    await expect.poll(statusNow).toBe(200);
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
    await expectNothingLost(result);
  }

  it('F28 share it: calls to two of them are all booked once, and a killed one takes nothing along', {
    timeout: 120_000,
  }, async () => {
    installation = await createInstallation('sqlite');
    installation.upstream.always(askedUsage(5));
    const first = await installation.start();
    const second = await installation.start({ words: ['--port', '0'] });
    const result = emptyResult();
    let isOver = false;
    const calls = [first, second].map(({ url }) =>
      runCalls({ ...installation, url, clients: 6 }, () => isOver, result),
    );
    await wait(4000);
    expect(result.failed).toEqual([]);
    second.signal('SIGKILL');
    await second.ended;
    const third = await installation.start({ words: ['--port', '0'] });
    await wait(1000);
    isOver = true;
    await Promise.all(calls);
    await expect.poll(() => installation.count('quota_holds WHERE state = 0')).toBe(0);
    for (const server of [first, third]) {
      server.signal('SIGTERM');
      expect((await server.ended).code).toBe(0);
    }
    await expectBookedOnce(installation, result);
  });

  it('F32 serve at once after a start with many holds and spooled charges of the dead', {
    timeout: 120_000,
  }, async () => {
    installation = await createInstallation('sqlite');
    await expectQuickStart(installation);
  });
});

describe('a server on PostgreSQL', () => {
  it('F32 serves at once after a start with many holds and spooled charges of the dead', {
    timeout: 120_000,
  }, async () => {
    const installation = await createInstallation('postgres');
    await expectQuickStart(installation);
    await installation.remove();
  });
});

const many = 100_000;
/** Orphans of this age are deleted; not those that a spooled charge is still for. */
const longAgo = Math.floor(Date.now() / 1000) - 30 * 86_400;

/** 100,000 of each: served within five seconds (and some more for a busy machine), the rest in the background. */
async function expectQuickStart(installation: Installation): Promise<void> {
  const { database, engine, directory } = installation;
  installation.upstream.always(askedUsage(2));
  const former = await installation.start();
  former.signal('SIGTERM');
  await former.ended;
  const { id: userId } = (await database.users.findOne({ where: { username: 'root' }, raw: true })) ?? { id: 0 };
  const { id: tokenId } = (await database.tokens.findOne({ where: { user_id: userId }, raw: true })) ?? { id: 0 };
  const numbers =
    engine === 'sqlite'
      ? `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many}) SELECT i FROM n) AS n`
      : `generate_series(1, ${many}) AS n(i)`;
  await database.sequelize.query(
    `INSERT INTO quota_holds (id, owner, user_id, token_id, amount, created_at)
     SELECT 'orphan-' || i, 'gone', ${userId}, ${tokenId}, 1, ${longAgo} FROM ${numbers}`,
  );
  await database.sequelize.query(`UPDATE users SET quota = quota - ${many} WHERE id = ${userId}`);
  await database.sequelize.query(`UPDATE tokens SET remain_quota = remain_quota - ${many} WHERE id = ${tokenId}`);
  const line = (n: number) =>
    JSON.stringify({ id: `orphan-${n}`, userId, tokenId, channelId: 1, actual: 2, counted: 1, accessedAt: 0 });
  const lines = Array.from({ length: many }, (_, n) => line(n + 1));
  writeFileSync(join(directory, 'spool', 'former.jsonl'), `${lines.join('\n')}\n`);

  const startedMs = performance.now();
  const server = await installation.start();
  // The first moments of a process on a busy machine may count as overload.
  await expect.poll(() => callOnce(installation, emptyResult()), { timeout: 120_000 }).toBeUndefined();
  const servedMs = performance.now() - startedMs;
  console.info(`served ${Math.round(servedMs)} ms after the start on ${engine}`);
  await expect
    .poll(() => readdirSync(join(directory, 'spool')), { timeout: 120_000, interval: 500 })
    .toEqual(['reserve']);
  await expect.poll(() => installation.count('quota_holds WHERE state = 0'), { timeout: 30_000 }).toBe(0);
  server.signal('SIGTERM');
  expect((await server.ended).code).toBe(0);
  const root = await database.users.findOne({ where: { id: userId }, raw: true });
  expect(root?.used_quota).toBeGreaterThanOrEqual(2 * many);
  // Rows made by hand are in no log, so `used` differs from it by just them.
  const report = JSON.parse((await installation.cli('ledger', 'verify', '--json')).stdout) as {
    differences: { rule: string; expected: number; found: number }[];
  };
  expect(
    report.differences.every(({ rule, expected, found }) => rule === 'used' && found - expected === 2 * many),
  ).toBe(true);
}
