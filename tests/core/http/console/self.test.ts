import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '../../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';

const password = 'correct horse battery';
const english = { 'accept-language': 'en' };

describe.each(engines)('the own account over HTTP on %s', (engine) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway(engine);
  });
  afterAll(() => gateway.stop());

  async function signedIn(name: string, given = password): Promise<ConsoleClient> {
    const client = createConsoleClient(gateway.url);
    await client.data(client.signIn(name, given));
    return client;
  }
  const newUser = async (name: string) => {
    await gateway.addUser(name, 100);
    return signedIn(name);
  };
  const self = (client: ConsoleClient) => client.data(client.get('/api/user/self'));
  const rowOf = (id: number) => gateway.app.database.users.findByPk(id, { raw: true });

  it('A-195 changes what is sent, and nothing that is empty or not its own to change', async () => {
    const ann = await newUser('ann');
    const before = await self(ann);
    await ann.data(ann.put('/api/user/self', { username: '', display_name: '', password: '' }));
    expect(await self(ann)).toEqual(before);
    const greedy = {
      role: 100,
      quota: 1e9,
      used_quota: 0,
      status: 2,
      id: 1,
      user_id: 1,
      aff_quota: 9,
      group: 'vip',
      email: 'x@example.com',
      github_id: 'x',
      created_time: 1,
      access_token: 'x',
      inviter_id: 1,
    };
    await ann.data(ann.put('/api/user/self', { username: 'anna', display_name: '<b>Anna</b>', ...greedy }));
    expect(await self(ann), 'B44 B68').toEqual({ ...before, username: 'anna', display_name: '<b>Anna</b>' });
    for (const body of [
      { username: 'ROOT' },
      { username: 'a@b.co' },
      { password: 'short' },
      { display_name: 'x'.repeat(21) },
    ]) {
      expect(await ann.put('/api/user/self', body)).toMatchObject({ status: 200, success: false });
    }
  });

  it('keeps a longer name that an outside sign-in gave it', async () => {
    const long = await newUser('linux');
    const username = 'linuxdo_1234567';
    await gateway.app.database.users.update({ username, username_key: username }, { where: { id: long.userId } });
    await long.data(long.put('/api/user/self', { username, display_name: 'Tux' }));
    expect(await self(long)).toMatchObject({ username, display_name: 'Tux' });
  });

  it('S4 ends every other session with a new password, and goes on itself', async () => {
    const here = await newUser('rita');
    const there = await signedIn('rita');
    await here.data(here.put('/api/user/self', { password: 'another good one', original_password: password }));
    expect((await here.get('/api/user/self')).status).toBe(200);
    expect((await there.get('/api/user/self')).status).toBe(401);
    expect((await createConsoleClient(gateway.url).signIn('rita', password)).success).toBe(false);
    await signedIn('rita', 'another good one');
  });

  it('S4 a new password ends the access token too, no matter who sets it, but not the one it was set with', async () => {
    const owner = await newUser('victor');
    const root = await signedIn('root');
    const bare = createConsoleClient(gateway.url);
    const heads = (token: string) => ({ authorization: `Bearer ${token}`, 'new-api-user': String(owner.userId) });
    const statusOf = async (token: string) => (await bare.get('/api/user/self', heads(token))).status;
    let current = password;
    const newToken = async (): Promise<string> => owner.data(owner.post('/api/user/token', { password: current }));

    const stolen = await newToken();
    await owner.data(owner.put('/api/user/self', { display_name: 'Victor' }));
    expect(await statusOf(stolen)).toBe(200);
    await owner.data(owner.put('/api/user/self', { password: 'another good one', original_password: current }));
    expect(await statusOf(stolen)).toBe(401);

    current = 'another good one';
    const own = await newToken();
    await bare.data(
      bare.put('/api/user/self', { password: 'and a third one', original_password: current }, heads(own)),
    );
    expect(await statusOf(own)).toBe(200);
    expect((await owner.get('/api/user/self')).status, 'the session did not ask').toBe(401);

    await root.data(root.put('/api/user/', { id: owner.userId, password: 'given by an admin' }));
    expect(await statusOf(own)).toBe(401);
    await owner.data(owner.signIn('victor', 'given by an admin'));
    current = 'given by an admin';
    const last = await newToken();
    const { codes } = gateway.app.services;
    const email = 'victor@example.com';
    await gateway.app.database.users.update({ email }, { where: { id: owner.userId } });
    const token = await codes.issue('reset', email, { userId: owner.userId, isDecoy: false });
    await bare.data(bare.post('/api/user/reset', { email, token }));
    expect(await statusOf(last)).toBe(401);
    const [entry] = await gateway.app.database.select<{ after: string }>(
      "SELECT after FROM audits WHERE action = 'user.resetPassword' ORDER BY id DESC LIMIT 1",
    );
    expect(JSON.parse(entry?.after ?? '')).toEqual({ password: '…', access_token: false });
  });

  it('lists its sessions and ends one or all others', async () => {
    const [one, two, three] = [await newUser('sonja'), await signedIn('sonja'), await signedIn('sonja')];
    const stranger = await newUser('stranger');
    const [foreign] = await stranger.data(stranger.get('/api/user/self/sessions'));
    const listed = await one.data(one.get('/api/user/self/sessions'));
    expect(listed.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    const own = await two.data(two.get('/api/user/self/sessions'));
    const { id } = own.find(({ current }: { current: boolean }) => current);
    for (const wrong of [foreign.id, '0000000000000000', '%25', 'x']) {
      expect((await one.delete(`/api/user/self/sessions/${wrong}`)).success).toBe(false);
    }
    expect((await stranger.get('/api/user/self')).status).toBe(200);
    await one.data(one.delete(`/api/user/self/sessions/${id}`));
    expect((await two.get('/api/user/self')).status).toBe(401);
    expect(await one.data(one.delete('/api/user/self/sessions'))).toBe(1);
    expect((await three.get('/api/user/self')).status).toBe(401);
    expect((await one.get('/api/user/self')).status).toBe(200);
  });

  it('A-197 is deleted by its owner, cookie and all, but never the one of root', async () => {
    const leaving = await newUser('leaving');
    const { cookie, userId } = leaving;
    expect((await leaving.delete('/api/user/self')).body).toEqual({ success: true, message: '' });
    expect(leaving.cookie).not.toContain('session=');
    expect((await leaving.get('/api/user/self', { cookie })).status).toBe(401);
    expect((await rowOf(userId))?.deleted_at).toBeGreaterThan(0);
    const root = await signedIn('root');
    expect((await root.delete('/api/user/self', english)).message, 'B48').toContain('root user cannot');
    expect((await root.get('/api/user/self')).status).toBe(200);
  });

  it('A-199 G-178 gets a new system access token each time, and only the newest works', async () => {
    const script = await newUser('script');
    const [first, second] = [
      await script.data(script.post('/api/user/token', { password })),
      await script.data(script.post('/api/user/token', { password })),
    ];
    expect(first).toMatch(/^[A-Za-z0-9+/=]{28,32}$/);
    const bare = createConsoleClient(gateway.url);
    const ask = (token: string) =>
      bare.get('/api/user/self', { authorization: `Bearer ${token}`, 'new-api-user': String(script.userId) });
    expect((await ask(first)).status).toBe(401);
    expect((await ask(second)).data).toMatchObject({ id: script.userId, access_token: null });
    expect((await gateway.chat({}, { key: second })).status, 'B30').toBe(401);
    expect((await ask(gateway.key)).status, 'B31').toBe(401);
  });

  it('asks for the password before a new password or access token, and says to older consoles how to send it', async () => {
    const owner = await newUser('careful');
    const put = (fields: object) => owner.put('/api/user/self', { password: 'another good one', ...fields }, english);
    expect(await put({})).toMatchObject({ success: false, message: expect.stringContaining('original_password') });
    expect(await put({ original_password: 'not this one' })).toMatchObject({
      success: false,
      message: expect.stringContaining('Wrong password'),
    });
    expect(await owner.get('/api/user/token', english)).toMatchObject({
      success: false,
      message: expect.stringContaining('POST /api/user/token'),
    });
    expect((await owner.post('/api/user/token', { password: 'not this one' })).success).toBe(false);
    expect((await rowOf(owner.userId))?.access_token_hash).toBeNull();
    await owner.data(owner.put('/api/user/self', { display_name: 'Careful' }));
    await signedIn('careful');
  });

  it('asks an account without a password for a sign-in of a moment ago', async () => {
    const outsider = await newUser('outsider');
    const { database } = gateway.app;
    await database.users.update({ password: '' }, { where: { id: outsider.userId } });
    expect(await outsider.data(outsider.get('/api/user/token'))).toMatch(/^[A-Za-z0-9+/=]{28,32}$/);
    await database.sequelize.query(
      `UPDATE sessions SET created_at = created_at - 601 WHERE user_id = ${outsider.userId}`,
    );
    for (const refused of [
      await outsider.get('/api/user/token', english),
      await outsider.put('/api/user/self', { password: 'my very first one' }, english),
    ]) {
      expect(refused).toMatchObject({ success: false, message: expect.stringContaining('sign in again') });
    }
    await database.sequelize.query(
      `UPDATE sessions SET created_at = created_at + 601 WHERE user_id = ${outsider.userId}`,
    );
    await outsider.data(outsider.put('/api/user/self', { password: 'my very first one' }));
    await signedIn('outsider', 'my very first one');
  });

  it('A-200 has an invitation code, made when an imported account has none', async () => {
    const guide = await newUser('guide');
    const code = await guide.data(guide.get('/api/user/aff'));
    expect(code).toBe((await rowOf(guide.userId))?.aff_code);
    await gateway.app.database.users.update({ aff_code: null }, { where: { id: guide.userId } });
    const made = await guide.data(guide.get('/api/user/aff'));
    expect(made).toMatch(/^[0-9A-Za-z]{4,}$/);
    expect(await guide.data(guide.get('/api/user/aff'))).toBe(made);
  });

  it('keeps how to be told of a low balance, and never shows the secret again', async () => {
    const told = await newUser('told');
    const change = (body: Record<string, unknown>) => told.put('/api/user/setting', body, english);
    const webhook = {
      notify_type: 'webhook',
      webhook_url: 'https://hook.example.com/a',
      webhook_secret: 'planted-secret',
    };
    await told.data(change({ ...webhook, quota_warning_threshold: 5000 }));
    const shown = JSON.parse((await self(told)).setting);
    expect(shown).toMatchObject({ notify_type: 'webhook', quota_warning_threshold: 5000 });
    expect(JSON.stringify(await rowOf(told.userId))).not.toContain('planted-secret');
    expect(JSON.stringify(shown)).not.toContain('secret');
    const stored = async () => JSON.parse((await rowOf(told.userId))?.setting ?? '{}').webhook_secret;
    const secret = await stored();
    await told.data(change({ ...webhook, webhook_url: 'https://hook.example.com/b', webhook_secret: '' }));
    expect(await stored()).toBe(secret);
    const elsewhere = await change({ ...webhook, webhook_url: 'https://evil.example.com/', webhook_secret: '' });
    expect(elsewhere.message, 'S11').toContain('secret again');
    await told.data(change({ notify_type: 'email', notification_email: 'other@example.com' }));
    expect(await stored()).toBe('');
    for (const body of [
      { notify_type: 'pigeon' },
      { quota_warning_threshold: 0 },
      { quota_warning_threshold: -1 },
      { notify_type: 'webhook' },
      { webhook_url: 'file:///etc/passwd' },
      { webhook_url: 'javascript:1' },
      { notification_email: 'a@example.com;b@example.com' },
    ]) {
      expect(await change(body), JSON.stringify(body)).toMatchObject({ status: 200, success: false });
    }
    // None of them is ever called: to save them would promise notices that never come.
    const inVain: [webhook_url: string, host: string][] = [
      ['http://127.0.0.1/hook', '127.0.0.1'],
      ['http://2130706433/hook', '127.0.0.1'],
      ['http://[::ffff:10.0.0.1]/hook', '[::ffff:a00:1]'],
      ['http://169.254.169.254/latest', '169.254.169.254'],
      ['https://hook.example.com:3000/a', 'hook.example.com:3000'],
      ['https://user:secret@hook.example.com/a', 'hook.example.com'],
    ];
    for (const [webhook_url, host] of inVain) {
      const refused = await change({ notify_type: 'webhook', webhook_url });
      expect(refused, webhook_url).toMatchObject({ success: false, message: expect.stringContaining(host) });
    }
  });

  it('changes a setting or ends a session with its audit row, or not at all', async () => {
    const [here, there] = [await newUser('audited'), await signedIn('audited')];
    const { database } = gateway.app;
    const [refuse, accept] =
      engine === 'sqlite'
        ? [
            `CREATE TRIGGER no_audit BEFORE INSERT ON audits BEGIN SELECT RAISE(ABORT, 'full'); END`,
            'DROP TRIGGER no_audit',
          ]
        : [
            'ALTER TABLE audits ADD CONSTRAINT no_audit CHECK (id < 0) NOT VALID',
            'ALTER TABLE audits DROP CONSTRAINT no_audit',
          ];
    await database.sequelize.query(refuse);
    try {
      expect((await here.put('/api/user/setting', { quota_warning_threshold: 7777 })).success).toBe(false);
      expect((await here.delete('/api/user/self/sessions')).success).toBe(false);
    } finally {
      await database.sequelize.query(accept);
    }
    expect((await rowOf(here.userId))?.setting).not.toContain('7777');
    expect((await there.get('/api/user/self')).status).toBe(200);
    await here.data(here.put('/api/user/setting', { quota_warning_threshold: 7777 }));
    expect((await rowOf(here.userId))?.setting).toContain('7777');
  });
});
