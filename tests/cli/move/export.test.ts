import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ExportManifest } from '../../../core/services/moving/manifest.ts';
import { annaKey, createOldSqlite, newApi } from '../../support/old-database.ts';
import { type CliHome, createCliHome } from '../../support/run-cli.ts';
import { startGateway } from '../../support/start-gateway.ts';
import { createTemporaryTarget, type Engine } from '../../support/temporary-database.ts';

const clean: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const work of clean.splice(0).reverse()) await work();
});

async function newHome(engine: Engine, env: Record<string, string> = {}): Promise<CliHome> {
  const bed = await createTemporaryTarget(engine);
  const home = createCliHome({ ...(bed.target.engine === 'postgres' ? { SQL_DSN: bed.target.url } : {}), ...env });
  clean.push(home.remove, bed.remove);
  return home;
}

async function filledHome(engine: Engine = 'sqlite'): Promise<CliHome> {
  const home = await newHome(engine);
  const file = join(home.directory, 'one-api.db');
  await createOldSqlite(file, newApi);
  expect((await home.run(['db', 'import', file, '--yes', '--logs'])).code).toBe(0);
  await home.run('token create --user anna --name second --quota 100 --yes');
  await home.run('user quota anna --add $3 --yes');
  await home.run('option set RetryTimes 5');
  // Node's own reader takes these for the ends of lines.
  expect((await home.run(['option', 'set', 'Notice', 'one\u2028two\u2029three'])).code).toBe(0);
  return home;
}

async function exportOf(
  home: CliHome,
  name = 'move',
  ...words: string[]
): Promise<{ folder: string; manifest: ExportManifest }> {
  const folder = join(home.directory, name);
  const run = await home.run(['db', 'export', folder, '--json', ...words]);
  expect([run.stderr, run.code]).toEqual(['', 0]);
  return { folder, manifest: run.json<{ data: ExportManifest }>().data };
}

/** Each import and each export leaves a line in the audit log, and nothing else. */
const sumsOf = ({ tables }: ExportManifest) =>
  tables
    .filter(({ name }) => name !== 'audits')
    .map(({ name, rows, sha256, last_id }) => [name, rows, sha256, last_id]);

const openKey = (from: CliHome, to: CliHome) =>
  copyFileSync(join(from.directory, 'master.key'), join(to.directory, 'master.key'));

