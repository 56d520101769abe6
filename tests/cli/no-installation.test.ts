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

  it.each([
    ...['db export', 'db backup', 'db check', 'db move --to sqlite:other.db --yes', 'db move --undo --yes'],
    ...['ledger verify', 'ledger stray --yes', 'log follow', 'log clear --before 90d --yes', 'log bring-back --yes'],
    ...['log archive --before 90d --to logs', 'channel balance', 'channel fix'],
    ...['channel update main --priority 1', 'channel remove main --yes', 'channel key add main --key-stdin'],
    ...['channel key disable main 1', 'channel tag set cheap main', 'channel copy main', 'token remove 1 --yes'],
    ...['token update 1 --name x', 'user quota root --add 1', 'user disable-2fa root', 'user remove ann --yes'],
    ...[
      'secret rotate --yes',
      'secret rotate --dry-run',
      'secret rotate --online --yes',
      'option reset QuotaForNewUser',
    ],
    ...[
      'group remove vip --yes',
      'redemption disable 1',
      'limit remove 1 --yes',
      'top-up complete x --reason seen --yes',
    ],
    ...['task cancel 1 --yes', 'pricing reset --yes'],
  ])('is named by %s, which makes none', async (words) => {
    const run = await home.run([...words.split(' '), ...(words === 'db export' ? [out()] : []), '--json'], {
      stdin: 'key',
    });
    expect([run.code, JSON.parse(run.stderr)]).toMatchObject([7, { error: { code: 'database.none' } }]);
    expect(readdirSync(home.directory)).toEqual([]);
    expect((await home.run('db status')).stdout).not.toContain('done');
  });

  it.each([
    ['option set QuotaForNewUser 5', 'user reset-password root --password-stdin'],
    ['channel create --name main --type openai --models m --key-stdin'],
    ['token create --name ci --unlimited', 'user update root --email root@example.com --yes'],
  ])('is made by %s', async (...lines) => {
    for (const words of lines) expect(await home.run(words, { stdin: 'a long secret' })).toMatchObject({ code: 0 });
  });

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
