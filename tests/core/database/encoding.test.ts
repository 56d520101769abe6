import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../../../core/database/migrate.ts';
import { migrationsTable } from '../../../core/database/migrations-table.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { migrations } from '../../../migrations/index.ts';
import { createCliHome } from '../../support/run-cli.ts';
import { sharedPostgres } from '../../support/shared-postgres.ts';

const name = `latin_${randomBytes(6).toString('hex')}`;
let url: string;
const onServer = async (...statements: string[]) => {
  const client = new pg.Client(await sharedPostgres());
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
};
const inside = async (statement: string) => {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
};

beforeEach(async () => {
  await onServer(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
  url = Object.assign(new URL(await sharedPostgres()), { pathname: `/${name}` }).href;
});
afterEach(() => onServer(`DROP DATABASE ${name} WITH (FORCE)`));

it('makes nothing in a PostgreSQL database that could not store every name, and says how to create one that can', async () => {
  const error = (await migrate({ engine: 'postgres', url }, migrations).catch((reason: unknown) => reason)) as AppError;
  expect([error.code, error.details.encoding]).toEqual(['database.encoding', 'LATIN1']);
  expect(error.hint('en')).toContain('createdb --encoding=UTF8');
  expect(await inside("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
});

it('says of an installation that has lived with one, and of a log database, what its encoding is', async () => {
  const home = createCliHome();
  try {
    await home.run('init --no-input');
    const log = await home.run('doctor --json', { env: { LOG_SQL_DSN: url } });
    const refused = log.json<{ items: { check: string }[] }>().items.find(({ check }) => check === 'logDatabase');
    expect(refused).toMatchObject({ status: 'fail', message: expect.stringContaining('the encoding LATIN1') });
    expect(await inside("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
    await inside(migrationsTable);
    await migrate({ engine: 'postgres', url }, migrations);
    const { items } = (await home.run('doctor --json', { env: { SQL_DSN: url } })).json<{ items: object[] }>();
    expect(items).toContainEqual({
      check: 'encoding',
      status: 'warn',
      message: expect.stringMatching(/SQL_DSN has the encoding LATIN1.*tollgate db move/),
    });
  } finally {
    home.remove();
  }
});