describe('everything as plain files', () => {
  it('comes back row by row over both engines, and the ledger adds up', async () => {
    const first = await filledHome();
    const one = await exportOf(first);
    expect(one.manifest.tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(10);

    const second = await newHome('postgres');
    openKey(first, second);
    const loaded = await second.run(['db', 'import', one.folder, '--yes', '--json']);
    expect([loaded.stderr, loaded.code]).toEqual(['', 0]);
    expect(loaded.json<{ data: { ledger: { differences: [] } } }>().data.ledger.differences).toEqual([]);
    const two = await exportOf(second);
    expect(two.manifest.engine).toBe('postgres');
    expect(sumsOf(two.manifest)).toEqual(sumsOf(one.manifest));

    const third = await newHome('sqlite');
    openKey(first, third);
    expect((await third.run(['db', 'import', two.folder, '--yes'])).code).toBe(0);
    const three = await exportOf(third);
    expect(sumsOf(three.manifest)).toEqual(sumsOf(one.manifest));
    for (const home of [second, third]) {
      expect((await home.run('ledger verify')).code).toBe(0);
      expect((await home.run('db check')).stdout).not.toContain('fail');
      expect((await home.run('option get RetryTimes')).stdout).toContain('5');
    }
    // No id is given twice: the next user comes behind the highest of the old installation.
    const made = async (home: CliHome) =>
      (
        await home.run(['user', 'create', '--name', 'next', '--password-stdin', '--json'], {
          stdin: 'a long enough one',
        })
      ).json<{ id: number }>().id;
    expect([await made(second), await made(third)]).toEqual([await made(first), expect.any(Number)]);
  });

  it('serves the same keys in the new place, with the key taken from the folder', async () => {
    const home = await filledHome();
    const { folder } = await exportOf(home, 'move', '--with-key');
    const next = await newHome('sqlite');
    const run = await next.run(['db', 'import', folder, '--yes']);
    expect(run.stderr).toContain('master.key was copied');
    expect(statSync(join(next.directory, 'master.key')).mode & 0o077).toBe(0);
    const gateway = await startGateway('sqlite', next.env);
    clean.push(() => gateway.stop());
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer sk-${annaKey}` } });
    expect(models.status).toBe(200);
  });

  it('keeps secrets encrypted, is readable by its owner alone, and says what opens it', async () => {
    const home = await filledHome();
    const folder = join(home.directory, 'move');
    const run = await home.run(['db', 'export', folder]);
    expect(run.stderr).toContain('master.key is NOT included');
    expect(existsSync(join(folder, 'master.key'))).toBe(false);
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
      const text = readFileSync(join(folder, name), 'utf8');
      for (const secret of [annaKey, 'sk-upstream-1', 'planted-secret']) expect(text).not.toContain(secret);
    }
    const users = readFileSync(join(folder, 'users.jsonl'), 'utf8').trim().split('\n');
    expect(users.map((line) => (JSON.parse(line) as { username: string }).username)).toEqual([
      'boss',
      'anna',
      'bob',
      'Bob_5',
    ]);
    expect((await home.run(['db', 'export', folder])).stderr).toMatch(/is not empty[\s\S]*new folder/);
    const file = await home.run(['db', 'export', join(folder, 'manifest.json')]);
    expect([file.code, file.stderr]).toEqual([2, expect.stringMatching(/is a file; nothing was exported/)]);
  });

  it('is refused where it would mix with other data, or is not whole, or is newer, or cannot be opened', async () => {
    const home = await filledHome();
    const { folder, manifest } = await exportOf(home);
    const refused = async (target: CliHome, words: RegExp, code = 2) => {
      const run = await target.run(['db', 'import', folder, '--yes']);
      expect([run.stderr, run.code]).toEqual([expect.stringMatching(words), code]);
    };
    const other = await newHome('sqlite');
    await refused(other, /encrypted with a master key that is not here[\s\S]*master\.key of the old installation/);
    await refused(home, /this installation is not empty \(rows in users: 4\)[\s\S]*new data directory/, 5);

    openKey(home, other);
    const write = (value: object) => writeFileSync(join(folder, 'manifest.json'), JSON.stringify(value));
    write({ ...manifest, migrations: [...manifest.migrations, '9999-later'] });
    await refused(other, /newer version/);
    write({ ...manifest, format: 2, tollgate: '9.0.0' });
    await refused(other, /newer version \(9\.0\.0\)/);
    write({ ...manifest, tables: 'none' });
    await refused(other, /manifest\.json is damaged.*not the manifest of an export/);
    write(manifest);
    const file = join(folder, 'users.jsonl');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"quota":', '"quota":9'));
    await refused(other, /users\.jsonl is damaged; nothing was changed: its SHA-256 does not match/);
    writeFileSync(file, text);
    expect((await other.run(['db', 'import', folder, '--dry-run', '--json'])).json()).toMatchObject({
      data: { dry_run: true },
    });
    expect(existsSync(join(other.directory, 'tollgate.db'))).toBe(false);
    expect((await other.run(['db', 'import', folder, '--yes'])).code).toBe(0);
    expect((await other.run(['db', 'import', other.directory, '--yes'])).stderr).toMatch(/manifest\.json is missing/);
  });

  it('of an older schema is filled in first and then brought up to date', async () => {
    const home = await filledHome();
    const { folder, manifest } = await exportOf(home);
    const older = { ...manifest, migrations: manifest.migrations.slice(0, -1) };
    const ofLastMigration = ['rolled_hours', 'usage_parts', 'channel_hours'];
    older.tables = manifest.tables.filter(({ name }) => !ofLastMigration.includes(name));
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(older));
    const used = await newHome('sqlite');
    openKey(home, used);
    await used.run('db migrate --new');
    expect((await used.run(['db', 'import', folder, '--yes'])).stderr).toMatch(/schema here is newer/);
    const next = await newHome('sqlite');
    openKey(home, next);
    expect((await next.run(['db', 'import', folder, '--yes'])).code).toBe(0);
    expect((await next.run('db status --json')).stdout).not.toContain('pending');
    expect((await next.run('ledger verify')).code).toBe(0);
  });
});
