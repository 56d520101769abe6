import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite, type SqliteConnection } from '../../../core/database/sqlite-connection.ts';

describe('a SQLite connection whose statement met a lock', () => {
  let directory: string;
  let writer: SqliteConnection;
  let other: SqliteConnection;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tollgate-lock-'));
    const file = join(directory, 'a.db');
    writer = await openSqlite(file, { busyTimeoutMs: 1 });
    other = await openSqlite(file);
    await writer.exec('CREATE TABLE notes (text TEXT)');
    await other.exec('BEGIN EXCLUSIVE');
  });
  afterEach(async () => {
    await writer.close();
    await other.close();
    rmSync(directory, { recursive: true });
  });

  const seenByOthers = async () => (await other.all('SELECT text FROM notes')).map(({ text }) => text);

  it.each(['BEGIN IMMEDIATE', "INSERT INTO notes VALUES ('late')"])(
    'keeps what it writes after %s was refused',
    async (sql) => {
      await expect(writer.run(sql)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
      await other.exec('COMMIT');
      await writer.run("INSERT INTO notes VALUES ('first')");
      expect(await seenByOthers()).toEqual(['first']);
      // The refused statement is used again: what was written in between stays written.
      await writer.run(sql);
      if (sql.startsWith('BEGIN')) await writer.run('ROLLBACK');
      expect(await seenByOthers()).toEqual(sql.startsWith('BEGIN') ? ['first'] : ['first', 'late']);
    },
  );
});
