import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliHome, createCliHome } from '../support/run-cli.ts';
import { createTemporaryTarget, engines } from '../support/temporary-database.ts';

describe.each(engines)('a place without an installation, on %s', (engine) => {
  let home: CliHome;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    const bed = await createTemporaryTarget(engine);
    remove = bed.remove;
    home = createCliHome(bed.target.engine === 'postgres' ? { SQL_DSN: bed.target.url } : {});
  });
  afterEach(async () => {
    home.remove();
    await remove();
  });
  const out = () => join(home.directory, 'out');

  it.each(['db export', 'db backup', 'ledger verify', 'log follow'])(
    'is named by %s, which makes none',
    async (words) => {
      const run = await home.run([...words.split(' '), ...(words === 'db export' ? [out()] : []), '--json']);
      expect([run.code, JSON.parse(run.stderr)]).toMatchObject([7, { error: { code: 'database.none' } }]);
      expect(readdirSync(home.directory)).toEqual([]);
      expect((await home.run('db status')).stdout).not.toContain('done');
    },
  );

  it.each([
    'channel export',
    'option export',
    'pricing offer gpt-4o',
    'ledger stray',
    'task wait 1',
    'token show-key 1',
  ])('is named by %s, which leaves nothing behind', async (words) => {
    expect((await home.run(words)).stderr).toContain('tollgate init creates it');
    expect(readdirSync(home.directory)).toEqual([]);
    expect((await home.run('db status')).stdout).not.toContain('done');
  });
});
