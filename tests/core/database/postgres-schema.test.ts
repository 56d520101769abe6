import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyDatabase } from '../../../core/database/backup.ts';
import { foreignPostgresSchema } from '../../../core/database/postgres-schema.ts';
import { migrations } from '../../../migrations/index.ts';
import {
  createTemporaryDatabase,
  createTemporaryTarget,
  type TemporaryDatabase,
} from '../../support/temporary-database.ts';

/** What is planted, and the name it is reported by. */
const plants: [sql: string, parts: string[]][] = [
  [
    `CREATE FUNCTION gift() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.quota := 9; RETURN NEW; END $$;
     CREATE TRIGGER pay BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION gift()`,
    ['function gift()', 'trigger users.pay'],
  ],
  ['CREATE VIEW rich AS SELECT id FROM users', ['view rich']],
  ['CREATE RULE keep AS ON DELETE TO tokens DO INSTEAD NOTHING', ['rule tokens.keep']],
  ['CREATE INDEX sly ON users ((quota / (quota - 1)))', ['index sly']],
  ['DROP INDEX tokens_user_id; CREATE INDEX tokens_user_id ON tokens (abs(user_id))', ['index tokens_user_id']],
  ['ALTER TABLE users ADD COLUMN extra TEXT', ['column users.extra']],
  ['ALTER TABLE audits DROP COLUMN address', ['column audits.address']],
  ['ALTER TABLE users ALTER COLUMN role SET DEFAULT 100', ['column users.role']],
  ['ALTER TABLE tokens ALTER COLUMN key_hash DROP NOT NULL', ['column tokens.key_hash']],
  ['ALTER TABLE users ADD CONSTRAINT cap CHECK (quota < 10)', ['constraint users.cap']],
  ['ALTER TABLE sessions SET UNLOGGED', ['table sessions']],
  ['ALTER TABLE tokens ENABLE ROW LEVEL SECURITY', ['table tokens']],
  [
    'CREATE OR REPLACE FUNCTION ledger_book_parked(parked_id text) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$',
    ['function ledger_book_parked(parked_id text)'],
  ],
  ['DROP FUNCTION ledger_book_credits(jsonb)', ['function ledger_book_credits(batch jsonb)']],
  ['CREATE SCHEMA apart; CREATE TABLE apart.more () INHERITS (channels)', ['child apart.more of channels']],
  // Named as the role: searched before ours.
  [
    'CREATE SCHEMA tollgate; CREATE TABLE tollgate.users (id INT); CREATE TABLE tollgate.own (id INT)',
    ['tollgate.users'],
  ],
];

describe('the schema of a PostgreSQL database', () => {
  let bed: TemporaryDatabase;
  let url: string;
  let client: pg.Client;
  beforeAll(async () => {
    bed = await createTemporaryDatabase('postgres');
    url = bed.target.engine === 'postgres' ? bed.target.url : '';
    client = new pg.Client({ connectionString: url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await bed?.remove();
  });

  it('is its own after pg_dump and pg_restore, and with what an extension brought', async () => {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm').catch(() => undefined); // not installed everywhere
    expect(await foreignPostgresSchema(url, migrations)).toEqual([]);
    const file = join(bed.directory, 'copy.dump');
    await copyDatabase(bed.target, file, process.env);
    const other = await createTemporaryTarget('postgres');
    const place = other.target.engine === 'postgres' ? other.target.url : '';
    const tool = 'pg_restore';
    execFileSync(tool, ['--no-owner', `--dbname=${place}`, file], { stdio: 'pipe' });
    expect(await foreignPostgresSchema(place, migrations)).toEqual([]);
    await other.remove();
  });

  it('is compared as far as it was migrated, and nothing is left of that', async () => {
    const { rows } = await client.query(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'tollgate%'`);
    expect(rows).toEqual([]);
    const name = '0013-username-skeleton';
    await client.query(`DELETE FROM migrations WHERE name = $1`, [name]);
    const foreign = await foreignPostgresSchema(url, migrations);
    expect(foreign).toContain('column users.username_skeleton');
    await client.query('INSERT INTO migrations VALUES ($1, 1)', [name]);
  });

  it('is not compared for a role that may not make a schema, which is said', async () => {
    await client.query(`CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader`);
    const address = new URL(url);
    address.username = 'reader';
    await expect(foreignPostgresSchema(address.href, migrations)).rejects.toMatchObject({
      code: 'database.compareRefused',
    });
    await client.query('DROP OWNED BY reader; DROP ROLE reader');
  });

  it('reports everything that differs from what the migrations made', async () => {
    for (const [sql] of plants) await client.query(sql);
    const parts = plants.flatMap(([, told]) => told).sort();
    expect(await foreignPostgresSchema(url, migrations)).toEqual(parts);
  });
});
