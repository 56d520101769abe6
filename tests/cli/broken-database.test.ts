import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { exitCode, exitCodeOf, readable } from '../../cli/failure.ts';
import { openSqlite } from '../../core/database/sqlite-connection.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { textIn } from '../../core/text/text.ts';
import { addLogsToSqlite } from '../support/large-old-database.ts';
import { createOldSqlite, newApi } from '../support/old-database.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';
import { canMountDisks, mountSmallDisk } from '../support/small-disk.ts';

describe('a database file that is broken', () => {
  let home: CliHome;
  let file: string;
  let whole: string;
  beforeAll(async () => {
    home = createCliHome();
    file = join(home.directory, 'tollgate.db');
    whole = join(home.directory, 'whole');
    await home.run('user create --name anna --password-stdin', { stdin: 'a long enough one' });
    copyFileSync(file, whole);
  });
  beforeEach(() => {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true, recursive: true });
    copyFileSync(whole, file);
  });
  afterAll(() => home.remove());

  const looks = ['db status', 'db check', 'db backup --force', 'ledger verify', 'doctor', 'user list'];

  // SQLite takes an empty file for a new database: one page written to it, and the next start would begin with no users.
  it.each(looks)('and empty is told by %s, which leaves it as it is', async (words) => {
    truncateSync(file);
    for (const language of ['en', 'zh'] as const) {
      const run = await home.run(`${words} --language ${language}`);
      expect([run.code, statSync(file).size]).toEqual([1, 0]);
      expect(run.stdout + run.stderr).toContain(textIn(language, 'detail', 'database.emptied'));
    }
    expect((await home.run('doctor --fix --yes')).code).toBe(1);
    expect(statSync(file).size).toBe(0);
  });

  it.each(looks.filter((words) => !/check|doctor/.test(words)))('is named by %s, and is no bug', async (words) => {
    for (const damage of ['no database at all '.repeat(500), readFileSync(whole).subarray(0, 60_000)]) {
      writeFileSync(file, damage);
      const run = await home.run(`${words} --json`);
      expect([run.code, run.stdout]).toEqual([1, '']);
      expect(JSON.parse(run.stderr)).toMatchObject({
        error: { code: 'database.damaged', message: expect.stringContaining(file) },
      });
    }
  });

  it('that another program keeps locked is named, with what to do', async () => {
    const other = await openSqlite(file);
    await other.exec('BEGIN EXCLUSIVE');
    const run = await home.run('user list --json');
    await other.close();
    expect([run.code, run.stdout]).toEqual([exitCode.unreachable, '']);
    expect(JSON.parse(run.stderr)).toMatchObject({
      error: { code: 'database.locked', message: expect.stringContaining(file), hint: expect.stringContaining(file) },
    });
  });

  it('or a folder, is out of reach', async () => {
    rmSync(file);
    mkdirSync(file);
    for (const words of ['db status', 'ledger verify', 'user list'])
      expect((await home.run(words)).code, words).toBe(exitCode.unreachable);
  });

  it('on a disk that cannot be written to is named with its path', async () => {
    const connection = await openSqlite(file, { readOnly: true });
    const refused = connection.exec('PRAGMA query_only = OFF; CREATE TABLE notes (text TEXT)');
    const error = readable(await refused.catch((reason: unknown) => reason)) as AppError;
    await connection.close();
    expect([error.code, error.details.path, exitCodeOf(error)]).toEqual(['cli.noAccess', file, exitCode.notAllowed]);
  });

  it.skipIf(!canMountDisks)('on a disk that is full is told as that, also while a server has it open', async () => {
    const disk = mountSmallDisk(24);
    const env = { TOLLGATE_HOME: join(disk.directory, 'home') };
    await home.run('init --no-input', { env });
    disk.fill();
    const alone = await home.run('user list --json', { env });
    disk.free();
    const server = await openSqlite(join(env.TOLLGATE_HOME, 'tollgate.db'));
    await server.exec("UPDATE users SET display_name = 'Root'");
    disk.fill();
    const beside = await home.run('user list --json', { env });
    await server.close();
    disk.remove();
    for (const { code, stderr } of [alone, beside]) {
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'cli.diskFull' } });
      expect(code).not.toBe(0);
    }
  });

  it.skipIf(!canMountDisks)(
    'on a disk that gets full is told once, during migrations and during an import',
    async () => {
      const warn = vi.spyOn(console, 'warn');
      for (const megabytes of [1, 4]) {
        const disk = mountSmallDisk(megabytes);
        const old = join(home.directory, 'old.db');
        rmSync(old, { force: true });
        await createOldSqlite(old, newApi);
        await addLogsToSqlite(old, 'anna');
        const env = { TOLLGATE_HOME: join(disk.directory, 'home') };
        const { code, stderr } = await home.run(`db import ${old} --logs --yes --quiet`, { env });
        disk.remove();
        expect([code, stderr]).toEqual([1, expect.stringMatching(/^tollgate: the disk is full .*\n.*\n$/)]);
      }
      expect(warn).not.toHaveBeenCalled();
    },
  );
});
