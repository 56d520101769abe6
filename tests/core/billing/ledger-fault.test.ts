import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../core/database/connect.ts';
import { migrate } from '../../../core/database/migrate.ts';
import { openSqlite, type SqliteConnection } from '../../../core/database/sqlite-connection.ts';
import { newRequestId } from '../../../core/lib/request-id.ts';
import { migrations } from '../../../migrations/index.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import {
  addChannel,
  addToken,
  addUser,
  booksOf,
  countOf,
  openLedger,
  settlementOf,
} from '../../support/ledger-books.ts';
import { type LoadPlan, type LoadResult, runLoad } from '../../support/ledger-load.ts';
import { type PostgresCluster, startPostgres } from '../../support/postgres.ts';
import { startLedgerWorker } from '../../support/start-ledger-worker.ts';
import { createTemporaryDatabase, type TemporaryDatabase } from '../../support/temporary-database.ts';

/** More with LEDGER_CUTS=200 (nightly). */
const wantedCuts = Number(process.env.LEDGER_CUTS ?? 40);

type OpenLedger = Awaited<ReturnType<typeof openLedger>>;

async function addLoadPlan(temporary: TemporaryDatabase, ledger: OpenLedger): Promise<LoadPlan> {
  const users = [];
  for (let n = 0; n < 4; n++) {
    const userId = await addUser(temporary, ledger, 100_000_000);
    users.push({ userId, tokenId: await addToken(temporary, ledger, { userId, quota: 100_000_000 }) });
  }
  return { lanes: 16, users, channelId: await addChannel(temporary), thinkMs: 300 };
}

/** Every acknowledged charge is in the books once, and nothing else than that is wrong either. */
async function expectAllBookedOnce(
  temporary: TemporaryDatabase,
  ledger: OpenLedger,
  { settled }: LoadResult,
): Promise<void> {
  const rows = await temporary.database.select<{ request_id: string; quota: number }>(
    'SELECT request_id, quota FROM logs WHERE type = 2',
  );
  const booked = new Map(rows.map(({ request_id, quota }) => [request_id, Number(quota)]));
  expect(settled.filter(({ id, actual }) => booked.get(id) !== actual)).toEqual([]);
  expect(rows).toHaveLength(settled.length);
  expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
}

const spooledFiles = ({ directory }: TemporaryDatabase) =>
  readdirSync(join(directory, 'spool')).filter((name) => name !== 'reserve');

