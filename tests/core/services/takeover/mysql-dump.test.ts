import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDumpReader, type DumpEvent, readDump } from '../../../../core/services/takeover/mysql-dump.ts';
import { stageDump } from '../../../../core/services/takeover/mysql-staging.ts';

const dump = String.raw`-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: localhost    Database: oneapi
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
DROP TABLE IF EXISTS ${'`'}users${'`'};
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE ${'`'}users${'`'} (
  ${'`'}id${'`'} bigint NOT NULL AUTO_INCREMENT,
  ${'`'}username${'`'} varchar(191) DEFAULT NULL COMMENT 'it''s a name, (really); yes',
  ${'`'}group${'`'} varchar(64) DEFAULT 'default',
  ${'`'}balance${'`'} decimal(10,2) DEFAULT '0.00',
  ${'`'}flag${'`'} bit(1) DEFAULT b'0',
  ${'`'}key odd${'`'} varbinary(20),
  PRIMARY KEY (${'`'}id${'`'}),
  UNIQUE KEY ${'`'}uni${'`'} (${'`'}username${'`'}(20),${'`'}group${'`'}),
  CONSTRAINT ${'`'}fk${'`'} FOREIGN KEY (${'`'}id${'`'}) REFERENCES ${'`'}x${'`'} (${'`'}id${'`'})
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4;
LOCK TABLES ${'`'}users${'`'} WRITE;
INSERT INTO ${'`'}users${'`'} VALUES (1,'it''s; (ok), -- no comment','a\'b\"c\\d\n\t\0\Z%',-1.50,b'1',0x616263),(2,NULL,_utf8mb4'中文 /* kept */',1e3,_binary '',x'00ff');
INSERT IGNORE INTO oneapi.${'`'}users${'`'} (${'`'}id${'`'}, username) VALUES
  ( 9223372036854775807 , "double ""quoted""" ) , (4,true)
  ON DUPLICATE KEY UPDATE username = 'x;y';
UNLOCK TABLES;
DELIMITER ;;
/*!50003 CREATE TRIGGER t AFTER INSERT ON users FOR EACH ROW BEGIN INSERT INTO logs VALUES (NEW.id, 'x'); END */;;
DELIMITER ;
-- Dump completed on 2026-11-01 10:00:00
`;

const expected: DumpEvent[] = [
  { table: 'users', columns: ['id', 'username', 'group', 'balance', 'flag', 'key odd'] },
  {
    table: 'users',
    names: undefined,
    values: [1, "it's; (ok), -- no comment", 'a\'b"c\\d\n\t\0\u001a%', -1.5, 1, Buffer.from('abc')],
  },
  {
    table: 'users',
    names: undefined,
    values: [2, null, '中文 /* kept */', 1000, '', Buffer.from([0, 255])],
  },
  { database: 'oneapi', table: 'users', names: ['id', 'username'], values: ['9223372036854775807', 'double "quoted"'] },
  { database: 'oneapi', table: 'users', names: ['id', 'username'], values: [4, 1] },
  { end: 'whole' },
];

function eventsOf(text: string, size: number): DumpEvent[] {
  const reader = createDumpReader('dump.sql');
  const events: DumpEvent[] = [];
  for (let at = 0; at < text.length; at += size) events.push(...reader.take(text.slice(at, at + size)));
  return [...events, ...reader.end()];
}

