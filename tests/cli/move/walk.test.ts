import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFakeUpstream } from '../../support/fake-upstream.ts';
import { annaKey, createOldSqlite, newApi, type OldTables } from '../../support/old-database.ts';
import { createCliHome } from '../../support/run-cli.ts';
import { startGateway } from '../../support/start-gateway.ts';
import { createTemporaryTarget, engines } from '../../support/temporary-database.ts';

interface Balance {
  username: string;
  source: number;
  after: number;
}

it.each(engines)('an old installation moves to %s: the same keys call, and the balances are equal', async (engine) => {
  const bed = await createTemporaryTarget(engine);
  const home = createCliHome(bed.target.engine === 'postgres' ? { SQL_DSN: bed.target.url } : {});
  const upstream = await startFakeUpstream();
  const file = join(home.directory, 'one-api.db');
  const channels = newApi.channels?.rows.filter(({ name }) => name === 'main') ?? [];
  const old: OldTables = {
    ...newApi,
    channels: {
      columns: newApi.channels?.columns ?? '',
      rows: channels.map((row) => ({ ...row, base_url: upstream.url, group: 'default,vip' })),
    },
  };
  await createOldSqlite(file, old);

  const dry = (await home.run(['db', 'import', file, '--dry-run', '--json'])).json<{ data: { balances: Balance[] } }>();
  expect(dry.data.balances.map(({ username, after }) => [username, after])).toEqual([
    ['boss', 7_000_000],
    ['anna', 3_000_000_000],
    ['bob', 0],
    ['Bob_5', 5],
  ]);
  expect((await home.run(['db', 'import', file, '--logs', '--yes'])).code).toBe(0);
  for (const { username, source } of dry.data.balances) {
    expect((await home.run(`user get ${username} --json`)).json()).toMatchObject({ quota: source });
  }

  const gateway = await startGateway(engine, home.env);
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${annaKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect([response.status, upstream.requests.at(-1)?.headers.authorization]).toEqual([200, 'Bearer sk-upstream-1']);
  await gateway.stop();
  // What the call cost is gone from the balance, and nothing else.
  const { items } = (await home.run('log list --user anna --page-size 1 --json')).json<{
    items: { quota: number }[];
  }>();
  const spent = items[0]?.quota ?? 0;
  expect(spent).toBeGreaterThan(0);
  expect((await home.run('user get anna --json')).json()).toMatchObject({ quota: 3_000_000_000 - spent });
  expect((await home.run('ledger verify')).code).toBe(0);
  await upstream.close();
  home.remove();
  await bed.remove();
});
