import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../../../core/database/migrate.ts';
import { openSqlite, type SqliteConnection } from '../../../core/database/sqlite-connection.ts';
import { migrations } from '../../../migrations/index.ts';
import { createTemporaryTarget, type TemporaryTarget } from '../../support/temporary-database.ts';

const former = migrations.slice(0, -1);
const last = former.at(-1)?.name ?? '';
let place: TemporaryTarget;
let file: string;
let open: SqliteConnection[] = [];

beforeEach(async () => {
  place = await createTemporaryTarget('sqlite');
  file = place.target.engine === 'sqlite' ? place.target.file : '';
  await migrate(place.target, former);
});
afterEach(async () => {
  await Promise.all(open.map((connection) => connection.close()));
  open = [];
  await place.remove();
});

async function connection(): Promise<SqliteConnection> {
  const opened = await openSqlite(file);
  open.push(opened);
  return opened;
}

it('D1 the copy made before a migration holds what is in a write-ahead log with a reader and a writer', async () => {
  const [reader, writer] = [await connection(), await connection()];
  await reader.exec('BEGIN');
  await reader.all('SELECT count(*) FROM users');
  const add = (name: string) =>
    writer.run(`INSERT INTO users (username, username_key, password) VALUES ('${name}', '${name}', 'x')`);
  for (let n = 0; n < 500; n++) await add(`early${n}`);
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; !isOver; n++) {
      await add(`late${n}`);
      await wait(2);
    }
  })();
  // A migration shuts all others out, so the reader must end at some time.
  const migrating = migrate(place.target, migrations);
  await wait(50);
  await reader.exec('COMMIT');
  expect(await migrating).toEqual(migrations.slice(-1).map(({ name }) => name));
  isOver = true;
  await writing;

  const copy = await openSqlite(`${file}.before-${last}`, { readOnly: true });
  open.push(copy);
  expect(await copy.all("SELECT count(*) AS count FROM users WHERE username LIKE 'early%'")).toEqual([{ count: 500 }]);
  expect(await copy.all('PRAGMA quick_check')).toEqual([{ quick_check: 'ok' }]);
  expect(await copy.all('SELECT max(name) AS name FROM migrations')).toEqual([{ name: last }]);
});
