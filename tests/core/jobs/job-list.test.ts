import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createJobs } from '../../../core/jobs/job-list.ts';
import type { Scheduler } from '../../../core/jobs/scheduler.ts';
import type { Logger } from '../../../core/lib/logger.ts';
import { createRetention } from '../../../core/services/log/retention.ts';
import { createConsoleClient } from '../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { engines } from '../../support/temporary-database.ts';

const day = 86_400;
const now = () => Math.floor(Date.now() / 1000);

describe.each(engines)('the jobs of an installation on %s', (engine) => {
  let gateway: TestGateway;
  let node: Scheduler | undefined;
  let bodyDirectory: string;

  beforeAll(async () => {
    gateway = await startGateway(engine, { CHANNEL_UPDATE_FREQUENCY: '60' });
    bodyDirectory = join(gateway.directory, 'left-bodies');
    mkdirSync(bodyDirectory);
  });
  afterEach(() => node?.stop());
  afterAll(() => gateway.stop());

  const run = (sql: string) => gateway.app.database.sequelize.query(sql);

  /** What a node does that starts now and finds that a job last ran two days ago. */
  async function runJob(
    name: string,
    config: Partial<TestGateway['app']['config']> = {},
    leapSeconds = 0,
  ): Promise<string[]> {
    await run('DELETE FROM job_locks');
    await run(`INSERT INTO job_locks (name, owner, until, ran_at) VALUES ('${name}', '', 0, ${now() - 2 * day})`);
    const { app } = gateway;
    let ahead = 0;
    const said: string[] = [];
    const logger: Logger = {
      ...app.logger,
      log: (_level, text, _fields, error) =>
        void said.push(error instanceof Error ? `${text}: ${error.message}` : text),
    };
    node = createJobs({
      ...app,
      logger,
      now: () => app.now() + ahead,
      config: { ...app.config, ...config },
      bodyDirectory,
    });
    ahead = leapSeconds;
    await node.look();
    for (let turn = 0; turn < 100; turn++) {
      const [lock] = await app.database.select<{ owner: string; ran_at: number }>(
        `SELECT owner, ran_at FROM job_locks WHERE name = '${name}'`,
      );
      if (lock?.owner === '') return said;
      await wait(50);
    }
    throw new Error(`${name} did not end`);
  }

  const channel = async (id: number) => gateway.app.database.channels.findByPk(id, { raw: true });

  it('G-190 tests all channels every CHANNEL_TEST_FREQUENCY minutes, and never when that is 0', async () => {
    const id = await gateway.addChannel({ name: 'tested' });
    await runJob('test-channel');
    expect((await channel(id))?.test_time).toBe(0);
    await runJob('test-channel', { channelTestMinutes: 30 });
    expect((await channel(id))?.test_time).toBeGreaterThan(now() - 60);
  });

  it('G-130 a channel that went off by itself comes back when it responds, only when the option says so', async () => {
    const id = await gateway.addChannel({ name: 'back again' });
    await gateway.app.database.channels.update({ status: 3 }, { where: { id } });
    await runJob('enable-channel');
    expect((await channel(id))?.status).toBe(3);
    await gateway.setOption('AutomaticEnableChannelEnabled', 'true');
    await runJob('enable-channel');
    expect((await channel(id))?.status).toBe(1);
  });

  it('G-192 balances are asked for every CHANNEL_UPDATE_FREQUENCY minutes', async () => {
    const before = gateway.upstream.requests.length;
    await runJob('update-balance');
    expect(gateway.upstream.requests.length).toBeGreaterThan(before);
  });

  it('G-271 checks every two minutes who needs a low-quota notice', async () => {
    await runJob('remind-quota');
    const [lock] = await gateway.app.database.select<{ ran_at: number }>(
      "SELECT ran_at FROM job_locks WHERE name = 'remind-quota'",
    );
    expect(lock?.ran_at).toBeGreaterThan(now() - 60);
  });

  it('removes sessions, codes and changes that can no longer be used, and no others', async () => {
    const old = now() - 40 * day;
    await run(`INSERT INTO sessions (id_hash, user_id, created_at, seen_at) VALUES
      ('old', 1, ${old}, ${old}), ('live', 1, ${now()}, ${now()})`);
    await run(`INSERT INTO one_time_codes (code_hash, purpose, created_at, expires_at) VALUES
      ('old', 'email', ${old}, ${old}), ('live', 'email', ${now()}, ${now() + 600})`);
    const many = Array.from({ length: 1500 }, (_, n) => `('options', '${n}', ${n < 1200 ? old : now()})`);
    await run(`INSERT INTO changes (subject, subject_id, created_at) VALUES ${many.join(', ')}`);
    await runJob('clean-up');
    const left = async (table: string, column: string) =>
      (await gateway.app.database.select<Record<string, string>>(`SELECT ${column} AS name FROM ${table}`)).map(
        ({ name }) => name,
      );
    expect(await left('sessions', 'id_hash')).toEqual(['live']);
    expect(await left('one_time_codes', 'code_hash')).toEqual(['live']);
    const changes = await left('changes', 'created_at');
    // The newest thousand stay whatever their age: readers look back over them.
    expect(changes.length).toBeGreaterThanOrEqual(1000);
    expect(changes.length).toBeLessThan(1300);
  });

  it('removes the counts of processes that were killed, and not those of one that lives', async () => {
    await run(`INSERT INTO limit_counts (node, name, count, seen_at) VALUES
      ('killed', '', 0, ${now() - day}), ('killed', 'limit 1 7', 2, ${now() - day}),
      ('lives', '', 0, ${now()}), ('lives', 'limit 1 7', 3, ${now() - day})`);
    await runJob('clean-up');
    const rows = await gateway.app.database.limitCounts.findAll({ raw: true, order: ['name'] });
    expect(rows.map(({ node, name }) => [node, name])).toEqual([
      ['lives', ''],
      ['lives', 'limit 1 7'],
    ]);
    await run('DELETE FROM limit_counts');
  });

  it('removes the rest when a kind of rows cannot be removed, and names it', async () => {
    const old = now() - 40 * day;
    const addCode = () =>
      run(
        `INSERT INTO one_time_codes (code_hash, purpose, created_at, expires_at) VALUES ('older', 'email', ${old}, ${old})`,
      );
    await addCode();
    await run('ALTER TABLE sessions RENAME TO sessions_away');
    const said = await runJob('clean-up');
    await run('ALTER TABLE sessions_away RENAME TO sessions');
    expect(said).toContainEqual(expect.stringMatching(/^job clean-up failed.*: sessions: /));
    expect(await gateway.app.database.oneTimeCodes.count({ where: { code_hash: 'older' } })).toBe(0);
  });

  it('goes on with the rest when the log cannot be reached', async () => {
    const { app } = gateway;
    const failed = { action: 'session.signInFailed', created_at: now() - 400 * day };
    await app.database.audits.create({ ...failed, actor_name: '', actor_id: 0, object_kind: 'session', object_id: '' });
    const away = async () => Promise.reject(new Error('the log is away'));
    const remove = createRetention({ ...app.services, database: { ...app.database, logHome: away } });
    await gateway.setOption('LogErrorRetentionDays', '30');
    await gateway.setOption('FailedSignInRetentionDays', '30');
    await expect(remove(new AbortController().signal)).rejects.toThrow('error rows: the log is away');
    expect(await app.database.audits.count({ where: failed })).toBe(0);
  });

  it('G-089 deletes log rows older than LogRetentionDays, and none while that is 0', async () => {
    await gateway.chat();
    await run(`UPDATE logs SET created_at = created_at - ${40 * day} WHERE type = 2`);
    await run('DELETE FROM usage_data');
    const count = () => gateway.app.database.logs.count({ where: { type: 2 } });
    const before = await count();
    expect(before).toBeGreaterThan(0);
    await runJob('retain-log');
    expect(await count()).toBe(before);
    await gateway.setOption('LogRetentionDays', '30');
    await runJob('retain-log');
    expect(await count()).toBe(0);
    await gateway.verifyBooks();
  });

  it('F55 deletes nothing that was new before the clock went ahead', async () => {
    const { audits } = gateway.app.database;
    const failed = { action: 'session.signInFailed', created_at: now() };
    await audits.create({ ...failed, actor_name: '', actor_id: 0, object_kind: 'session', object_id: '' });
    const count = () => audits.count({ where: failed });
    await runJob('retain-row', {}, 4000 * day);
    expect(await count()).toBe(1);
    await runJob('retain-row');
    expect(await count()).toBe(1);
  });

  it('M14 holds all books against each other at night; a difference is an alarm in the log and in the audit trail', async () => {
    const { audits } = gateway.app.database;
    const alarms = () => audits.findAll({ where: { action: 'ledger.difference' }, raw: true });
    await runJob('verify-ledger');
    expect(await alarms()).toEqual([]);
    await run(`UPDATE users SET quota = quota + 5 WHERE id = ${gateway.userId}`);
    await runJob('verify-ledger');
    const [alarm] = await alarms();
    expect(JSON.parse(alarm?.after ?? '')).toMatchObject({ differences: 1 });
    expect(alarm?.after).toContain(`user ${gateway.userId}: balance`);
    await run(`UPDATE users SET quota = quota - 5 WHERE id = ${gateway.userId}`);
  });

  it('removes bodies that a killed process left on the disk a day ago, and no younger ones', async () => {
    const [left, fresh] = ['left', 'fresh'].map((name) => join(bodyDirectory, name)) as [string, string];
    for (const path of [left, fresh]) writeFileSync(path, 'body');
    utimesSync(left, now() - 2 * day, now() - 2 * day);
    const { removeSpooledBodyJob } = await import('../../../core/jobs/clean-up.ts');
    await removeSpooledBodyJob({ directory: bodyDirectory }).run(new AbortController().signal);
    expect(existsSync(left)).toBe(false);
    expect(existsSync(fresh)).toBe(true);
  });

  it('removes the notice of a paid job whose user is gone', async () => {
    await run('INSERT INTO task_notices (task, user_id, due_at) VALUES (1, 0, 0)');
    await runJob('send-task-notice');
    expect(await gateway.app.database.select('SELECT id FROM task_notices')).toEqual([]);
  });

  it('rolls up hours that are over, so that reports outlive the rows of the log', async () => {
    const root = createConsoleClient(gateway.url);
    await root.signIn('root', 'correct horse battery');
    await gateway.chat();
    const hours = 3 * 3600;
    await run(`UPDATE logs SET created_at = created_at - ${hours}`);
    await run(`UPDATE usage_data SET created_at = created_at - ${hours}`);
    const start = now() - 5 * 3600;
    // A report is read once for all who ask for the same ten seconds.
    const report = (shift: number) =>
      root.data(root.get(`/api/data/report?by=channel&start_timestamp=${start - shift * 60}&end_timestamp=${now()}`));
    const before = await report(0);
    expect(before).toMatchObject([{ calls: 1, prompt_tokens: expect.any(Number) }]);
    await runJob('roll-up');
    expect(await report(1)).toEqual(before);
    await run('DELETE FROM logs');
    expect(await report(2)).toEqual(before);
    await run('DELETE FROM rolled_hours');
    expect(await report(3)).toEqual([]);
  });

  it('a slave node leaves all shared jobs to the others', async () => {
    await run('DELETE FROM job_locks');
    const { app } = gateway;
    node = createJobs({ ...app, config: { ...app.config, isSlave: true }, bodyDirectory });
    await node.look();
    expect(await app.database.select('SELECT name FROM job_locks')).toEqual([]);
  });

  it('a server looks after its jobs from the moment it listens', async () => {
    await run('DELETE FROM job_locks');
    const names = async () =>
      (await gateway.app.database.select<{ name: string }>('SELECT name FROM job_locks ORDER BY name')).map(
        ({ name }) => name,
      );
    for (let turn = 0; turn < 200 && !(await names()).includes('verify-ledger'); turn++) await wait(100);
    expect(await names()).toContain('verify-ledger');
  });
});
