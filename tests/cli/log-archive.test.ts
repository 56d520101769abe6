import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';

describe('log archive and log unarchive', () => {
  let gateway: TestGateway;
  let folder: string;
  const run = (words: string | string[], options = {}) => runCli(words, { ...options, env: gateway.environment });
  const total = async (flags = '') => (await run(`log list --json ${flags}`)).json<{ total: number }>().total;

  beforeAll(async () => {
    gateway = await startGateway();
    folder = join(gateway.directory, 'old-logs');
    for (let n = 0; n < 3; n++) await gateway.chat().then((response) => response.text());
    await gateway.app.database.sequelize.query('UPDATE logs SET created_at = 1767225600 + id WHERE type = 2');
    // Their hours are not the ones that were summed.
    const { usageData } = gateway.app.database;
    await usageData.update({ created_at: 1_767_225_600 }, { where: {} });
  });
  afterAll(() => gateway.stop());

  it('says what would be moved, moves it, lists it, and puts it back', async () => {
    const before = await total();
    const dry = await run(`log archive --before 2026-02-01 --to ${folder} --dry-run --json`);
    expect(dry.json()).toMatchObject({ data: { count: 3, months: [{ month: '2026-01', rows: 3 }] } });
    expect(await total()).toBe(before);

    const moved = await run(`log archive --before 2026-02-01 --to ${folder}`);
    expect(moved.stdout).toMatch(/3 log rows older than .* moved to .*old-logs \(new files: 1\)/);
    expect(await total()).toBe(before - 3);
    expect((await run('ledger verify')).code).toBe(0);

    expect(await total(`--archive ${folder} --type consume --user alice --since 2026-01-01 --until 2026-02-01`)).toBe(
      3,
    );
    expect(await total(`--archive ${folder} --errors`)).toBe(0);
    expect((await run(`log list --archive ${folder}`)).stdout).toContain('gpt-4o-mini');

    expect((await run(`log unarchive ${folder} --dry-run`)).stdout).toContain('up to 3 log rows');
    await gateway.setOption('LogRetentionDays', '30');
    const back = await run(`log unarchive ${folder} --month 2026-01`);
    expect(back.stdout).toContain('3 log rows put back (already there: 0)');
    expect(back.stdout + back.stderr).toContain('LogRetentionDays is 30');
    expect((await run(`log unarchive ${folder} --json`)).json()).toMatchObject({ data: { restored: 0, present: 3 } });
    expect(await total()).toBe(before);
    expect((await run('ledger verify')).code).toBe(0);
  });

  it('says what is wrong and what to do about it', async () => {
    const none = await run(`log unarchive ${gateway.directory}`);
    expect(none.code).not.toBe(0);
    expect(none.stderr).toContain('is not a log archive: manifest.json is missing');
    expect((await run(`log list --archive ${gateway.directory}`)).stderr).toContain('log archive --to');
    expect((await run(`log unarchive ${folder} --month december`)).stderr).toContain('2025-12');
    expect((await run(`log unarchive ${folder} --month 2020-01`)).stderr).toContain('has no log rows for 2020-01');
    expect((await run(`log archive --before 2999-01-01 --to ${folder}`)).stderr).toContain('must be in the past');
    const other = await run(`log archive --before 2026-02-01 --to ${gateway.directory}`);
    expect(other.stderr).toContain('has files but is not a log archive; nothing was changed');
    expect((await run('log archive --before 2026-02-01')).code).toBe(2);
  });
});
