import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../core/database/connect.ts';
import { migrate, migrationStatus } from '../../../core/database/migrate.ts';
import { migrations } from '../../../migrations/index.ts';
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream.ts';
import { binary, type GatewayProcess, runBinary, startGatewayProcess } from '../../support/gateway-process.ts';
import {
  createTemporaryDatabase,
  createTemporaryTarget,
  engines,
  type TemporaryDatabase,
  type TemporaryTarget,
} from '../../support/temporary-database.ts';
import { halfWay } from './slow-migration.ts';

describe.each(engines)('migrations on %s', (engine) => {
  /** A whole schema, to compare with. */
  let whole: TemporaryDatabase;
  let place: TemporaryTarget;
  let environment: Record<string, string>;
  let upstream: FakeUpstream;

  beforeEach(async () => {
    whole = await createTemporaryDatabase(engine);
    place = await createTemporaryTarget(engine);
    upstream = await startFakeUpstream();
    environment = {
      TOLLGATE_HOME: place.directory,
      LOG_LEVEL: 'silent',
      LANG: 'C',
      TOLLGATE_ROOT_PASSWORD: 'correct horse battery',
      INITIAL_ROOT_TOKEN: 'sk-0123456789abcdefABCDEF',
      INITIAL_CHANNEL: JSON.stringify({ type: 1, key: 'upstream-key', models: 'gpt-4o-mini', base_url: upstream.url }),
      ...(place.target.engine === 'postgres' ? { SQL_DSN: place.target.url } : {}),
    };
  });
  afterEach(async () => {
    await upstream.close();
    await place.remove();
    await whole.remove();
  });

  async function schemaOf(target: TemporaryTarget['target']): Promise<object[]> {
    const database = await connect(target);
    const rows = await database.select(
      engine === 'sqlite'
        ? 'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name'
        : `SELECT table_name, column_name, data_type, column_default, is_nullable FROM information_schema.columns
           WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
    );
    await database.close();
    return rows;
  }

  it('are listed without a trace in a database that has none of them', async () => {
    await (await connect(place.target)).close();
    const before = await schemaOf(place.target);
    const { executed, pending } = await migrationStatus(place.target, migrations);
    expect([executed.length, pending.length]).toEqual([0, migrations.length]);
    expect(await schemaOf(place.target)).toEqual(before);
  });

  it('D1 leave nothing behind when they are killed half way, and run through afterward', async () => {
    await migrate(place.target, migrations);
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(new URL('./slow-migration.ts', import.meta.url))],
      { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [said] = await once(child.stdout, 'data');
    expect(String(said)).toContain(halfWay);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await schemaOf(place.target)).toEqual(await schemaOf(whole.target));
    expect(await migrate(place.target, migrations)).toEqual([]);
    // Its copy was made before; the former schema is still what the database has.
    expect((await migrationStatus(place.target, migrations)).pending).toEqual([]);
  });

  it('D1 end up whole whenever they are killed', async () => {
    for (let times = 0; times < 5; times++) {
      const child = spawn(process.execPath, [binary, 'db', 'migrate'], {
        env: { PATH: process.env.PATH, ...environment },
        stdio: 'ignore',
      });
      const gone = once(child, 'exit');
      await wait(150 + Math.random() * 400);
      child.kill('SIGKILL');
      await gone;
    }
    expect(await runBinary({ words: ['db', 'migrate'], environment })).toMatchObject({ code: 0, stderr: '' });
    expect(await schemaOf(place.target)).toEqual(await schemaOf(whole.target));
  });

  it.runIf(engine === 'postgres')('D1 say that they wait when another process has not ended', async () => {
    const database = await connect(place.target);
    const transaction = await database.sequelize.transaction();
    await database.select('SELECT pg_advisory_xact_lock(7205119)', {}, transaction);
    const node = startGatewayProcess({ environment: { ...environment, LOG_LEVEL: 'warn', PORT: '0' } });
    let told = 0;
    const onWait = () => {
      told += 1;
    };
    const migrating = migrate(place.target, migrations, { onWait, afterMs: 50 });
    await expect.poll(() => told).toBe(1);
    const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await expect.poll(() => database.select(waiting)).toEqual([{ count: 2 }]);
    await wait(6500);
    await transaction.commit();
    await database.close();
    await migrating;
    const { output, signal, ended } = await node;
    expect(output()).toContain('waiting: another process changes the schema of this database');
    signal('SIGTERM');
    await ended;
    expect(told).toBe(1);
  });

  it('D1 and first rows are made once by nodes that start together', async () => {
    const nodes: GatewayProcess[] = await Promise.all(
      Array.from({ length: 4 }, () => startGatewayProcess({ environment: { ...environment, PORT: '0' } })),
    );
    for (const { url } of nodes) {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${environment.INITIAL_ROOT_TOKEN}` },
        body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
      });
      expect(response.status).toBe(200);
    }
    for (const node of nodes) node.signal('SIGTERM');
    expect((await Promise.all(nodes.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(await schemaOf(place.target)).toEqual(await schemaOf(whole.target));
    const database = await connect(place.target);
    const counts = await database.select(
      `SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM tokens) AS tokens,
         (SELECT count(*) FROM channels) AS channels, (SELECT count(*) FROM quota_entries) AS grants`,
    );
    await database.close();
    expect(counts).toEqual([{ users: 1, tokens: 1, channels: 1, grants: 1 }]);
    const { code } = await runBinary({ words: ['ledger', 'verify'], environment });
    expect(code).toBe(0);
  });
});
