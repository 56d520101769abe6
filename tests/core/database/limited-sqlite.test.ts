import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseError, type Transaction } from 'sequelize';
import sqlite3 from 'sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitStatements } from '../../../core/database/limited-sqlite.ts';
import { asOutage } from '../../../core/database/outage.ts';
import { openSqlite } from '../../../core/database/sqlite-connection.ts';
import { createTemporaryDatabase } from '../../support/temporary-database.ts';

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

describe('a write on SQLite', () => {
  it('is on the disk before it is acknowledged, in a transaction and without one', async () => {
    const { database, remove } = await createTemporaryDatabase('sqlite');
    const level = async (transaction?: Transaction) => {
      const [row] = await database.select<{ synchronous: number }>('PRAGMA synchronous', {}, transaction);
      return row?.synchronous;
    };
    const full = 2;
    expect(await level()).toBe(full);
    expect(await database.transaction(level)).toBe(full);
    expect(await database.select('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    await remove();
  });
});

describe('a SQLite connection with a limit of time', () => {
  let connection: sqlite3.Database;

  beforeEach(() => {
    connection = new sqlite3.Database(':memory:');
    connection.serialize();
    limitStatements(connection, 300);
  });
  afterEach(() => new Promise<void>((resolve) => connection.close(() => resolve())));

  const all = (sql: string) =>
    new Promise<unknown[]>((resolve, reject) =>
      connection.all(sql, (error, rows) => (error ? reject(error) : resolve(rows))),
    );

  it('ends a statement that runs for longer, and goes on with those that waited', async () => {
    const first = all(endless);
    const second = all('SELECT 1 AS one');
    await expect(first).rejects.toMatchObject({ code: 'SQLITE_INTERRUPT' });
    expect(await second).toEqual([{ one: 1 }]);
    await expect(all(endless)).rejects.toMatchObject({ code: 'SQLITE_INTERRUPT' });
    expect(await all('SELECT 2 AS two')).toEqual([{ two: 2 }]);
  });

  it('has nothing left to end when it was closed before a statement came', async () => {
    let ended = 0;
    connection.interrupt = () => {
      ended += 1;
    };
    await new Promise<void>((resolve) => connection.close(() => resolve()));
    await expect(all('SELECT 1')).rejects.toMatchObject({ code: 'SQLITE_MISUSE' });
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(ended).toBe(0);
    connection = new sqlite3.Database(':memory:');
  });

  it('counts the time of each by itself', async () => {
    const patient = new sqlite3.Database(':memory:');
    patient.serialize();
    limitStatements(patient, 2000);
    // Each is far below the limit on any machine, all of them together are beyond it.
    const short =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT count(*) FROM n';
    const run = () =>
      new Promise<void>((resolve, reject) => patient.all(short, (error) => (error ? reject(error) : resolve())));
    let isOver = false;
    setTimeout(() => {
      isOver = true;
    }, 2500);
    while (!isOver) await Promise.all([run(), run(), run(), run()]);
    await new Promise<void>((resolve) => patient.close(() => resolve()));
  });
});

describe('a database on SQLite', () => {
  it('waits for the lock of another program again and again, a second at a time, in a transaction and outside', async () => {
    const { database, directory, remove } = await createTemporaryDatabase('sqlite');
    expect(await database.select('PRAGMA busy_timeout')).toEqual([{ timeout: 1000 }]);
    await database.transaction(async (transaction) => {
      expect(await database.select('PRAGMA busy_timeout', {}, transaction)).toEqual([{ timeout: 1000 }]);
    });
    const other = await openSqlite(join(directory, 'tollgate.db'));
    await other.exec('BEGIN EXCLUSIVE');
    const write = (key: string, transaction?: Transaction) =>
      database.options.create({ key, value: 'written' }, { transaction });
    const writes = Promise.all([write('Outside'), database.transaction((transaction) => write('Inside', transaction))]);
    await wait(2500);
    await other.exec('COMMIT');
    expect(await writes).toHaveLength(2);
    await other.close();
    await remove();
  });

  it('says of a statement that took too long that the database is away', () => {
    const parent = Object.assign(new Error('SQLITE_INTERRUPT: interrupted'), { code: 'SQLITE_INTERRUPT' });
    expect(asOutage(new DatabaseError(Object.assign(parent, { sql: '' })))?.code).toBe('database.away');
  });
});