describe('ledger while PostgreSQL fails', () => {
  let cluster: PostgresCluster;
  let proxy: FaultProxy;
  let temporary: TemporaryDatabase;
  let ledger: OpenLedger;
  let plan: LoadPlan;

  beforeEach(async () => {
    cluster = await startPostgres();
    proxy = await startFaultProxy({ port: cluster.port });
    const target = { engine: 'postgres' as const, url: cluster.url };
    await migrate(target, migrations);
    const database = await connect(target);
    const directory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
    temporary = {
      database,
      target,
      directory,
      remove: async () => rmSync(directory, { recursive: true, force: true }),
    };
    // The ledger goes through the proxy, the test looks at the database past it.
    const url = new URL(cluster.url);
    url.port = String(proxy.port);
    ledger = await openLedger({ target: { engine: 'postgres', url: url.href }, directory });
    plan = await addLoadPlan(temporary, ledger);
  });
  afterEach(async () => {
    await ledger.close();
    await temporary.database.close();
    await temporary.remove();
    await proxy.close();
    cluster.remove();
  });

  /** Calls while `faults` runs, and a moment longer. */
  async function loadDuring(faults: (settled: () => number) => Promise<void>, thinkMs: number): Promise<LoadResult> {
    let isOver = false;
    let settled = 0;
    const load = runLoad(
      ledger,
      { ...plan, thinkMs },
      () => isOver,
      () => settled++,
    );
    await faults(() => settled);
    isOver = true;
    return load;
  }

  /** A closed ledger's holds have no owner, so that the next one returns them. */
  async function expectNothingHeldAfterClose(): Promise<void> {
    await ledger.close();
    ledger = await openLedger(temporary);
    await ledger.sweep();
    expect(await countOf(temporary, 'quota_holds WHERE state = 0')).toBe(0);
    expect((await ledger.verify()).ok).toBe(true);
  }

  it('loses nothing when the server is stopped for eight seconds', async () => {
    const result = await loadDuring(async () => {
      await wait(1500);
      cluster.stop('immediate');
      await wait(8000);
      await cluster.start();
      await wait(3000);
    }, 300);
    expect(result.settled.some(({ outcome }) => outcome === 'spooled')).toBe(true);
    expect(new Set(result.turnedDown.map(({ code }) => code))).toEqual(new Set(['ledger.unavailable']));
    expect(ledger.alarms.length).toBeGreaterThan(0);
    await expect.poll(() => spooledFiles(temporary)).toEqual([]);
    await ledger.drain();
    await expectAllBookedOnce(temporary, ledger, result);
    await expectNothingHeldAfterClose();
  });

  it('books once what it committed without hearing so', { timeout: 30_000 + wantedCuts * 1000 }, async () => {
    const result = await loadDuring(async (settled) => {
      for (let cuts = 0; cuts < wantedCuts; cuts++) {
        const before = settled();
        proxy.set({ cutOn: { pattern: 'ledger_apply', side: cuts % 4 === 0 ? 'before' : 'after', times: 1 } });
        await expect.poll(() => proxy.cuts(), { interval: 2 }).toBe(1);
        // Calls get on before the next cut, which meets them at another moment.
        await expect.poll(settled, { interval: 2 }).toBeGreaterThan(before);
        await wait(Math.random() * 50);
      }
    }, 5);
    await ledger.drain();
    expect(result.settled.length).toBeGreaterThan(wantedCuts);
    await expect.poll(() => spooledFiles(temporary)).toEqual([]);
    await expectAllBookedOnce(temporary, ledger, result);
    await expectNothingHeldAfterClose();
  });

  it('books once when its backends are ended again and again', async () => {
    const result = await loadDuring(async (settled) => {
      for (let times = 0; times < 50 || settled() <= 20; times++) {
        await temporary.database.select(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tollgate-ledger'",
        );
        // Longer and longer: a busy machine books nothing in the pauses of a quick one.
        await wait((20 + Math.random() * 40) * (1 + times / 100));
      }
    }, 5);
    await ledger.drain();
    expect(result.settled.length).toBeGreaterThan(20);
    await expect.poll(() => spooledFiles(temporary)).toEqual([]);
    await expectAllBookedOnce(temporary, ledger, result);
    await expectNothingHeldAfterClose();
  });

  it('spools through a link that swallows everything, and serves again when it is back', {
    timeout: 120_000,
  }, async () => {
    const result = await loadDuring(async () => {
      await wait(500);
      proxy.set({ stalled: true });
      await wait(8000);
      await proxy.heal();
      proxy.cutNow();
      await wait(2000);
    }, 100);
    expect(result.turnedDown.length).toBeGreaterThan(0);
    await expect.poll(() => spooledFiles(temporary)).toEqual([]);
    await ledger.drain();
    await expectAllBookedOnce(temporary, ledger, result);
    await expectNothingHeldAfterClose();
  });

  it('gives a hold back that was taken after its call had been turned down', async () => {
    const [user] = plan.users;
    if (!user) throw new Error('no user');
    await ledger.drain();
    proxy.set({ stalled: true });
    const hold = ledger.hold({ id: newRequestId(), ...user, amount: 100 });
    await expect(hold).rejects.toMatchObject({ code: 'ledger.busy', status: 503, retryAfterSeconds: 2 });
    await proxy.heal();
    await ledger.drain();
    expect(await countOf(temporary, 'quota_holds')).toBe(0);
    expect((await booksOf(temporary, user.userId)).quota).toBe(100_000_000);
  });

  it('turns a lock that another session holds into waiting, not into a lost charge', async () => {
    const [user] = plan.users;
    if (!user) throw new Error('no user');
    const id = newRequestId();
    await ledger.hold({ id, ...user, amount: 100 });
    let settled: Promise<unknown> = Promise.resolve();
    await temporary.database.transaction(async (transaction) => {
      await temporary.database.sequelize.query('SELECT 1 FROM users FOR UPDATE', { transaction });
      settled = ledger.settle(settlementOf({ id, ...user, channelId: plan.channelId, actual: 50 }));
      await expect(ledger.hold({ id: newRequestId(), ...user, amount: 1 })).rejects.toMatchObject({
        code: 'ledger.busy',
        status: 503,
        retryAfterSeconds: 2,
      });
    });
    expect(await settled).toBe('booked');
    expect((await booksOf(temporary, user.userId)).used_quota).toBe(50);
  });
});

