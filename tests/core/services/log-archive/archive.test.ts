import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { monthStart } from '../../../../core/database/log-part.ts';
import type { LogRow } from '../../../../core/database/models/log.ts';
import { newRequestId } from '../../../../core/lib/request-id.ts';
import { systemActor } from '../../../../core/schemas/actor.ts';
import { logListSchema } from '../../../../core/schemas/log.ts';
import { createAuditService } from '../../../../core/services/audit.ts';
import { removeBefore } from '../../../../core/services/log/drop-part.ts';
import { archiveLogs, monthsBefore } from '../../../../core/services/log-archive/archive.ts';
import { listArchive } from '../../../../core/services/log-archive/list.ts';
import { readArchive } from '../../../../core/services/log-archive/manifest.ts';
import { unarchiveLogs } from '../../../../core/services/log-archive/unarchive.ts';
import { homeOfLogs } from '../../../../core/services/log-store/home.ts';
import { createRollUp } from '../../../../core/services/rolled-hour/roll-up.ts';
import type { ArchiveOrder } from '../../../support/archive-worker.ts';
import { compiledWorker } from '../../../support/compiled-worker.ts';
import { addChannel, addToken, addUser, countOf, openLedger, settlementOf } from '../../../support/ledger-books.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../../support/temporary-database.ts';

const now = Math.floor(Date.now() / 1000);
const month = (ago: number) => monthStart(now, -ago);
const monthName = (ago: number) => new Date(month(ago) * 1000).toISOString().slice(0, 7);

