import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VerifyReport } from '../../../core/billing/verify-ledger.ts';
import type { TakeoverReport } from '../../../core/services/takeover/takeover.ts';
import {
  addLogsToPostgres,
  addLogsToSqlite,
  costOfRow,
  manyRows,
  writeMysqlDump,
} from '../../support/large-old-database.ts';
import { createOldPostgres, createOldSqlite, newApi, oneApi } from '../../support/old-database.ts';
import { oneHub } from '../../support/old-one-hub.ts';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';
import { createTemporaryTarget, type Engine } from '../../support/temporary-database.ts';

let home: CliHome;
const clean: (() => Promise<void> | void)[] = [];
const start = async (engine: Engine) => {
  const bed = await createTemporaryTarget(engine);
  home = createCliHome(bed.target.engine === 'postgres' ? { SQL_DSN: bed.target.url } : {});
  clean.push(bed.remove, home.remove);
};
beforeEach(() => clean.splice(0));
afterEach(async () => {
  for (const work of clean.splice(0).reverse()) await work();
});

interface Result {
  data: TakeoverReport & { ledger: VerifyReport };
}

/** Everything was read, balances are what they were, and the books are right with it. */
async function importAll(words: string[], user: string, options: { stdin?: string } = {}) {
  const run = await home.run(['db', 'import', ...words, '--logs', '--yes', '--json'], options);
  expect([run.stderr, run.code]).toEqual(['', 0]);
  const { tables, balances, ledger } = run.json<Result>().data;
  const logs = tables.find(({ table }) => table === 'logs');
  expect(logs?.taken).toBeGreaterThanOrEqual(manyRows);
  expect(ledger).toMatchObject({ ok: true, differences: [] });
  expect(balances.filter(({ source, after }) => source !== after)).toEqual([]);
  const listed = (await home.run(`log list --user ${user} --page-size 1 --json`)).json<{
    items: { quota: number }[];
  }>();
  expect(listed.items[0]?.quota).toBe(costOfRow);
  expect((await home.run('ledger verify')).code).toBe(0);
}

describe(`${manyRows} log rows come over`, () => {
  it.each<Engine>(['sqlite', 'postgres'])('from a new-api SQLite file into %s', async (engine) => {
    await start(engine);
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, newApi);
    await addLogsToSqlite(file, 'anna');
    await importAll([file], 'anna');
  });

  it.each<Engine>(['sqlite', 'postgres'])('from a one-api dump of MySQL into %s', async (engine) => {
    await start(engine);
    const file = join(home.directory, 'oneapi.sql');
    writeMysqlDump(file, oneApi, 'carol');
    await importAll([file], 'carol');
  });

  it('from a new-api PostgreSQL database into PostgreSQL', async () => {
    await start('postgres');
    const old = await createOldPostgres(newApi);
    clean.push(old.remove);
    await addLogsToPostgres(old.url, 'anna');
    await importAll(['-'], 'anna', { stdin: old.url });
  });

  it('from a one-hub SQLite file', async () => {
    await start('sqlite');
    const file = join(home.directory, 'one-api.db');
    await createOldSqlite(file, oneHub);
    await addLogsToSqlite(file, 'dora');
    await importAll([file], 'dora');
  });
});
