import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import type { VerifyReport } from '../../../core/billing/verify-ledger.ts';
import type { Config } from '../../../core/config.ts';
import type { TakeoverReport } from '../../../core/services/takeover/takeover.ts';
import { compiledWorker } from '../../support/compiled-worker.ts';
import type { ImportOrder } from '../../support/import-worker.ts';
import { addLogsToSqlite } from '../../support/large-old-database.ts';
import { createOldSqlite, newApi } from '../../support/old-database.ts';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';
import { createTemporaryTarget, engines } from '../../support/temporary-database.ts';

interface Result {
  data: TakeoverReport & { ledger: VerifyReport };
}

const clean: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const work of clean.splice(0).reverse()) await work();
});

/** Resolves with the signal that ended it; null = it came to its end. */
async function killedAt(home: CliHome, statement: number, file: string): Promise<string | null> {
  const { PATH = '' } = process.env;
  const worker = compiledWorker('tests/support/import-worker');
  const order: ImportOrder = [String(statement), file];
  const child = spawn(process.execPath, [worker, ...order], {
    env: { PATH, LOG_LEVEL: 'silent', ...home.env },
    stdio: 'ignore',
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal;
}

const rowCount = 20_000;

const logCount = async (home: CliHome) =>
  (await home.run('log list --user anna --page-size 1 --json')).json<{ total: number }>().total;

/** PostgreSQL counts the killed process as running for a minute. On SQLite, its process ID shows at once that it is gone. */
async function forgetProcess(target: Config['database']): Promise<void> {
  if (target.engine !== 'postgres') return;
  const client = new pg.Client({ connectionString: target.url });
  await client.connect();
  await client.query('UPDATE ledger_owners SET seen_at = seen_at - 60');
  await client.end();
}

describe.each(engines)('an import into %s that is killed', (engine) => {
  it('goes on where it was, whatever it was at, and takes nothing twice', async () => {
    const bed = await createTemporaryTarget(engine);
    const home = createCliHome(bed.target.engine === 'postgres' ? { SQL_DSN: bed.target.url } : {});
    clean.push(bed.remove, home.remove);
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, newApi);
    await addLogsToSqlite(file, 'anna', rowCount);
    await home.run('db migrate --new');
    const words = ['db', 'import', file, '--logs', '--yes'];
    // In the middle of accounts, then of channels and tokens, and at last of log rows.
    for (let statement = 40; (await logCount(home)) === 0; statement += 80) {
      expect(await killedAt(home, statement, file)).toBe('SIGKILL');
    }
    expect(await logCount(home)).toBeLessThan(rowCount);
    await forgetProcess(bed.target);
    const run = await home.run([...words, '--json']);
    expect(run.code).toBe(0);
    const { tables, ledger } = run.json<Result>().data;
    const logs = tables.find(({ table }) => table === 'logs');
    expect(logs?.read).toBe(rowCount + 3);
    expect(logs?.present).toBeGreaterThan(0);
    expect((logs?.taken ?? 0) + (logs?.present ?? 0)).toBe(rowCount + 3);
    expect(ledger).toMatchObject({ ok: true, differences: [] });
    const again = (await home.run([...words, '--json'])).json<Result>().data;
    expect(
      again.tables.map(({ table, taken, changed }) => [table, taken, changed]).filter(([, ...n]) => n.some(Boolean)),
    ).toEqual([]);
    expect((await home.run('user get anna --json')).json()).toMatchObject({
      quota: 3_000_000_000,
      used_quota: 500_000,
    });
    expect((await home.run('ledger verify')).code).toBe(0);
  });
});