/** The ledger is quick to take the lock again, so this may need several tries. */
async function lock(other: SqliteConnection): Promise<void> {
  const attempt = () =>
    other.exec('BEGIN EXCLUSIVE').then(
      () => true,
      () => false,
    );
  await expect.poll(attempt).toBe(true);
}

describe('ledger while SQLite fails', () => {
  let temporary: TemporaryDatabase;
  let ledger: OpenLedger;
  let plan: LoadPlan;

  beforeEach(async () => {
    temporary = await createTemporaryDatabase('sqlite');
    ledger = await openLedger(temporary);
    plan = await addLoadPlan(temporary, ledger);
  });
  afterEach(async () => {
    await ledger.close();
    await temporary.remove();
  });

  const file = () => (temporary.target.engine === 'sqlite' ? temporary.target.file : '');

  it('turns calls down and spools charges while another program keeps the file locked', {
    timeout: 120_000,
  }, async () => {
    let isOver = false;
    const load = runLoad(ledger, plan, () => isOver);
    await wait(300);
    const other = await openSqlite(file());
    await lock(other);
    const [user] = plan.users;
    if (!user) throw new Error('no user');
    await expect(ledger.hold({ id: newRequestId(), ...user, amount: 1 })).rejects.toMatchObject({
      code: 'ledger.busy',
      status: 503,
    });
    await wait(5000);
    expect(statSync(join(temporary.directory, 'spool', spooledFiles(temporary)[0] ?? '')).mode & 0o777).toBe(0o600);
    await other.exec('COMMIT');
    await other.close();
    await wait(1000);
    isOver = true;
    const result = await load;
    expect(result.settled.some(({ outcome }) => outcome === 'spooled')).toBe(true);
    await expect.poll(() => spooledFiles(temporary)).toEqual([]);
    await ledger.drain();
    await expectAllBookedOnce(temporary, ledger, result);
    expect(await countOf(temporary, 'quota_holds')).toBe(0);
  });

  it('books what waits in the spool before it closes: the disk may not outlive the process', {
    timeout: 120_000,
  }, async () => {
    const [user] = plan.users;
    if (!user) throw new Error('no user');
    const id = newRequestId();
    await ledger.hold({ id, ...user, amount: 100 });
    const other = await openSqlite(file());
    await lock(other);
    const outcome = await ledger.settle(settlementOf({ id, ...user, channelId: plan.channelId, actual: 70 }));
    expect(outcome).toBe('spooled');
    await other.exec('COMMIT');
    await other.close();
    await ledger.close();
    expect(spooledFiles(temporary)).toEqual([]);
    expect((await booksOf(temporary, user.userId)).used_quota).toBe(70);
    expect(await countOf(temporary, 'quota_holds')).toBe(0);
    ledger = await openLedger(temporary);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('keeps what it has booked of a batch when another program locks the file in the middle', {
    timeout: 120_000,
  }, async () => {
    const [user] = plan.users;
    if (!user) throw new Error('no user');
    const poor = await addUser(temporary, ledger, 5);
    const other = await openSqlite(file());
    let isOver = false;
    const locking = (async () => {
      while (!isOver) {
        await lock(other);
        await wait(15 + Math.random() * 10);
        await other.exec('COMMIT');
        await wait(Math.random() * 3);
      }
    })();
    for (let round = 0; round < 60; round++) {
      const good = Array.from({ length: 5 }, () => ledger.hold({ id: newRequestId(), ...user, amount: 10 }));
      const refused = ledger.hold({ id: newRequestId(), userId: poor, tokenId: 0, amount: 10 });
      expect((await Promise.all(good)).every(({ ok }) => ok)).toBe(true);
      expect(await refused).toEqual({ ok: false, refused: 'user' });
    }
    isOver = true;
    await locking;
    await other.close();
    expect(await countOf(temporary, 'quota_holds')).toBe(300);
    expect((await booksOf(temporary, user.userId)).quota).toBe(100_000_000 - 3000);
    expect((await ledger.verify()).ok).toBe(true);
  });

  it('books a charge that a process spooled just before it was killed', async () => {
    const [user] = plan.users;
    if (!user) throw new Error('no user');
    const call = { id: newRequestId(), ...user, channelId: plan.channelId, actual: 70 };
    const worker = startLedgerWorker({
      database: temporary.target,
      directory: temporary.directory,
      task: { name: 'settle', ...call, thinkMs: 500 },
      killAt: { point: 'spool.after', time: 1 },
    });
    await worker.heard('held');
    const other = await openSqlite(file());
    await lock(other);
    await worker.ended;
    await other.exec('COMMIT');
    await other.close();
    expect(worker.said.some((message) => 'outcome' in message)).toBe(false);
    const [name = ''] = spooledFiles(temporary);
    expect(readFileSync(join(temporary.directory, 'spool', name), 'utf8')).toContain(call.id);
    const next = await openLedger(temporary);
    await expect.poll(() => spooledFiles(temporary)).toEqual([]);
    expect((await booksOf(temporary, user.userId)).used_quota).toBe(70);
    expect((await next.verify()).ok).toBe(true);
    await next.close();
  });

  it('serves at once after a start with 100,000 orphans and 100,000 spooled charges', {
    timeout: 120_000,
  }, async () => {
    const [user] = plan.users;
    if (!user) throw new Error('no user');
    const many = 100_000;
    await temporary.database.sequelize.query(
      `INSERT INTO quota_holds (id, owner, user_id, token_id, amount, created_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
       SELECT 'orphan-' || i, 'gone', ${user.userId}, ${user.tokenId}, 1, unixepoch() FROM n`,
    );
    await temporary.database.sequelize.query(`UPDATE users SET quota = quota - ${many} WHERE id = ${user.userId}`);
    await temporary.database.sequelize.query(
      `UPDATE tokens SET remain_quota = remain_quota - ${many} WHERE id = ${user.tokenId}`,
    );
    const lines = Array.from({ length: many }, (_, n) =>
      JSON.stringify({
        id: `orphan-${n + 1}`,
        ...user,
        channelId: plan.channelId,
        actual: 2,
        counted: 1,
        accessedAt: 0,
        ...(n % 2 === 0 && { log: settlementOf({ id: '', ...user, channelId: 0, actual: 2 }).log }),
      }),
    );
    writeFileSync(join(temporary.directory, 'spool', 'former.jsonl'), `${lines.join('\n')}\n`);

    const next = await openLedger(temporary);
    expect(await next.hold({ id: newRequestId(), ...user, amount: 1 })).toEqual({ ok: true });
    // Locked for longer than a settlement is tried: the charges that were read already are still in their file.
    const other = await openSqlite(file());
    await lock(other);
    await wait(6500);
    expect(spooledFiles(temporary)).toHaveLength(1);
    await other.exec('COMMIT');
    await other.close();
    await expect.poll(() => spooledFiles(temporary), { timeout: 100_000 }).toEqual([]);
    await next.sweep();
    expect(await countOf(temporary, 'quota_holds')).toBe(1);
    expect((await booksOf(temporary, user.userId)).used_quota).toBe(2 * many);
    expect((await next.verify()).ok).toBe(true);
    await next.close();
  });
});
