import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../core/database/connect.ts';
import { migrate } from '../../../core/database/migrate.ts';
import { migrations } from '../../../migrations/index.ts';
import { addChannel, addToken, addUser, countOf, openLedger } from '../../support/ledger-books.ts';
import { createTemporaryTarget, type TemporaryDatabase } from '../../support/temporary-database.ts';

/** A clock of the whole database that can be stepped; found before the built-in one. */
const clock = `CREATE SCHEMA clock;
  CREATE TABLE clock.ahead AS SELECT 0 AS seconds;
  CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS
    'SELECT pg_catalog.now() + make_interval(secs => (SELECT seconds FROM clock.ahead))';`;

describe('D7 F55 two ledgers on PostgreSQL whose clock is stepped', () => {
  let bed: TemporaryDatabase;
  let client: pg.Client;
  let first: Awaited<ReturnType<typeof openLedger>>;
  let second: typeof first;
  beforeEach(async () => {
    const place = await createTemporaryTarget('postgres');
    const url = place.target.engine === 'postgres' ? place.target.url : '';
    client = new pg.Client({ connectionString: url });
    await client.connect();
    const name = new URL(url).pathname.slice(1);
    await client.query(`${clock} ALTER DATABASE ${name} SET search_path = public, clock, pg_catalog`);
    await migrate(place.target, migrations);
    bed = { ...place, database: await connect(place.target) };
    first = await openLedger(bed);
    second = await openLedger(bed);
    await hold();
    expect(await second.sweep()).toBe(0);
  });
  afterEach(async () => {
    await first.close();
    await second.close();
    await client.end();
    await bed.database.close();
    await bed.remove();
  });

  const step = (seconds: number) => client.query(`UPDATE clock.ahead SET seconds = seconds + ${seconds}`);
  async function hold(): Promise<string> {
    const userId = await addUser(bed, first, 1000);
    const call = {
      userId,
      tokenId: await addToken(bed, first, { userId, quota: 1000 }),
      channelId: await addChannel(bed),
    };
    const id = randomUUID();
    await first.hold({ id, ...call, amount: 100 });
    return id;
  }

  it.each([3600, -3600, 40 * 86_400])('keep what the calls of the other reserve, by %i seconds', async (seconds) => {
    await step(seconds);
    expect(await second.sweep()).toBe(0);
    expect(await countOf(bed, 'quota_holds WHERE state = 0')).toBe(1);
  });

  it('give back what a process reserved that ended before it was set back', async () => {
    await client.query("UPDATE quota_holds SET owner = 'dead'");
    await client.query(`INSERT INTO ledger_owners (id, host, pid, key_ids, started_at, seen_at)
      VALUES ('dead', 'elsewhere', 7, '', 1, extract(epoch FROM clock.now())::bigint + 3600)`);
    expect(await second.sweep()).toBe(1);
  });
});
