import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TakeoverReport } from '../../../core/services/takeover/takeover.ts';
import { writeMysqlDump } from '../../support/large-old-database.ts';
import { createOldSqlite, type OldTables, oneApi } from '../../support/old-database.ts';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';

describe('a file of an import that may not be what it should be', () => {
  let home: CliHome;
  let file: string;
  beforeEach(() => {
    home = createCliHome();
    file = join(home.directory, 'old.dat');
  });
  afterEach(() => home.remove());
  const take = (...words: string[]) => home.run(['db', 'import', file, '--yes', ...words]);

  const dumpText = () => {
    writeMysqlDump(file, oneApi);
    return readFileSync(file, 'utf8');
  };
  const sqliteBytes = async () => {
    const database = join(home.directory, 'one-api.db');
    await createOldSqlite(database, oneApi);
    return readFileSync(database);
  };
  const code = async () => {
    const run = await take('--json');
    expect(run.code).not.toBe(0);
    return (JSON.parse(run.stderr) as { error: { code: string } }).error.code;
  };

  it('is named by what it is, never as a damaged database', async () => {
    const database = await sqliteBytes();
    const cases: [string | Buffer, string][] = [
      [Buffer.from(`\uFEFF${dumpText()}`, 'utf16le'), 'takeover.dumpUtf16'],
      [Buffer.from(dumpText(), 'utf16le'), 'takeover.dumpUtf16'],
      [Buffer.from('504b030414000000080000', 'hex'), 'takeover.packed'],
      [Buffer.from('28b52ffd2004', 'hex'), 'takeover.packed'],
      [gzipSync(database), 'takeover.packed'],
      [gzipSync('-- PostgreSQL database dump\n'), 'takeover.postgresDump'],
      ['PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE users (id);\n', 'takeover.sqliteText'],
      ['<?xml version="1.0"?>\n<mysqldump/>\n', 'takeover.notDatabase'],
      ['{"users": []}', 'takeover.notDatabase'],
      ['id,username\n1,root\n', 'takeover.notDatabase'],
      [gzipSync('id,username\n1,root\n'), 'takeover.notDatabase'],
      [Buffer.concat([Buffer.from('1f8b', 'hex'), Buffer.alloc(50, 1)]), 'takeover.dumpDamaged'],
      ['', 'takeover.foreign'],
      [Buffer.from(database).fill(7, 0, 4000), 'database.damaged'],
      [Buffer.from(database).fill(0, 0, 4000), 'database.damaged'],
    ];
    for (const [content, expected] of cases) {
      writeFileSync(file, content);
      expect([String(content).slice(0, 20), await code()]).toEqual([String(content).slice(0, 20), expected]);
    }
    writeFileSync(file, 'id,username\n1,root\n');
    expect((await take()).stderr).toContain('its content is plain text');
  });

  it('is imported as a dump with a mark of UTF-8 before it, packed or not', async () => {
    for (const content of [`\uFEFF${dumpText()}`, gzipSync(`\uFEFF${dumpText()}`)]) {
      writeFileSync(file, content);
      expect(await take('--dry-run')).toMatchObject({ code: 0 });
    }
  });

  it('is a dump without an end mark: whether it is whole is left open, and said', async () => {
    const compact = dumpText().replace(/^-- .*\n/gm, '');
    writeFileSync(file, compact);
    expect((await take('--dry-run')).stderr).toContain('the dump has no end mark');
    const said = (await take('--dry-run', '--json')).json<{ data: TakeoverReport }>();
    expect(said.data.end_unknown).toBe(true);
    dumpText();
    expect((await take('--dry-run')).stderr).not.toContain('end mark');
  });

  it('is a dump with that of the database of the logs behind it: both are imported', async () => {
    const { logs, ...others } = oneApi;
    writeMysqlDump(file, others);
    const main = readFileSync(file, 'utf8');
    writeMysqlDump(file, { logs: logs as OldTables[string] });
    writeFileSync(file, main + readFileSync(file, 'utf8'));
    const { data } = (await take('--logs', '--json')).json<{ data: TakeoverReport }>();
    expect(data.end_unknown).toBe(false);
    expect(data.tables).toContainEqual(expect.objectContaining({ table: 'logs', taken: 1 }));
    // With two tables of logs, those of the one would take the place of those of the other.
    writeMysqlDump(file, oneApi);
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole + whole);
    expect(await code()).toBe('takeover.dumpTwice');
  });
});
