import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../core/app.ts';
import { loadConfig } from '../../../core/config.ts';
import type { Database } from '../../../core/database/connect.ts';
import { lockName } from '../../../core/database/named-lock.ts';
import { createGateway } from '../../../core/gateway.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { createConsoleClient } from '../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { engines } from '../../support/temporary-database.ts';

const alreadyDone = '系统已完成初始化，请直接登录';
const inputOf = (username: string) => ({
  username,
  password: `the secret of ${username}`,
  confirmPassword: `the secret of ${username}`,
  SelfUseModeEnabled: username === 'first',
  DemoSiteEnabled: username === 'second',
});

describe.each(engines)('the first password of an installation with two nodes on %s', (engine) => {
  let gateway: TestGateway;
  let second: Awaited<ReturnType<typeof startSecond>>;
  beforeEach(async () => {
    gateway = await startGateway(engine, {
      TOLLGATE_ROOT_PASSWORD: '123456',
      INITIAL_ROOT_ACCESS_TOKEN: 'token-of-the-automation',
    });
    second = await startSecond(gateway.environment);
  });
  afterEach(async () => {
    await second.close();
    await gateway.stop();
  });

  const setUp = (url: string, username: string) => createConsoleClient(url).post('/api/setup', inputOf(username));
  const hasAccess = async () => {
    const headers = { authorization: 'token-of-the-automation', 'new-api-user': '1' };
    return (await fetch(`${gateway.url}/api/user/self`, { headers })).ok;
  };
  const signIn = async (username: string) =>
    (await createConsoleClient(gateway.url).signIn(username, `the secret of ${username}`)).success;

  it('is given once, whole, when both are set up at the same moment', async () => {
    const [here, there] = await Promise.all([setUp(gateway.url, 'first'), setUp(second.url, 'second')]);
    const winner = here.success ? 'first' : 'second';
    expect([here, there].filter(({ success }) => success)).toHaveLength(1);
    expect([here, there].find(({ success }) => !success)).toMatchObject({ message: alreadyDone });
    expect([await signIn('first'), await signIn('second')]).toEqual([winner === 'first', winner === 'second']);
    expect(await hasAccess()).toBe(true);
    const { data } = await createConsoleClient((here.success ? gateway : second).url).get('/api/status');
    expect(data).toMatchObject({
      self_use_mode_enabled: winner === 'first',
      demo_site_enabled: winner === 'second',
    });
  });

  it('is one of the passwords that several starts make up, and only that start tells it', async () => {
    const change = (password: string) => ({ actor: systemActor, action: 'user.setPassword', password });
    const made = await Promise.all(
      [gateway.app, second.app, gateway.app].map((app, index) =>
        app.services.rootAccount.replaceDefaultPassword(change(`made up by start ${index}`)),
      ),
    );
    expect(made.filter((root) => root !== undefined)).toEqual([{ username: 'root' }]);
    const told = made.findIndex((root) => root !== undefined);
    const client = createConsoleClient(second.url);
    expect((await client.signIn('root', `made up by start ${told}`)).success).toBe(true);
    expect(await hasAccess(), 'with the access token that the environment gives root').toBe(true);
    expect(await gateway.app.services.rootAccount.hasDefaultPassword()).toBe(false);
    expect(await second.app.services.rootAccount.replaceDefaultPassword(change('too late for that'))).toBeUndefined();
  });

  // SQLite has one writer at a time: there is no lock to wait in between.
  it.runIf(engine === 'postgres')('stays when a set-up that began before it ends after it', async () => {
    const { database } = gateway.app;
    const early = await blockOptions(database);
    const here = setUp(gateway.url, 'first');
    await untilWaiting(database, 1);
    const late = blockOptions(database);
    await untilWaiting(database, 2);
    const there = setUp(second.url, 'second');
    await untilWaiting(database, 3);
    await early.end();
    expect(await here).toMatchObject({ success: true });
    await (await late).end();
    expect(await there).toMatchObject({ success: false, message: alreadyDone });
    expect([await signIn('first'), await signIn('second')]).toEqual([true, false]);
    const { data } = await createConsoleClient(gateway.url).get('/api/status');
    expect(data).toMatchObject({ self_use_mode_enabled: true, demo_site_enabled: false });
  });
});

/** Whatever changes options waits behind it. */
async function blockOptions(database: Database): Promise<{ end(): Promise<void> }> {
  const transaction = await database.sequelize.transaction();
  await lockName(database, 'options', transaction);
  return { end: () => transaction.commit() };
}

async function untilWaiting(database: Database, count: number): Promise<void> {
  const sql = `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const waiting = async () => (await database.select<{ count: number }>(sql))[0]?.count;
  await expect.poll(waiting).toBe(count);
}

async function startSecond(environment: Record<string, string>) {
  const app = await createApp(loadConfig({}, environment));
  const node = await createGateway(app, { criticalCalls: 1_000_000 });
  const port = await node.listen('127.0.0.1', 0);
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    async close() {
      await node.close();
      await app.close();
    },
  };
}
