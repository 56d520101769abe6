import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TakeoverReport } from '../../../core/services/takeover/takeover.ts';
import { addLogsToSqlite, manyRows } from '../../support/large-old-database.ts';
import { createOldSqlite, newApi } from '../../support/old-database.ts';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';
import { createTemporaryTarget, engines } from '../../support/temporary-database.ts';

describe.each(engines)('an import into %s that is interrupted by Ctrl-C', (engine) => {
  let home: CliHome;
  let file: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    const bed = await createTemporaryTarget(engine);
    remove = bed.remove;
    home = createCliHome(bed.target.engine === 'postgres' ? { SQL_DSN: bed.target.url } : {});
    file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, newApi);
    await addLogsToSqlite(file, 'anna');
  });
  afterEach(async () => {
    home.remove();
    await remove();
  });
  const rest = async () => {
    const run = await home.run(['db', 'import', file, '--logs', '--yes', '--json']);
    expect(run.code).toBe(0);
    const { tables } = run.json<{ data: TakeoverReport }>().data;
    return Object.fromEntries(tables.map(({ table, taken, present }) => [table, [taken, present]]));
  };

  it('changes nothing before everything but the logs is there, and the next run imports it', async () => {
    const run = await home.run(['db', 'import', file, '--logs', '--yes'], {
      watch: (text, signal) => text.includes('users: ') && signal('SIGINT'),
    });
    expect([run.code, run.stderr]).toEqual([130, expect.stringContaining('interrupted; nothing was changed')]);
    expect(run.stderr).not.toContain('rows imported');
    expect((await home.run('user list --json')).json<{ total: number }>().total).toBe(1);
    expect(await rest()).toMatchObject({ users: [4, 0], tokens: [2, 0], logs: [manyRows + 3, 0] });
  });

  it('stops among the logs, says so, and the next run goes on', async () => {
    const run = await home.run(['db', 'import', file, '--logs', '--yes'], {
      watch: (text, signal) => / of \d+ rows read/.test(text) && signal('SIGINT'),
    });
    expect([run.code, run.stderr]).toEqual([130, expect.stringContaining('the import of the logs was interrupted')]);
    const { users, logs } = await rest();
    expect([users, (logs?.[0] ?? 0) + (logs?.[1] ?? 0)]).toEqual([[0, 4], manyRows + 3]);
    expect((await home.run('ledger verify')).code).toBe(0);
  });
});
