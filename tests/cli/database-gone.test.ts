import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../core/database/migrate.ts';
import { migrations } from '../../migrations/index.ts';
import { type CliHome, createCliHome } from '../support/run-cli.ts';

describe('a data directory', () => {
  let home: CliHome;
  const path = (name: string) => join(home.directory, name);

  beforeEach(() => {
    home = createCliHome();
  });
  afterEach(() => home.remove());

  it('does not replace a missing database with an empty one, or make a new key, until it is told to', async () => {
    await home.run('init --no-input');
    rmSync(path('tollgate.db'));
    writeFileSync(path('tollgate.db-wal'), 'what was not taken over yet');
    const key = readFileSync(path('master.key'), 'utf8');
    for (const words of ['user list', 'init --no-input', 'db migrate', 'serve --port 0']) {
      const run = await home.run(words);
      expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('tollgate db migrate --new') });
      expect(run.stderr).toContain(path('tollgate.db-wal'));
      expect(existsSync(path('tollgate.db'))).toBe(false);
    }
    expect(readFileSync(path('master.key'), 'utf8')).toBe(key);
    rmSync(path('master.key'));
    expect((await home.run('user list')).code).toBe(1);
    expect(existsSync(path('master.key'))).toBe(false);

    expect((await home.run('db migrate --new')).code).toBe(0);
    expect(readdirSync(home.directory).filter((name) => /^tollgate\.db\.former-\d+-\d+-wal$/.test(name))).toHaveLength(
      1,
    );
    expect((await home.run('user list')).stdout).toContain('root');
    expect(existsSync(path('master.key'))).toBe(true);
  });

  it('with the schema of a former version is brought up to date by those commands alone that say so', async () => {
    const target = { engine: 'sqlite' as const, file: path('tollgate.db') };
    await migrate(target, migrations.slice(0, -1));
    const refused = await home.run('user list');
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('tollgate db migrate') });
    expect((await home.run('db status')).stdout).toContain('pending');
    expect(existsSync(path('master.key'))).toBe(false);
    expect((await home.run('db migrate')).code).toBe(0);
    expect((await home.run('user list')).code).toBe(0);
  });

  it('is made by looking at its settings neither with a key nor with a database', async () => {
    expect((await home.run('config show')).code).toBe(0);
    expect((await home.run('ledger verify')).code).toBe(7);
    expect(existsSync(path('master.key'))).toBe(false);
    expect((await home.run('init --no-input')).code).toBe(0);
    expect(existsSync(path('master.key'))).toBe(true);
  });
});
