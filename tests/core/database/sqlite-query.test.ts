import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import type sqlite3 from 'sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from '../../../core/database/connect.ts';
import { createMigratedTarget } from '../../support/temporary-database.ts';

describe('statements on SQLite', () => {
  let database: Database;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const { target, remove: removeTarget } = await createMigratedTarget('sqlite');
    remove = removeTarget;
    database = await connect(target);
    await database.options.create({ key: 'SystemName', value: 'Tollgate' });
  });
  afterAll(async () => {
    await database.close();
    await remove();
  });

  it('are one each for raw rows', async () => {
    // Opens the connection for raw reads.
    await database.select('SELECT 1');
    const manager = database.sequelize.connectionManager as unknown as {
      connections: Record<string, sqlite3.Database>;
    };
    const connections = Object.values(manager.connections);
    const statements: string[] = [];
    for (const connection of connections) connection.on('trace', (sql: string) => statements.push(sql));
    try {
      expect(await database.options.findAll({ raw: true })).toEqual([{ key: 'SystemName', value: 'Tollgate' }]);
      expect(await database.options.count()).toBe(1);
      expect(await database.select('SELECT key FROM options WHERE key = :key', { key: 'SystemName' })).toHaveLength(1);
      await expect.poll(() => statements.length).toBeGreaterThan(2);
      expect(statements).toHaveLength(3);
    } finally {
      for (const connection of connections) connection.removeAllListeners('trace');
    }
  });

  it('wait for no report that takes long', async () => {
    const slow = `SELECT count(*) AS count FROM (
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000000) SELECT n FROM numbers)`;
    // A second try of this test begins as the first one.
    await database.options.destroy({ where: { key: 'Notice' } });
    const ended: string[] = [];
    const note = (what: string) => () => ended.push(what);
    const report = database.select(slow).then(note('report'));
    await Promise.all([
      database.select('SELECT key FROM options').then(note('raw read')),
      database.options.findByPk('SystemName').then(note('read')),
      database.options.create({ key: 'Notice', value: 'hello' }).then(note('write')),
      database
        .transaction(async (transaction) => {
          await database.options.update({ value: 'bye' }, { where: { key: 'Notice' }, transaction });
          // Seen before it is committed, here only.
          expect(await database.select("SELECT value FROM options WHERE key = 'Notice'", {}, transaction)).toEqual([
            { value: 'bye' },
          ]);
        })
        .then(note('transaction')),
    ]);
    await report;
    expect(ended.toSorted()).toEqual(['raw read', 'read', 'report', 'transaction', 'write']);
    expect(ended.at(-1)).toBe('report');
    expect(await database.select("SELECT value FROM options WHERE key = 'Notice'")).toEqual([{ value: 'bye' }]);
  });

  it('succeed again after their file could not be opened for a while', async () => {
    const { target, remove: removeTarget } = await createMigratedTarget('sqlite');
    if (target.engine !== 'sqlite') throw new Error('not SQLite');
    const other = await connect(target);
    renameSync(target.file, `${target.file}.away`);
    mkdirSync(target.file);
    await expect(other.select('SELECT 1 AS one')).rejects.toThrow('SQLITE_CANTOPEN');
    rmdirSync(target.file);
    renameSync(`${target.file}.away`, target.file);
    expect(await other.select('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await other.options.create({ key: 'SystemName', value: 'Tollgate' });
    await other.close();
    await removeTarget();
  });

  it('that change rows and return them change them', async () => {
    await database.options.create({ key: 'Footer', value: 'a' });
    const change = "UPDATE options SET value = 'b' WHERE key = 'Footer' RETURNING value";
    expect(await database.select(change)).toEqual([{ value: 'b' }]);
    const removal =
      "WITH gone AS (SELECT 'Footer' AS name) DELETE FROM options WHERE key IN (SELECT name FROM gone) RETURNING key";
    expect(await database.select(removal)).toEqual([{ key: 'Footer' }]);
  });

  it('fail with their text and the place that they came from', async () => {
    async function readWhatIsNotThere() {
      await database.select('SELECT missing FROM options');
    }
    const error = await readWhatIsNotThere().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'SequelizeDatabaseError', sql: 'SELECT missing FROM options' });
    expect((error as Error).message).toContain('no such column: missing');
    expect((error as Error).stack).toContain('readWhatIsNotThere');
    async function writeTwice() {
      await database.options.create({ key: 'SystemName', value: 'another' });
    }
    const refusal = await writeTwice().catch((caught: unknown) => caught);
    expect(refusal).toMatchObject({ name: 'SequelizeUniqueConstraintError', fields: ['key'] });
    expect((refusal as Error).stack).toContain('writeTwice');
  });

  it('for other rows still learn the types of their columns', async () => {
    const row = await database.options.findByPk('SystemName');
    expect(row?.get('value')).toBe('Tollgate');
  });
});