describe.each(engines)('an archive of the log on %s', (engine) => {
  let bed: TemporaryDatabase;
  let ledger: Awaited<ReturnType<typeof openLedger>>;
  let folder: string;
  let payer: { userId: number; tokenId: number; channelId: number };

  /** Nine calls in each of three months, and one of now. */
  beforeEach(async () => {
    bed = await createTemporaryDatabase(engine);
    ledger = await openLedger(bed);
    folder = join(bed.directory, 'archive');
    const userId = await addUser(bed, ledger, 1_000_000);
    const tokenId = await addToken(bed, ledger, { userId, quota: 1_000_000 });
    payer = { userId, tokenId, channelId: await addChannel(bed) };
    for (const ago of [3, 2, 1]) for (let n = 0; n < 9; n++) await pay(month(ago) + n * 1000, n + 1);
    await pay(now, 5);
  });
  afterEach(async () => {
    await ledger.close();
    await bed.remove();
  });

  async function pay(at: number, actual: number): Promise<void> {
    const id = newRequestId();
    await ledger.hold({ id, ...payer, amount: 100 });
    const settlement = settlementOf({ id, ...payer, actual });
    const log = settlement.log && { ...settlement.log, created_at: at };
    expect(await ledger.settle({ ...settlement, log })).toBe('booked');
  }

  const dependencies = () => ({ database: bed.database, audit: createAuditService(bed) });
  const archive = (before = month(0), extra = {}) =>
    archiveLogs(systemActor, dependencies(), { folder, before, keep: false, ...extra });
  const restore = (extra = {}) => unarchiveLogs(systemActor, dependencies(), { folder, ...extra });
  const list = (input: Record<string, unknown> = {}) =>
    listArchive(systemActor, bed.database, folder, logListSchema.parse(input));
  const rowsIn = (name: string) =>
    gunzipSync(readFileSync(join(folder, name)))
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LogRow);
  const allRows = async () =>
    (await bed.database.logs.findAll({ order: [['id', 'ASC']], raw: true })).map((row) => ({
      ...row,
      is_stream: Boolean(row.is_stream),
    }));
  const archivedIds = () => readArchive(folder).files.flatMap(({ name }) => rowsIn(name).map(({ id }) => id));
  const verify = async () => expect(await ledger.verify()).toMatchObject({ ok: true, differences: [] });

  it('takes the rows out of the database month by month, and the ledger still adds up', async () => {
    const before = await allRows();
    expect(await monthsBefore(systemActor, bed, month(0))).toMatchObject(
      [3, 2, 1].map((ago) => ({ month: monthName(ago), rows: 9 })),
    );
    const { files, written, deleted } = await archive();
    expect([written, deleted]).toEqual([27, 27]);
    expect(files).toMatchObject(
      [3, 2, 1].map((ago) => ({ name: `logs-${monthName(ago)}.jsonl.gz`, rows: 9, quota: 45 })),
    );
    expect(await countOf(bed, 'logs')).toBe(1);
    expect(files.flatMap(({ name }) => rowsIn(name))).toEqual(before.slice(0, 27));
    expect(readdirSync(folder).sort()).toEqual([...files.map(({ name }) => name), 'manifest.json']);
    await verify();
  });

  it('puts rows back as they were, once, and archives them again without a second file', async () => {
    const before = await allRows();
    await archive();
    expect(await restore({ month: monthName(2) })).toMatchObject({ restored: 9, present: 0 });
    await verify();
    expect(await restore()).toMatchObject({ restored: 18, present: 9 });
    expect(await restore()).toMatchObject({ restored: 0, present: 27 });
    expect(await allRows()).toEqual(before);
    await verify();
    expect(await archive()).toMatchObject({ files: [], written: 0, deleted: 27 });
    expect(await countOf(bed, 'logs')).toBe(1);
    await verify();
  });

  it('takes rows whose texts have line separators of their own, and puts them back', async () => {
    const [row] = await allRows();
    await bed.database.logs.update({ content: 'one\u2028two\u2029three' }, { where: { id: row?.id ?? 0 } });
    const before = await allRows();
    expect(await archive()).toMatchObject({ written: 27, deleted: 27 });
    expect(await restore()).toMatchObject({ restored: 27 });
    expect(await allRows()).toEqual(before);
  });

  it('puts rows back into hours that were added up without them, and these are added up again', async () => {
    const provenHours = () =>
      countOf(bed, 'rolled_hours WHERE calls > 0 AND calls = known_calls AND quota = known_quota');
    const rollUp = () => createRollUp({ database: bed.database, maxMs: 60_000 })(new AbortController().signal);
    await archive();
    // As a former version did, which did not add them up before.
    await bed.database.rolledHours.destroy({ where: {} });
    // Hours without a call are many, and of no interest here.
    await bed.database.sequelize.query(`UPDATE ledger_marks SET at = ${now} WHERE name = 'hourly'`);
    await rollUp();
    expect(await provenHours()).toBe(0);
    await restore();
    await rollUp();
    expect(await provenHours()).toBeGreaterThan(0);
  });

  it('with a copy kept, writes only what is new the next time, and deletes what is in the files later', async () => {
    expect(await archive(month(0), { keep: true })).toMatchObject({ written: 27, deleted: 0 });
    expect(await countOf(bed, 'logs')).toBe(28);
    await pay(month(1) + 50, 3);
    expect(await archive(month(0), { keep: true })).toMatchObject({
      files: [{ name: `logs-${monthName(1)}.2.jsonl.gz`, rows: 1 }],
    });
    expect(await archive()).toMatchObject({ written: 0, deleted: 28 });
    expect(new Set(archivedIds()).size).toBe(28);
    await verify();
  });

  it('archives up to the middle of a month, and the rest of it into a second file', async () => {
    await archive(month(1) + 4500);
    await pay(month(1) + 10, 3);
    expect(await archive()).toMatchObject({
      files: [{ name: `logs-${monthName(1)}.2.jsonl.gz`, rows: 5 }],
      deleted: 5,
    });
    expect(new Set(archivedIds()).size).toBe(28);
    await verify();
  });

  it('goes on after SIGKILL at any point: no row is lost, or in two files, and the ledger adds up', async () => {
    const ids = (await allRows()).map(({ id }) => id).slice(0, 18);
    let kills = 0;
    for (let killAt = 1; kills < 40; killAt = (killAt % 4) + 1) {
      const order: ArchiveOrder = { database: bed.target, folder, before: month(1), killAt };
      const child = spawn(process.execPath, [compiledWorker('tests/support/archive-worker'), JSON.stringify(order)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [code, signal] = await once(child, 'exit');
      await verify();
      const left = await allRows();
      const safe = new Set([...archivedIds(), ...left.map(({ id }) => id)]);
      for (const id of ids) expect(safe).toContain(id);
      if (signal !== 'SIGKILL') {
        expect(code).toBe(0);
        break;
      }
      kills++;
    }
    expect(kills).toBeGreaterThan(3);
    expect(archivedIds()).toEqual(ids);
    expect(await countOf(bed, 'logs')).toBe(10);
    expect(readArchive(folder).files.every(({ state }) => state === 'moved')).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('deletes and restores nothing for a damaged file, and says which it is', async () => {
    await archive(month(0), { keep: true });
    const file = join(folder, `logs-${monthName(2)}.jsonl.gz`);
    appendFileSync(file, 'x');
    for (const work of [archive, restore, list]) {
      await expect(work()).rejects.toMatchObject({ code: 'archive.damaged', details: { file } });
    }
    // The month before it was whole.
    expect(await countOf(bed, 'logs')).toBe(19);
    rmSync(file);
    await expect(restore()).rejects.toMatchObject({ code: 'archive.damaged' });
    expect(await countOf(bed, 'logs')).toBe(19);
    await verify();
  });

  it('keeps away from folders and rows that are not its own', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    await expect(archive()).rejects.toMatchObject({ code: 'archive.otherFolder' });
    await expect(restore()).rejects.toMatchObject({ code: 'archive.none' });
    rmSync(folder, { recursive: true });
    await archive(month(0), { keep: true });
    // As if another installation had used the folder.
    await bed.database.sequelize.query('UPDATE logs SET created_at = created_at + 1 WHERE type = 2');
    await expect(archive()).rejects.toMatchObject({ code: 'archive.otherRows' });
    await expect(restore()).rejects.toMatchObject({ code: 'archive.otherRows' });
    expect(await countOf(bed, 'logs')).toBe(28);
  });

  it('lets one process in at a time, and takes over from one that is gone', async () => {
    mkdirSync(folder);
    await archive(month(2));
    const lock = join(folder, 'archive.lock');
    writeFileSync(lock, 'elsewhere 1');
    await expect(archive()).rejects.toMatchObject({ code: 'archive.busy' });
    rmSync(lock);
    const [first, second] = await Promise.allSettled([archive(), archive()]);
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected']);
    expect(existsSync(lock)).toBe(false);
    await verify();
  });

  it('lists what is in the files with the filters of the log', async () => {
    await archive();
    const ids = async (input: Record<string, unknown>) => (await list(input)).items.map(({ id }) => id);
    const all = archivedIds().reverse();
    expect(await list({ page_size: 100 })).toMatchObject({ total: 27, total_capped: false });
    expect(await ids({ page_size: 100 })).toEqual(all);
    expect(await ids({ page_size: 10, page: 2 })).toEqual(all.slice(10, 20));
    expect(await list({ page_size: 5 })).toMatchObject({ total: 9, total_capped: true });
    const [row] = rowsIn(`logs-${monthName(3)}.jsonl.gz`);
    expect(await ids({ request_id: row?.request_id })).toEqual([row?.id]);
    expect(await ids({ end_timestamp: month(3) + 1500, page_size: 100 })).toEqual(all.slice(-2));
    expect(await ids({ start_timestamp: month(1) + 7500, page_size: 100 })).toEqual(all.slice(0, 1));
    expect(await list({ model_name: 'orbit-%', min_quota: 9, page_size: 100 })).toMatchObject({ total: 3 });
    const none = {
      model_name: 'orbit',
      user_id: 999,
      type: 5,
      channel: 77,
      group: 'vip',
      token_name: 'x',
      username: 'nobody',
    };
    for (const [name, value] of Object.entries(none)) expect(await ids({ [name]: value }), name).toEqual([]);
    expect((await list({ channel: payer.channelId })).items[0]).toMatchObject({ channel_name: 'upstream', quota: 9 });
  });

  it('gives no id of a restored row again, also where the rows never were', async () => {
    await archive(month(0), { keep: true });
    await removeBefore(await homeOfLogs(bed.database), month(0), {});
    const last = Math.max(...archivedIds());
    if (engine === 'postgres') await bed.database.select("SELECT setval(pg_get_serial_sequence('logs', 'id'), 1)");
    await bed.database.logs.destroy({ where: {} });
    await restore();
    const { id } = await bed.database.logs.create({ created_at: now, type: 3 });
    expect(id).toBeGreaterThan(last);
  });
});
