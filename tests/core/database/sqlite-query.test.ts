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
    const manager = database.sequelize.connectionManager;
    const connection = (await manager.getConnection({ type: 'read' })) as unknown as sqlite3.Database;
    const statements: string[] = [];
    connection.on('trace', (sql: string) => statements.push(sql));
    try {
      expect(await database.options.findAll({ raw: true })).toEqual([{ key: 'SystemName', value: 'Tollgate' }]);
      expect(await database.options.count()).toBe(1);
      expect(await database.select('SELECT key FROM options WHERE key = :key', { key: 'SystemName' })).toHaveLength(1);
      await expect.poll(() => statements.length).toBeGreaterThan(2);
      expect(statements).toHaveLength(3);
    } finally {
      connection.removeAllListeners('trace');
    }
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
