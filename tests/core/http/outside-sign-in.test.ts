import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { createOutsideSignIn } from '../../../core/services/sign-in/outside-sign-in.ts';
import { type ConsoleClient, createConsoleClient } from '../../support/console-client.ts';
import { type FakeSignIn, type Person, startFakeSignIn } from '../../support/fake-sign-in.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { engines } from '../../support/temporary-database.ts';

const english = { 'accept-language': 'en' };
let nextId = 1000;

describe.each(engines)('an outside sign-in on %s', (engine) => {
  let gateway: TestGateway;
  let fake: FakeSignIn;
  beforeAll(async () => {
    fake = await startFakeSignIn();
    const options = { signInEndpoints: fake.endpoints };
    gateway = await startGateway(engine, { UPSTREAM_PRIVATE: '127.0.0.1' }, options);
    const { id, secret } = fake.secrets;
    await set({ GitHubClientId: id, GitHubClientSecret: secret, GitHubOAuthEnabled: 'true' });
    await set({ LinuxDOClientId: id, LinuxDOClientSecret: secret, LinuxDOOAuthEnabled: 'true' });
    await set({ 'oidc.client_id': id, 'oidc.client_secret': secret, 'oidc.enabled': 'true' });
    await set({ 'oidc.well_known': `${fake.url}/oidc/.well-known/openid-configuration` });
    await set({ ServerAddress: gateway.url });
    await set({ WeChatServerAddress: `${fake.url}/wechat`, WeChatServerToken: secret, WeChatAuthEnabled: 'true' });
  });
  beforeEach(() => set({ RegisterEnabled: 'true' }));
  afterAll(async () => {
    await gateway.stop();
    await fake.close();
  });

  const set = (values: Record<string, string>) =>
    gateway.app.services.options.setMany(
      systemActor,
      Object.entries(values).map(([key, value]) => ({ key, value })),
    );
  const client = () => createConsoleClient(gateway.url);
  const userRow = (where: Record<string, unknown>) => gateway.app.database.users.findOne({ where, raw: true });
  const octo = (values: Person = {}): Person => ({ id: nextId++, login: `octo-${nextId}`, name: 'Octo', ...values });

  /** The way of our own pages: the server writes the authorization page's address. */
  async function back(browser: ConsoleClient, provider: string, person: Person, aff = '') {
    const address = await browser.data(browser.get(`/api/oauth/authorization?provider=${provider}&aff=${aff}`));
    return fake.authorize(address, person);
  }
  async function come(browser: ConsoleClient, provider: string, person: Person, aff = '') {
    const { code, state } = await back(browser, provider, person, aff);
    return browser.get(`/api/oauth/${provider}?code=${code}&state=${state}`, english);
  }

  it('G-223 with GitHub makes an account, and comes back into it after a change of name', async () => {
    const person = octo({ login: 'renamed-before' });
    const first = await come(client(), 'github', person);
    expect(first).toMatchObject({ success: true, message: '' });
    expect(first.data).toMatchObject({
      username: expect.stringMatching(/^github_\d+$/),
      display_name: 'Octo',
      role: 1,
    });
    expect(first.data.github_id).toBe(String(person.id));
    const browser = client();
    const again = await come(browser, 'github', { ...person, login: 'renamed-after' });
    expect(again.data.id).toBe(first.data.id);
    browser.userId = again.data.id;
    expect(await browser.data(browser.get('/api/user/self'))).toMatchObject({ id: first.data.id });
  });

  it('S4 adds no way to sign in once the session was ended while the service was asked', async () => {
    const { services, database, secretBox } = gateway.app;
    const id = await gateway.addUser(engine === 'sqlite' ? 'slow1' : 'slow2', 0);
    const asked = async () => {
      await services.users.setPassword(systemActor, id, 'another right horse');
      return { id: String(nextId++), displayName: '' };
    };
    const provider = { authorizationUrl: async () => '', identify: asked };
    const outside = createOutsideSignIn({
      ...services,
      database,
      secretBox,
      providers: { github: provider, linuxdo: provider, oidc: provider },
      weChat: { openIdOf: async () => (await asked()).id },
      onError: () => {},
    });
    const caller = { address: '127.0.0.1', userAgent: 'test' };
    const signedIn = async () => {
      const row = await database.users.findByPk(id, { raw: true });
      if (!row) throw new Error('the user is gone');
      const { sessionId } = await services.sessions.open(row, caller);
      const visitor = { id, name: row.username, role: row.role, address: caller.address };
      return { secret: 'x'.repeat(43), visitor, sessionId, caller };
    };
    const browser = await signedIn();
    const state = await outside.begin(browser, { provider: 'github', aff: '' });
    const callback = { code: 'code', state, error: '', error_description: '' };
    await expect(outside.finish('github', callback, browser)).rejects.toMatchObject({ code: 'session.missing' });
    const { visitor, sessionId } = await signedIn();
    await expect(outside.bindWeChat(visitor, 'code', sessionId)).rejects.toMatchObject({ code: 'session.missing' });
    expect(await userRow({ id })).toMatchObject({ github_id: '', wechat_id: '' });
  });

  it('takes over the verified main e-mail address and no other, unless another user has it', async () => {
    const emails = (email: string, verified: boolean) => [
      { email: 'other@example.com', primary: false, verified: true },
      { email, primary: true, verified },
    ];
    const known = await come(client(), 'github', octo({ emails: emails('octo@example.com', true) }));
    expect(known.data.email).toBe('octo@example.com');
    const unverified = await come(client(), 'github', octo({ emails: emails('new@example.com', false) }));
    expect(unverified.data.email).toBe('');
    const taken = await come(client(), 'github', octo({ emails: emails('OCTO@example.com', true) }));
    expect(taken).toMatchObject({ success: true, data: { email: '' } });
  });

  it('finds an account that was stored by GitHub name and keeps the id from then on', async () => {
    const id = await gateway.addUser('imported', 0);
    await gateway.app.database.users.update({ github_id: 'old-name' }, { where: { id } });
    const person = octo({ login: 'old-name' });
    expect((await come(client(), 'github', person)).data.id).toBe(id);
    expect(await userRow({ id })).toMatchObject({ github_id: String(person.id) });
    const stranger = await come(client(), 'github', octo({ login: 'old-name' }));
    expect(stranger.data.id).not.toBe(id);
  });

  it('knows a GitHub name by its letters alone, and takes no account where two rows have it', async () => {
    const store = (id: number, name: string) =>
      gateway.app.database.users.update({ github_id: name }, { where: { id } });
    const [mine, first, second, foreign] = [
      await gateway.addUser('capitals', 0),
      await gateway.addUser('first', 0),
      await gateway.addUser('second', 0),
      await gateway.addUser('foreign', 0),
    ];
    await store(mine, 'Octo-Cat');
    await store(first, 'Twice');
    await store(second, 'TWICE');
    // The sign for kelvin, whose small letter is the k of ASCII.
    await store(foreign, '\u212Aelvin');
    const person = octo({ login: 'octo-cat' });
    expect((await come(client(), 'github', person)).data.id).toBe(mine);
    expect(await userRow({ id: mine })).toMatchObject({ github_id: String(person.id) });
    expect([first, second]).not.toContain((await come(client(), 'github', octo({ login: 'twice' }))).data.id);
    expect((await come(client(), 'github', octo({ login: 'TWICE' }))).data.id).toBe(second);
    expect((await come(client(), 'github', octo({ login: 'kelvin' }))).data.id).not.toBe(foreign);
  });

  it('does not take a GitHub name of digits for the id of another user', async () => {
    const owner = await come(client(), 'github', octo());
    const impostor = await come(client(), 'github', octo({ login: owner.data.github_id }));
    expect(impostor.data.id).not.toBe(owner.data.id);
  });

  it('A-209 works for consoles that write the address themselves, with the state alone', async () => {
    const browser = client();
    const state = await browser.data(browser.get('/api/oauth/state?aff='));
    expect(state).toMatch(/^[0-9A-Za-z]{12}$/);
    const page = `${fake.endpoints.github}/login/oauth/authorize?client_id=${fake.secrets.id}&state=${state}&scope=user:email`;
    const { code } = fake.authorize(page, octo());
    expect(await browser.get(`/api/oauth/github?code=${code}&state=${state}`)).toMatchObject({ success: true });
  });

  it('S6 sends GitHub and OIDC a challenge, and no other browser can finish it', async () => {
    for (const provider of ['github', 'oidc']) {
      const browser = client();
      const address = await browser.data(browser.get(`/api/oauth/authorization?provider=${provider}`));
      expect(new URL(address).searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
      const { code } = fake.authorize(address, octo({ sub: 'x', email: 'x@example.com' }));
      // A stolen code, used with a sign-in of the thief's own.
      const thief = client();
      const { state } = await back(thief, provider, octo());
      const stolen = await thief.get(`/api/oauth/${provider}?code=${code}&state=${state}`, english);
      expect(stolen).toMatchObject({ status: 200, success: false });
    }
  });

  it('B21 with a state that is missing, used, foreign, of another provider or too old is refused with 403', async () => {
    const browser = client();
    const refused = async (query: string, provider = 'github', who = browser) => {
      const response = await who.get(`/api/oauth/${provider}?${query}`, english);
      expect({ query, status: response.status, success: response.success }).toEqual({
        query,
        status: 403,
        success: false,
      });
    };
    await refused('code=1');
    await refused('code=1&state=');
    await refused('code=1&state=abcdefghijkl');
    await refused(`code=1&state=${encodeURIComponent("' OR 1=1")}`);
    const used = await back(browser, 'github', octo());
    await browser.data(browser.get(`/api/oauth/github?code=${used.code}&state=${used.state}`));
    await refused(`code=${used.code}&state=${used.state}`);
    const guest = client();
    const other = await back(guest, 'github', octo());
    await refused(`code=${other.code}&state=${other.state}`, 'linuxdo', guest);
    const victim = await back(guest, 'github', octo());
    await refused(`code=${victim.code}&state=${victim.state}`, 'github', client());
    const stranger = client();
    await back(stranger, 'github', octo());
    await refused(`code=${victim.code}&state=${victim.state}`, 'github', stranger);
    const old = await back(guest, 'github', octo());
    await gateway.app.database.sequelize.query(
      "UPDATE one_time_codes SET expires_at = 1 WHERE purpose = 'oauth_state'",
    );
    await refused(`code=${old.code}&state=${old.state}`, 'github', guest);
  });

  it('S6 started as a guest links nothing to a user who has signed in meanwhile', async () => {
    const browser = client();
    const { code, state } = await back(browser, 'github', octo());
    await browser.data(browser.signIn('alice', 'correct horse battery'));
    expect((await browser.get(`/api/oauth/github?code=${code}&state=${state}`)).status).toBe(403);
  });

  it('G-223 links for the signed-in user, and says so with the word consoles wait for', async () => {
    const person = octo();
    const browser = client();
    await browser.data(browser.signIn('alice', 'correct horse battery'));
    const bound = await come(browser, 'github', person);
    expect(bound.body).toEqual({ success: true, message: 'bind' });
    expect((await come(client(), 'github', person)).data.username).toBe('alice');
    const audits = await gateway.app.database.audits.findAll({ where: { action: 'user.bindOutside' }, raw: true });
    expect(audits.at(-1)).toMatchObject({ actor_name: 'alice' });

    await gateway.addUser(`bob${nextId}`, 0);
    const other = client();
    await other.data(other.signIn(`bob${nextId}`, 'correct horse battery'));
    expect(await come(other, 'github', person)).toMatchObject({ success: false, status: 200 });
  });

  it('S6 is bound for a session that is not fresh only after the password, or a new sign-in where there is none', async () => {
    const browser = client();
    const name = `open${nextId++}`;
    const id = await gateway.addUser(name, 0);
    await browser.data(browser.signIn(name, 'correct horse battery'));
    await gateway.app.database.sequelize.query(
      `UPDATE sessions SET created_at = created_at - 601 WHERE user_id = ${id}`,
    );
    const refusals = async (words: string) => {
      const openId = fake.issue(`openid-${nextId++}`);
      for (const path of [
        '/api/oauth/state',
        '/api/oauth/authorization?provider=github',
        `/api/oauth/wechat/bind?code=${openId}`,
      ])
        expect((await browser.get(path, english)).message).toContain(words);
    };
    await refusals('POST /api/user/confirm');
    expect(await browser.data(browser.get('/api/user/confirm'))).toEqual({ is_fresh: false, password_needed: true });
    const confirm = (password: string) => browser.post('/api/user/confirm', { password }, english);
    expect((await confirm('not this one')).message).toContain('Wrong password');
    await refusals('POST /api/user/confirm');
    await browser.data(confirm('correct horse battery'));
    expect(await browser.data(browser.get('/api/user/confirm'))).toEqual({ is_fresh: true, password_needed: true });
    expect((await come(browser, 'github', octo())).message).toBe('bind');

    const elsewhere = client();
    await elsewhere.data(elsewhere.signIn(name, 'correct horse battery'));
    await gateway.app.database.sequelize.query(
      `UPDATE sessions SET created_at = created_at - 601 WHERE user_id = ${id}`,
    );
    // One session's password is not another's.
    expect((await elsewhere.get('/api/oauth/state', english)).message).toContain('POST /api/user/confirm');
    await gateway.app.database.sequelize.query('UPDATE one_time_codes SET expires_at = 1');
    await gateway.app.database.users.update({ password: '' }, { where: { id } });
    await refusals('sign in again');
  });

  it('refuses disabled and deleted accounts, and leaves a trace', async () => {
    for (const change of [{ status: 2 }, { deleted_at: 1 }]) {
      const person = octo();
      const { data } = await come(client(), 'github', person);
      await gateway.app.database.users.update(change, { where: { id: data.id } });
      const refused = await come(client(), 'github', person);
      expect(refused).toMatchObject({ status: 200, success: false });
      const where = { action: 'session.signInFailed', object_id: String(data.id) };
      expect(await gateway.app.database.audits.count({ where })).toBe(1);
    }
  });

  it('makes no account while registration is closed, and still knows those that are there', async () => {
    const person = octo();
    await come(client(), 'github', person);
    await set({ RegisterEnabled: 'false' });
    expect(await come(client(), 'github', person)).toMatchObject({ success: true });
    expect(await come(client(), 'github', octo())).toMatchObject({ success: false });
  });

  it('makes one account of two windows that finish at once', async () => {
    const person = octo();
    const browsers = [client(), client(), client()];
    const responses = await Promise.all(browsers.map((browser) => come(browser, 'github', person)));
    expect(responses.map(({ success }) => success)).toEqual([true, true, true]);
    expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1);
  });

  it('B24 carries the invitation, and ignores one that is nonsense', async () => {
    await set({ QuotaForInvitee: '300', QuotaForInviter: '200' });
    const alice = await userRow({ id: gateway.userId });
    const invited = await come(client(), 'github', octo(), alice?.aff_code ?? '');
    expect(invited.data).toMatchObject({ inviter_id: gateway.userId, quota: 300 });
    expect(await userRow({ id: gateway.userId })).toMatchObject({ aff_quota: 200, aff_count: 1 });
    for (const aff of [encodeURIComponent("' OR 1=1--"), 'x'.repeat(3000)])
      expect((await come(client(), 'github', octo(), aff)).data).toMatchObject({ inviter_id: 0 });
    await gateway.verifyBooks();
  });

  it('S10 S13 never shows the provider’s response or its secrets', async () => {
    const browser = client();
    const { state } = await back(browser, 'github', octo());
    const response = await browser.get(`/api/oauth/github?code=wrong&state=${state}`, english);
    expect(response).toMatchObject({ status: 200, success: false });
    expect(response.message).toContain('GitHub did not confirm');
    expect(response.message).not.toContain('secret detail');
    expect(response.message).not.toContain(fake.secrets.secret);
  });

  it('says it in words when the person said no at the provider', async () => {
    const browser = client();
    const { state } = await back(browser, 'linuxdo', {});
    const query = `state=${state}&error=access_denied&error_description=${encodeURIComponent('You said no')}`;
    const response = await browser.get(`/api/oauth/linuxdo?${query}`, english);
    expect(response).toMatchObject({
      status: 200,
      success: false,
      message: 'LINUX DO canceled the sign-in: You said no',
    });
  });

  it('F59 with a provider that does not respond ends after 5 s, and the same code still works then', async () => {
    const browser = client();
    const { code, state } = await back(browser, 'github', octo());
    fake.isSilent = true;
    const response = await browser.get(`/api/oauth/github?code=${code}&state=${state}`, english);
    fake.isSilent = false;
    expect(response).toMatchObject({ status: 200, success: false });
    expect(await browser.get(`/api/oauth/github?code=${code}&state=${state}`)).toMatchObject({ success: true });
  });

  it('with LINUX DO takes active members of the trust level asked for', async () => {
    const member = { id: nextId++, username: 'u', name: 'N', active: true, silenced: false, trust_level: 1 };
    expect((await come(client(), 'linuxdo', member)).data).toMatchObject({
      linux_do_id: String(member.id),
      display_name: 'N',
      username: expect.stringMatching(/^linuxdo_\d+$/),
    });
    for (const person of [
      { ...member, silenced: true },
      { ...member, active: false },
      { ...member, id: 0 },
    ])
      expect(await come(client(), 'linuxdo', person)).toMatchObject({ success: false });
    await set({ LinuxDOMinimumTrustLevel: '2' });
    const low = await come(client(), 'linuxdo', member);
    expect(low.message).toContain('trust level 2');
    await set({ LinuxDOMinimumTrustLevel: '0' });
  });

  it('with OIDC uses discovery, wishes for the user name, and needs subject and address', async () => {
    const sub = `subject-${nextId++}`;
    const person = {
      sub,
      email: 'o@idp.example.com',
      email_verified: 'true',
      name: 'Olga',
      preferred_username: 'olga',
    };
    expect((await come(client(), 'oidc', person)).data).toMatchObject({
      oidc_id: sub,
      username: 'olga',
      display_name: 'Olga',
      email: 'o@idp.example.com',
    });
    const second = await come(client(), 'oidc', { ...person, sub: `${sub}-2`, email: 'p@idp.example.com' });
    expect(second.data.username).toMatch(/^oidc_\d+$/);
    const long = { ...person, sub: `${sub}-3`, preferred_username: 'longer.than.twelve', email_verified: undefined };
    expect((await come(client(), 'oidc', long)).data).toMatchObject({
      email: '',
      username: expect.stringMatching(/^oidc_/),
    });
    expect(await come(client(), 'oidc', { email: 'x@example.com' })).toMatchObject({ success: false });
    expect(await come(client(), 'oidc', { sub: `${sub}-4` })).toMatchObject({ success: false });
    const { data } = await client().get('/api/status');
    expect(data).toMatchObject({ oidc_enabled: true, oidc_client_id: fake.secrets.id });
    expect(data.oidc_authorization_endpoint).toBe(`${fake.url}/oidc/authorize`);
  });

  it('F59 keeps no page waiting for an OIDC provider that does not respond', async () => {
    // Silent at first: a look at the new address begins whenever it pleases.
    fake.isSilent = true;
    await set({ 'oidc.well_known': `${fake.url}/oidc/.well-known/openid-configuration?2` });
    const { data } = await client().get('/api/status');
    fake.isSilent = false;
    expect(data).toMatchObject({ oidc_enabled: true, oidc_authorization_endpoint: '' });
    await set({ 'oidc.well_known': `${fake.url}/oidc/.well-known/openid-configuration` });
  });

  it('with WeChat takes the code of the official account once', async () => {
    const code = fake.issue(`openid-${nextId++}`);
    const first = await client().get(`/api/oauth/wechat?code=${code}`);
    expect(first.data).toMatchObject({ username: expect.stringMatching(/^wechat_\d+$/) });
    const wrong = await client().get(`/api/oauth/wechat?code=${code}`);
    expect(wrong).toMatchObject({ status: 200, success: false, message: '验证码错误或已过期，请重新获取' });
    expect(await client().get('/api/oauth/wechat')).toMatchObject({ success: false });

    const browser = client();
    expect((await browser.get('/api/oauth/wechat/bind?code=1')).status).toBe(401);
    await browser.data(browser.signIn('alice', 'correct horse battery'));
    const openId = `openid-${nextId++}`;
    expect((await browser.get(`/api/oauth/wechat/bind?code=${fake.issue(openId)}`)).body).toEqual({
      success: true,
      message: '',
    });
    expect((await client().get(`/api/oauth/wechat?code=${fake.issue(openId)}`)).data.username).toBe('alice');
  });

  it('S6 from another site is refused where no state guards it', async () => {
    for (const path of ['/api/oauth/wechat?code=1', '/api/oauth/telegram/login?id=1', '/api/oauth/telegram/bind?id=1'])
      expect((await client().get(path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('is refused in words while its way is switched off', async () => {
    await set({ GitHubOAuthEnabled: 'false', WeChatAuthEnabled: 'false' });
    const browser = client();
    expect(await browser.get('/api/oauth/github?code=1&state=abcdefghijkl')).toMatchObject({
      status: 200,
      success: false,
    });
    expect(await browser.get('/api/oauth/authorization?provider=github')).toMatchObject({ success: false });
    expect(await browser.get('/api/oauth/wechat?code=1')).toMatchObject({ success: false });
    expect(await browser.get('/api/oauth/telegram/login?id=1')).toMatchObject({ success: false });
    await set({ GitHubOAuthEnabled: 'true', WeChatAuthEnabled: 'true' });
  });

  it('stores no secret where it can be read', async () => {
    const { database } = gateway.app;
    const tables = ['options', 'one_time_codes', 'audits', 'users'];
    const rows = await Promise.all(tables.map((table) => database.select(`SELECT * FROM ${table}`)));
    expect(JSON.stringify(rows)).not.toContain(fake.secrets.secret);
  });
});