describe('a MySQL dump', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-dump-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([1, 2, 3, 7, 64, 100_000])('is read the same in pieces of %i characters', (size) => {
    expect(eventsOf(dump, size)).toEqual(expected);
  });

  it('is read from a file, packed or not', async () => {
    const all = async (file: string) => {
      const events: DumpEvent[] = [];
      for await (const page of readDump(file)) events.push(...page);
      return events;
    };
    writeFileSync(join(folder, 'dump.sql'), dump);
    writeFileSync(join(folder, 'packed.sql'), gzipSync(dump));
    expect(await all(join(folder, 'dump.sql'))).toEqual(expected);
    expect(await all(join(folder, 'packed.sql'))).toEqual(expected);
    writeFileSync(join(folder, 'cut.sql'), gzipSync(dump).subarray(0, 300));
    await expect(all(join(folder, 'cut.sql'))).rejects.toMatchObject({ code: 'takeover.dumpDamaged' });
  });

  it.each([
    ['inside a row', dump.slice(0, dump.indexOf('中文'))],
    ['between two rows', dump.slice(0, dump.indexOf(',(2,NULL'))],
    ['behind a statement', dump.slice(0, dump.indexOf('UNLOCK TABLES'))],
  ])('that ends %s is refused, because users would be missing', (_where, text) => {
    expect(() => eventsOf(text, 50)).toThrow(expect.objectContaining({ code: 'takeover.dumpDamaged' }));
  });

  it('without its comments is whole when the settings it kept are put back', () => {
    const bare = dump.replace(/^--.*\n/gm, '');
    expect(() => eventsOf(bare, 100)).toThrow(expect.objectContaining({ code: 'takeover.dumpDamaged' }));
    const ended = `${bare}/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;\n`;
    expect(eventsOf(ended, 100)).toEqual(expected);
  });

  it.each([1, 7, 100_000])('has its rows behind an apostrophe in a comment of a trigger, in pieces of %i', (size) => {
    const trigger =
      "DELIMITER ;;\nCREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN\n -- it's\n END ;;\nDELIMITER ;\n";
    expect(eventsOf(`${trigger}INSERT INTO a VALUES (1,'x');\n`, size)).toEqual([
      { table: 'a', names: undefined, values: [1, 'x'] },
      { end: 'unknown' },
    ]);
  });

  it('with a value that is no value, or with rows of other columns, is refused', async () => {
    expect(() => eventsOf('INSERT INTO users VALUES (now());', 50)).toThrow(
      expect.objectContaining({ code: 'takeover.dumpDamaged' }),
    );
    writeFileSync(join(folder, 'bare.sql'), 'INSERT INTO users VALUES (1);');
    await expect(stageDump(join(folder, 'bare.sql'), () => true)).rejects.toMatchObject({
      code: 'takeover.dumpColumns',
    });
  });

  it('keeps rows of the tables that matter, and counts the others', async () => {
    const file = join(folder, 'two.sql');
    writeFileSync(
      file,
      'CREATE TABLE a (id int, x text);INSERT INTO a VALUES (2,"b"),(1,"a");CREATE TABLE b (id int);INSERT INTO b VALUES (1),(2);',
    );
    const { connection, counts } = await stageDump(file, (table) => table === 'a');
    expect(await connection.all('SELECT * FROM a ORDER BY id')).toEqual([
      { id: 1, x: 'a' },
      { id: 2, x: 'b' },
    ]);
    expect([...counts]).toEqual([['b', 2]]);
    await connection.close();
  });

  const stage = async (text: string) => {
    const file = join(folder, 'databases.sql');
    writeFileSync(file, text);
    return stageDump(file, (table) => table !== 'logs');
  };
  const gateway = (name: string, user: string) => `CREATE DATABASE /*!32312 IF NOT EXISTS*/ \`${name}\`;
USE \`${name}\`;
DROP TABLE IF EXISTS \`users\`;
CREATE TABLE \`users\` (id int, username text);
INSERT INTO \`users\` VALUES (1,'${user}');
CREATE TABLE tokens (id int);CREATE TABLE channels (id int);CREATE TABLE options (\`key\` text);CREATE TABLE logs (id int);
INSERT INTO logs VALUES (1),(2);
`;
  const shop =
    'USE shop;CREATE TABLE users (id int, mail text);INSERT INTO users VALUES (1,"a"),(2,"b");CREATE TABLE logs (id int);INSERT INTO logs VALUES (1);';

  it.each([
    ['before', shop + gateway('one-api', 'kim')],
    ['behind', gateway('one-api', 'kim') + shop],
    // mysqlpump names the database with each table.
    [
      'among',
      `CREATE TABLE \`shop\`.\`users\` (id int);INSERT INTO shop.users VALUES (1),(9);${gateway('one-api', 'kim')}`,
    ],
  ])('with other databases %s has the tables of the one old installation alone', async (_where, text) => {
    const { connection, counts } = await stage(text);
    expect(await connection.all('SELECT * FROM users')).toEqual([{ id: 1, username: 'kim' }]);
    expect([...counts]).toEqual([['logs', 2]]);
    await connection.close();
  });

  it('with two old installations is refused by their names, because their rows would be mixed', async () => {
    const both = gateway('one-api', 'kim') + shop + gateway('new_api', 'lee');
    await expect(stage(both)).rejects.toMatchObject({
      code: 'takeover.dumpSeveral',
      details: { names: 'one-api, new_api' },
    });
    const named = both.replace(/^USE `(.*)`;\n/gm, '').replaceAll('`users`', '`a`.`users`');
    await expect(stage(named)).rejects.toMatchObject({ code: 'takeover.dumpTwice', details: { table: 'users' } });
  });

  it('in parts that each make a table which is missing is read whole', async () => {
    const part = (id: number) => `CREATE TABLE IF NOT EXISTS a (id int);INSERT INTO a VALUES (${id});`;
    const { connection } = await stage(part(1) + part(2));
    expect(await connection.all('SELECT id FROM a')).toEqual([{ id: 1 }, { id: 2 }]);
    await connection.close();
  });
});
