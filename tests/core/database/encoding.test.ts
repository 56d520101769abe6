import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, it } from 'vitest';
import { migrate } from '../../../core/database/migrate.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { migrations } from '../../../migrations/index.ts';
import { sharedPostgres } from '../../support/shared-postgres.ts';

it('makes nothing in a PostgreSQL database that could not store every name, and says how to create one that can', async () => {
  const server = await sharedPostgres();
  const name = `latin_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
  try {
    const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
    const error = (await migrate({ engine: 'postgres', url }, migrations).catch(
      (reason: unknown) => reason,
    )) as AppError;
    expect([error.code, error.details.encoding]).toEqual(['database.encoding', 'LATIN1']);
    expect(error.hint('en')).toContain('createdb --encoding=UTF8');
    const inside = new pg.Client(url);
    await inside.connect();
    const { rows } = await inside.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    await inside.end();
    expect(rows).toEqual([]);
  } finally {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.end();
  }
});
