import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, type Database } from '../../../core/database/connect.ts';
import { keepLogParts } from '../../../core/database/log-conversion.ts';
import { monthStart } from '../../../core/database/log-part.ts';
import { migrate } from '../../../core/database/migrate.ts';
import { foreignPostgresSchema } from '../../../core/database/postgres-schema.ts';
import { newRequestId } from '../../../core/lib/request-id.ts';
import { removeBefore } from '../../../core/services/log/drop-part.ts';
import { homeOfLogs } from '../../../core/services/log-store/home.ts';
import { migrations } from '../../../migrations/index.ts';
import { addChannel, addToken, addUser, countOf, openLedger, settlementOf } from '../../support/ledger-books.ts';
import { createTemporaryTarget, type TemporaryTarget } from '../../support/temporary-database.ts';

const now = () => Math.floor(Date.now() / 1000);
const running = new AbortController().signal;

describe('the log on PostgreSQL', () => {
  let bed: TemporaryTarget & { database: Database };
  let url: string;
  let ledger: Awaited<ReturnType<typeof openLedger>>;

  /** With the schema of the version before there were months, or with the whole one. */
  async function open(isOld: boolean): Promise<void> {
    const target = await createTemporaryTarget('postgres');
    url = target.target.engine === 'postgres' ? target.target.url : '';
    await migrate(target.target, isOld ? migrations.filter(({ name }) => name < '0029') : migrations);
    bed = { ...target, database: await connect(target.target) };
    ledger = await openLedger(bed);
  }
  afterEach(async () => {
    await ledger.close();
    await bed.database.close();
    await bed.remove();
  });

  const run = (sql: string) => bed.database.sequelize.query(sql);
  const parts = async () =>
    (
      await bed.database.select<{ name: string }>(
        "SELECT relname AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'logs'::regclass ORDER BY 1",
      )
    ).map(({ name }) => name);
  const monthName = (months: number) =>
    `logs_${new Date(monthStart(now(), months) * 1000).toISOString().slice(0, 7).replace('-', '_')}`;

  async function addPayer() {
    const userId = await addUser(bed, ledger, 1_000_000);
    return {
      userId,
      tokenId: await addToken(bed, ledger, { userId, quota: 1_000_000 }),
      channelId: await addChannel(bed),
    };
  }
  type Payer = Awaited<ReturnType<typeof addPayer>>;

  async function pay(payer: Payer, at = now(), id = newRequestId()): Promise<string> {
    await ledger.hold({ id, ...payer, amount: 100 });
    const settlement = settlementOf({ id, ...payer, actual: 7 });
    const log = settlement.log && { ...settlement.log, created_at: at };
    expect(await ledger.settle({ ...settlement, log })).toBe('booked');
    return id;
  }

  describe('of a new installation', () => {
    beforeEach(() => open(false));

    it('has the month of now and the next two, and a place for everything else', async () => {
      expect(await parts()).toEqual([monthName(0), monthName(1), monthName(2), 'logs_before', 'logs_rest']);
      const payer = await addPayer();
      await pay(payer);
      await pay(payer, monthStart(now(), -5));
      await pay(payer, monthStart(now(), 9));
      expect(await countOf(bed, monthName(0))).toBe(1);
      expect(await countOf(bed, 'logs_before')).toBe(1);
      expect(await countOf(bed, 'logs_rest')).toBe(1);
      expect(await ledger.verify()).toMatchObject({ ok: true });
    });

    it('makes each month before it begins, and moves rows there that came too early', async () => {
      const payer = await addPayer();
      await pay(payer, monthStart(now(), 4) + 5);
      const later = () => monthStart(now(), 2) + 3600;
      expect(await keepLogParts(url, later, running)).toMatchObject({ converted: false, months: 2 });
      expect(await parts()).toContain(monthName(4));
      expect(await countOf(bed, monthName(4))).toBe(1);
      expect(await countOf(bed, 'logs_rest')).toBe(0);
      expect(await keepLogParts(url, later, running)).toMatchObject({ months: 0 });
      expect(await foreignPostgresSchema(url, migrations)).toEqual([]);
    });

    it('books a call that comes while its month is made', async () => {
      const payer = await addPayer();
      const month = monthStart(now(), 9);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('BEGIN');
      await client.query(`SELECT logs_add_month(${month})`);
      // Until the commit it sees the log as it was, and has to wait.
      const paid = pay(payer, month + 5);
      const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation::regclass::text LIKE 'logs%'";
      await expect.poll(() => bed.database.select(waiting)).not.toEqual([]);
      await client.query('COMMIT');
      await client.end();
      await paid;
      expect([await countOf(bed, monthName(9)), await countOf(bed, 'logs_rest')]).toEqual([1, 0]);
      expect(await ledger.verify()).toMatchObject({ ok: true });
    });

    it('drops whole months that are past, deletes the rest row by row, and the books stay right', async () => {
      const payer = await addPayer();
      const other = await addPayer();
      for (const months of [-3, 0, 1, 2]) {
        await pay(payer, monthStart(now(), months) + 60);
        await pay(other, monthStart(now(), months) + 90);
      }
      const before = monthStart(now(), 1) + 70;
      const told: number[] = [];
      const oid = async () => (await bed.database.select(`SELECT '${monthName(1)}'::regclass::oid AS oid`))[0];
      const kept = await oid();
      expect(
        await removeBefore(await homeOfLogs(bed.database), before, { onProgress: (count) => told.push(count) }),
      ).toBe(5);
      expect(await parts()).toEqual([monthName(1), monthName(2), 'logs_before', 'logs_rest']);
      expect(await oid()).toEqual(kept);
      expect(told.at(-1)).toBe(5);
      expect(await countOf(bed, 'logs')).toBe(3);
      expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
      // What is older than the months still has its place.
      await pay(payer, monthStart(now(), 0) + 60);
      expect(await countOf(bed, 'logs_before')).toBe(1);
      expect(await foreignPostgresSchema(url, migrations)).toEqual([]);
    });

    it('drops no month for two that clear at the same time twice, nor a row that is being written', async () => {
      const payer = await addPayer();
      for (let n = 0; n < 20; n++) await pay(payer, monthStart(now(), n % 2));
      const late = pay(payer, monthStart(now(), 0) + 5);
      const before = monthStart(now(), 2);
      const home = await homeOfLogs(bed.database);
      const removed = await Promise.all([1, 2, 3].map(() => removeBefore(home, before, {})));
      await late;
      const left = await countOf(bed, 'logs');
      expect(removed.reduce((sum, count) => sum + count, left)).toBe(21);
      expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
    });

    it('clears while a backup reads the month, without dropping it', async () => {
      const payer = await addPayer();
      await pay(payer, monthStart(now(), 0));
      const backup = new pg.Client({ connectionString: url });
      await backup.connect();
      try {
        await backup.query(`BEGIN; SELECT count(*) FROM ${monthName(0)}`);
        const stopping = new AbortController();
        const home = await homeOfLogs(bed.database);
        const removing = removeBefore(home, monthStart(now(), 1), { signal: stopping.signal });
        for (let n = 0; n < 10; n++) await pay(payer, monthStart(now(), 1) + n);
        stopping.abort();
        expect(await removing).toBe(0);
      } finally {
        await backup.end();
      }
      expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
    });

    it('M6 has one row per call, whichever month a repeat would fall into', async () => {
      const payer = await addPayer();
      const id = await pay(payer, monthStart(now(), 1) - 1);
      const again = settlementOf({ id, ...payer, actual: 7 });
      const log = again.log && { ...again.log, created_at: monthStart(now(), 1) };
      const outcomes = await Promise.all([1, 2, 3].map(() => ledger.settle({ ...again, log })));
      expect(outcomes).not.toContain('booked');
      expect(await countOf(bed, `logs WHERE request_id = '${id}'`)).toBe(1);
      expect(await countOf(bed, 'stray_settlements')).toBe(0);
      expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
    });
  });

  describe('of an installation from before', () => {
    let payer: Payer;
    beforeEach(async () => {
      await open(true);
      payer = await addPayer();
      for (let n = 0; n < 30; n++) await pay(payer, now() - n * 86_400);
      await migrate(bed.target, migrations);
    });

    it('stays as it is at the start, and becomes months while calls go on', async () => {
      expect(await parts()).toEqual([]);
      let isOver = false;
      let booked = 30;
      const lanes = [1, 2, 3].map(async () => {
        while (!isOver) {
          await pay(payer);
          booked++;
        }
      });
      try {
        await expect.poll(() => booked).toBeGreaterThan(33);
        expect(await keepLogParts(url, now, running)).toMatchObject({ converted: true, obstacles: [] });
        const at = booked;
        await expect.poll(() => booked).toBeGreaterThan(at + 3);
      } finally {
        isOver = true;
        await Promise.all(lanes);
      }
      expect(await countOf(bed, 'logs')).toBe(booked);
      expect(await countOf(bed, '(SELECT DISTINCT id FROM logs) AS ids')).toBe(booked);
      expect(await parts()).toEqual(expect.arrayContaining(['logs_before', 'logs_rest']));
      expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });
      expect(await foreignPostgresSchema(url, migrations)).toEqual([]);
      expect(await keepLogParts(url, now, running)).toMatchObject({ converted: false, months: 0 });
      // The next month has a table of its own.
      const next = monthStart(now() + 7 * 86_400, 1);
      await pay(payer, next);
      expect(await countOf(bed, `logs_${new Date(next * 1000).toISOString().slice(0, 7).replace('-', '_')}`)).toBe(1);
    });

    it('goes on where an earlier try broke off', async () => {
      const until = monthStart(now(), 0) + 86_400 * 3000;
      await run(`ALTER TABLE logs ADD CONSTRAINT logs_before_until CHECK (created_at < ${until}) NOT VALID`);
      expect(await foreignPostgresSchema(url, migrations)).toEqual([]);
      expect(await keepLogParts(url, now, running)).toMatchObject({ converted: true });
      expect(await countOf(bed, "pg_constraint WHERE conname = 'logs_before_until'")).toBe(0);
      expect(await ledger.verify()).toMatchObject({ ok: true });
    });

    it('keeps calls waiting for a moment only while a reader holds the log, and leaves nothing behind when stopped', async () => {
      const reader = new pg.Client({ connectionString: url });
      await reader.connect();
      try {
        await reader.query('BEGIN; SELECT count(*) FROM logs');
        const stopping = new AbortController();
        const converting = keepLogParts(url, now, stopping.signal);
        for (let n = 0; n < 20; n++) await pay(payer);
        stopping.abort();
        expect(await converting).toMatchObject({ converted: false });
      } finally {
        await reader.end();
      }
      expect(await parts()).toEqual([]);
      expect(await keepLogParts(url, now, running)).toMatchObject({ converted: true });
      expect(await countOf(bed, 'logs')).toBe(50);
    });

    it('is left alone where something depends on the table, and says what; grants come along', async () => {
      await run('CREATE VIEW seen AS SELECT quota FROM logs');
      const { converted, obstacles } = await keepLogParts(url, now, running);
      expect({ converted, obstacles }).toEqual({ converted: false, obstacles: ['view view seen'] });
      await run('DROP VIEW seen; CREATE ROLE log_reader; GRANT SELECT ON logs TO log_reader');
      expect(await keepLogParts(url, now, running)).toMatchObject({ converted: true });
      const [row] = await bed.database.select<{ may: boolean }>(
        "SELECT has_table_privilege('log_reader', 'logs', 'SELECT') AS may",
      );
      expect(row?.may).toBe(true);
      await run('DROP OWNED BY log_reader; DROP ROLE log_reader');
    });
  });
});
