import { join } from 'node:path';
import { expect } from 'vitest';
import type { Config } from '../../core/config.ts';
import { connect } from '../../core/database/connect.ts';
import type { ExportManifest } from '../../core/services/moving/manifest.ts';
import { fillEveryTable } from './fill-every-table.ts';
import { addLogsToSqlite } from './large-old-database.ts';
import { createOldSqlite, newApi } from './old-database.ts';
import { type CliHome, createCliHome } from './run-cli.ts';

/** An installation with users, keys, books that agree, `logs` rows of the log besides, and a row in every other table. */
export async function createFilledHome(env: Record<string, string> = {}, logs = 0): Promise<CliHome> {
  const home = createCliHome(env);
  const file = join(home.directory, 'one-api.db');
  await createOldSqlite(file, newApi);
  if (logs > 0) await addLogsToSqlite(file, 'anna', logs);
  expect((await home.run(['db', 'import', file, '--yes', '--logs'])).code).toBe(0);
  await home.run('token create --user anna --name second --quota 100 --yes');
  await home.run('user quota anna --add $3 --yes');
  await home.run('option set RetryTimes 5');
  const database = await connect(placeOf(home));
  await fillEveryTable(database);
  await database.close();
  return home;
}

export function placeOf({ env, directory }: Pick<CliHome, 'env' | 'directory'>): Config['database'] {
  return env.SQL_DSN
    ? { engine: 'postgres', url: env.SQL_DSN }
    : { engine: 'sqlite', file: env.SQLITE_PATH ?? join(directory, 'tollgate.db') };
}

/** Rows and hash of every table but that of the audits, in which each export and each move leaves a line. */
export async function contentOf(home: CliHome, name: string): Promise<Map<string, string>> {
  const folder = join(home.directory, name);
  const run = await home.run(['db', 'export', folder, '--json']);
  expect([run.stderr, run.code]).toEqual(['', 0]);
  const { tables } = run.json<{ data: ExportManifest }>().data;
  const told = tables.filter(({ name: table }) => table !== 'audits');
  return new Map(told.map(({ name: table, rows, sha256, last_id }) => [table, `${rows} ${sha256} ${last_id}`]));
}
