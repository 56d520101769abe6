import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsoleClient } from '../../../support/console-client.ts';
import { type MailServer, startMailServer } from '../../../support/mail-server.ts';
import { startGateway, type TestGateway } from '../../../support/start-gateway.ts';
import { engines } from '../../../support/temporary-database.ts';

const password = 'correct horse battery';
const english = { 'accept-language': 'en' };

describe.each(engines)('an account over HTTP on %s', (engine) => {
  let gateway: TestGateway;
  let mail: MailServer;
  beforeAll(async () => {
    mail = await startMailServer();
    gateway = await startGateway(engine, { GENERATE_DEFAULT_TOKEN: 'true' });
    await gateway.setOption('SMTPServer', '127.0.0.1');
    await gateway.setOption('SMTPPort', String(mail.port));
    await gateway.setOption('SMTPFrom', 'gate@example.com');
    await gateway.setOption('ServerAddress', 'https://gate.example.com');
    await gateway.setOption('SystemName', 'Gate & Co');
  });
  afterAll(async () => {
    await gateway.stop();
    await mail.close();
  });

  const guest = () => createConsoleClient(gateway.url);
  const register = (body: Record<string, unknown>) =>
    guest().post('/api/user/register', { password, ...body }, english);
  const verification = (email: string, headers: Record<string, string> = english) =>
    guest().get(`/api/verification?email=${encodeURIComponent(email)}`, headers);
  const requestReset = (email: string) =>
    guest().get(`/api/reset_password?email=${encodeURIComponent(email)}`, english);
  const codeFor = async (email: string) => {
    expect(await verification(email)).toMatchObject({ success: true, message: '' });
    return /\b[0-9a-f]{6}\b/.exec((await mail.take(email)).text)?.[0] ?? '';
  };
  const rowOf = (username: string) => gateway.app.database.users.findOne({ where: { username }, raw: true });

  it('A-177 A-204 is registered, signs in afterward and has its first token', async () => {
    const response = await register({ username: 'newcomer', password2: password });
    expect(response.body).toEqual({ success: true, message: '' });
    expect(response.headers.getSetCookie()).toEqual([]);
    const console = guest();
    const user = await console.data(console.signIn('newcomer', password));
    expect(user).toMatchObject({ username: 'newcomer', role: 1, email: '', quota: 0 });
    const long = { username: 'x', password: `${'a quiet river bends '.repeat(6)}x7 north` };
    expect(await register(long)).toMatchObject({ success: true });
    expect(await guest().post('/api/user/login', long)).toMatchObject({ success: true });
    const tokens = await gateway.app.database.tokens.findAll({ where: { user_id: user.id }, raw: true });
    expect(tokens).toMatchObject([{ name: 'newcomer token', remain_quota: 500_000, expired_time: -1 }]);
    await gateway.verifyBooks();
  });

  it.each([
    ['B2 nothing', null, ''],
    ['B2 a list', [], ''],
    ['A-153 no name', { password }, 'username and password cannot be empty'],
    ['A-153 no password', { username: 'nobody' }, 'username and password cannot be empty'],
    ['B3 a name that is an object', { username: {}, password }, ''],
    ['B4 A-154 a password of 7', { username: 'short', password: 'a1b2c3!' }, 'at least 8 characters'],
    ['B4 A-176 a password of 129', { username: 'long', password: 'x7'.repeat(65).slice(1) }, 'at most 128 characters'],
    ['A-156 two passwords', { username: 'two', password, password2: 'other' }, 'the two passwords differ'],
    ['B8 an invisible letter', { username: 'ro\u200bot', password }, 'invisible'],
    ['B9 A-175 a name of 13', { username: 'thirteenchars', password }, 'at most 12 characters'],
    ['S7 a common password', { username: 'common', password: 'iloveyou1' }, 'too easy'],
    ['B7 a name that is taken', { username: 'ＲＯＯＴ ', password }, 'already exists'],
  ])('is not registered by %s', async (_what, body, message) => {
    const response = await guest().post('/api/user/register', body === null ? 'null' : body, english);
    expect(response).toMatchObject({ status: 200, success: false });
    expect(response.message.toLowerCase()).toContain(message.toLowerCase());
  });

  it('B5 A password of 1 MiB is refused before anything is hashed', async () => {
    const response = await guest().post('/api/user/register', { username: 'big', password: 'x'.repeat(1_048_576) });
    expect(response.status).toBe(413);
  });

  it('B24 is registered without reward by any unknown code', async () => {
    for (const [number, aff_code] of ["' OR 1=1--", 'x'.repeat(10_240), ['a'], null].entries()) {
      expect(await register({ username: `coded${number}`, aff_code })).toMatchObject({ success: true });
    }
  });

  it('A-102 A-104 A-227 A-229 is not registered while the administrator says so', async () => {
    for (const key of ['RegisterEnabled', 'PasswordRegisterEnabled']) {
      await gateway.setOption(key, 'false');
      expect(await register({ username: 'closed' })).toMatchObject({ status: 200, success: false });
      await gateway.setOption(key, 'true');
    }
  });

  it('A-103 A-158 A-205 A-232 needs a code sent to its address where the administrator says so', async () => {
    await gateway.setOption('EmailVerificationEnabled', 'true');
    expect((await register({ username: 'mailed' })).message).toContain('verification code');
    const code = await codeFor('new@example.com');
    const wrong = { username: 'mailed', email: 'new@example.com', verification_code: 'ffffff' };
    expect((await register(wrong)).message).toContain('wrong or has expired');
    const right = { ...wrong, verification_code: code };
    // The code of one address is no good for another.
    expect((await register({ ...right, email: 'else@example.com' })).success).toBe(false);
    // A name that is taken costs a try, not the code.
    expect((await register({ ...right, username: 'root' })).message).toContain('root');
    expect((await register(right)).success).toBe(true);
    expect((await rowOf('mailed'))?.email).toBe('new@example.com');
    expect((await register({ ...right, username: 'again' })).success).toBe(false);
    await gateway.setOption('EmailVerificationEnabled', 'false');
  });

  it('B18 opens one account by one code, also when three are asked for at once', async () => {
    await gateway.setOption('EmailVerificationEnabled', 'true');
    const code = await codeFor('once@example.com');
    const bodies = ['once1', 'once2', 'once3'].map((username) => ({ username, verification_code: code }));
    const responses = await Promise.all(bodies.map((body) => register({ ...body, email: 'once@example.com' })));
    expect(responses.filter(({ success }) => success)).toHaveLength(1);
    await gateway.setOption('EmailVerificationEnabled', 'false');
  });

  it('has one mailbox in one account, however the address is spelled', async () => {
    await gateway.setOption('EmailVerificationEnabled', 'true');
    await gateway.setOption('EmailDomainWhitelist', 'Bücher.example');
    await gateway.setOption('EmailDomainRestrictionEnabled', 'true');
    await gateway.setOption('QuotaForNewUser', '1000');
    const canonical = 'one@xn--bcher-kva.example';
    // As the mail server writes it for people.
    const delivered = 'one@bücher.example';
    expect(await verification('ｏne＠bücher。example')).toMatchObject({ success: true });
    const code = /\b[0-9a-f]{6}\b/.exec((await mail.take(delivered)).text)?.[0] ?? '';
    const first = { username: 'onebox', email: 'one@BÜCHER.example', verification_code: code };
    expect(await register(first)).toMatchObject({ success: true });
    expect(await rowOf('onebox')).toMatchObject({ email: canonical, email_key: canonical, quota: 1000 });
    // What is known already gets a mail that says so, and no code.
    const { database } = gateway.app;
    await database.sequelize.query('UPDATE one_time_codes SET created_at = created_at - 60');
    expect(await verification('OnE@xn--bcher-kva.example')).toMatchObject({ success: true });
    expect((await mail.take('OnE@bücher.example')).text).toContain('already belongs to an account');
    await gateway.setOption('EmailDomainRestrictionEnabled', 'false');
    await gateway.setOption('EmailVerificationEnabled', 'false');
    await gateway.setOption('QuotaForNewUser', '0');
    const signedIn = guest();
    expect(await signedIn.data(signedIn.signIn('one@bücher.example', password))).toMatchObject({ username: 'onebox' });
    await database.sequelize.query('UPDATE one_time_codes SET created_at = created_at - 60');
    expect(await requestReset('ｏne@bücher.example')).toMatchObject({ success: true });
    expect((await mail.take(delivered)).text).toContain('https://gate.example.com/user/reset');
  });

  it.each(['v＠x.co', 'v﹫x.co', 'v@x.co'])('has no name that reads like an address: %s', async (username) => {
    expect(await register({ username })).toMatchObject({
      success: false,
      message: expect.stringContaining('cannot contain @'),
    });
    expect(await rowOf(username)).toBeNull();
  });

  it('A-234 S8 tells only the reader of the mail that an address is known', async () => {
    const known = await gateway.addUser('known', 0);
    await gateway.app.database.users.update({ email: 'Known@example.com' }, { where: { id: known } });
    const responses = [];
    for (const email of ['known@example.com', 'stranger@example.com']) {
      const { status, body } = await verification(email);
      responses.push(JSON.stringify({ status, body }));
      const { status: resetStatus, body: resetBody } = await requestReset(email);
      responses.push(JSON.stringify({ resetStatus, resetBody }));
      // And so does asking too often.
      for (const again of [await verification(email), await requestReset(email)]) {
        expect(again).toMatchObject({ status: 429, success: false });
        expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
    expect(responses.slice(0, 2)).toEqual(responses.slice(2));
    const told = await mail.take('known@example.com');
    expect(told.text).toContain('already belongs to an account');
    expect(told.text).not.toMatch(/\b[0-9a-f]{6}\b/);
    expect((await mail.take('stranger@example.com')).text).toMatch(/\b[0-9a-f]{6}\b/);
    await gateway.app.services.mailer.settled();
    // B20 No reset mail to an unknown address.
    expect(
      mail.mails.filter(({ to, subject }) => to.includes('stranger@example.com') && /reset/.test(subject)),
    ).toEqual([]);
  });

  it.each([
    ['B15 a header', 'a@example.com\r\nBcc: b@example.com'],
    ['B16 a comma', 'a@example.com,b@example.com'],
    ['B16 a semicolon', 'a@example.com;b@example.com'],
    ['two signs', 'a@b@example.com'],
    ['no domain', 'a@localhost'],
    ['a name', 'Bob <a@example.com>'],
    ['spaces', 'a b@example.com'],
    ['51 characters', `${'a'.repeat(39)}@example.com`],
    ['nothing', ''],
  ])('has no address with %s', async (_what, email) => {
    const before = mail.mails.length;
    expect(await verification(email)).toMatchObject({ status: 200, success: false });
    expect(await requestReset(email)).toMatchObject({ status: 200, success: false });
    expect(mail.mails.length).toBe(before);
  });

  it('A-106 A-107 A-108 B17 has an address the administrator allows, when the code is sent and when it is used', async () => {
    const early = await codeFor('first.last@elsewhere.example');
    await gateway.setOption('EmailDomainRestrictionEnabled', 'true');
    await gateway.setOption('EmailDomainWhitelist', 'example.com');
    await gateway.setOption('EmailVerificationEnabled', 'true');
    for (const email of ['a@evil.example.com', 'a@example.com.evil.org', 'a@xexample.com']) {
      expect((await verification(email)).message).toContain('mail domain');
    }
    // However the operator wrote it.
    for (const written of ['Example.com', 'other.example, @example.com']) {
      await gateway.setOption('EmailDomainWhitelist', written);
      expect(await verification(`a${written.length}@example.com`), written).toMatchObject({ success: true });
    }
    const late = { username: 'late', email: 'first.last@elsewhere.example', verification_code: early };
    expect((await register(late)).message).toContain('mail domain');
    await gateway.setOption('EmailDomainRestrictionEnabled', 'false');
    await gateway.setOption('EmailAliasRestrictionEnabled', 'true');
    for (const email of ['a+b@example.com', 'a.b@example.com']) {
      expect((await verification(email)).message).toContain('with + or . before the @');
    }
    expect((await register(late)).message).toContain('with + or . before the @');
    await gateway.setOption('EmailAliasRestrictionEnabled', 'false');
    await gateway.setOption('EmailVerificationEnabled', 'false');
  });

  it('A-206 A-207 A-235 gets a new password by a link that works once, from the address of the option', async () => {
    const id = await gateway.addUser('forgetful', 0);
    const email = 'for+get&ful@example.com';
    await gateway.app.database.users.update({ email }, { where: { id } });
    const open = guest();
    await open.signIn('forgetful', password);
    expect(await requestReset('FOR+get&ful@example.com')).toMatchObject({ success: true });
    const link = /https:\S+/.exec((await mail.take(email)).text)?.[0] ?? '';
    expect(link).toMatch(
      /^https:\/\/gate\.example\.com\/user\/reset\?email=for%2Bget%26ful%40example\.com&token=[0-9a-f]{32}$/,
    );
    const body = Object.fromEntries(new URL(link).searchParams);
    const near = Array.from({ length: 4 }, (_, digit) => `${body.token?.slice(0, 31)}g${digit}`);
    for (const token of ['', 'x', '0'.repeat(32), '%00', ['a'], `${body.token}0`, ...near]) {
      const refused = await guest().post('/api/user/reset', { ...body, token }, english);
      expect(refused, `B19 ${token}`).toMatchObject({ status: 200, success: false });
    }
    const fresh = guest();
    const changed = await fresh.post('/api/user/reset', body);
    // Five wrong ones that began like it: the link is used up as well.
    expect(changed.success).toBe(false);
    await gateway.app.database.sequelize.query('UPDATE one_time_codes SET tries = 0');
    const newPassword = await fresh.data(fresh.post('/api/user/reset', body));
    expect(newPassword).toMatch(/^[0-9a-f]{12}$/);
    expect((await open.get('/api/user/self')).status).toBe(401);
    expect((await guest().signIn('forgetful', password)).success).toBe(false);
    expect((await guest().signIn(email, newPassword)).success).toBe(true);
    expect((await guest().post('/api/user/reset', body, english)).message).toContain('expired');
  });

  it('gets no password by a link to an address the account has left since', async () => {
    const id = await gateway.addUser('moved', 0);
    const move = (email: string) => gateway.app.database.users.update({ email }, { where: { id } });
    await move('old@example.com');
    await requestReset('old@example.com');
    const token = /token=([0-9a-f]{32})/.exec((await mail.take('old@example.com')).text)?.[1];
    await move('new-address@example.com');
    const reset = () => guest().post('/api/user/reset', { email: 'old@example.com', token }, english);
    expect((await reset()).message).toContain('invalid or has expired');
    expect((await guest().signIn('moved', password)).success).toBe(true);
    await move('Old@example.com');
    expect((await reset()).success).toBe(true);
  });

  it('gets no link while it is banned, and the response does not tell', async () => {
    const { users } = gateway.app.database;
    for (const [name, status] of [
      ['expelled', 2],
      ['welcome', 1],
    ] as const) {
      const id = await gateway.addUser(name, 0);
      await users.update({ email: `${name}@example.com`, status }, { where: { id } });
      expect((await requestReset(`${name}@example.com`)).body).toEqual({ success: true, message: '' });
    }
    // Mails go out in the order in which they were asked for.
    await mail.take('welcome@example.com');
    expect(mail.mails.flatMap(({ to }) => to)).not.toContain('expelled@example.com');
  });

  it('B18 takes no code for another purpose, and none that has expired', async () => {
    const id = await gateway.addUser('purpose', 0);
    await gateway.app.database.users.update({ email: 'purpose@example.com' }, { where: { id } });
    const code = await codeFor('other@example.com');
    const used = await guest().post('/api/user/reset', { email: 'other@example.com', token: code });
    expect(used.success).toBe(false);
    await requestReset('purpose@example.com');
    const token = /token=([0-9a-f]{32})/.exec((await mail.take('purpose@example.com')).text)?.[1];
    await gateway.app.database.sequelize.query('UPDATE one_time_codes SET expires_at = expires_at - 601');
    expect((await guest().post('/api/user/reset', { email: 'purpose@example.com', token })).success).toBe(false);
  });

  it('A-212 A-233 takes over an address by the code sent to it, and none that is taken', async () => {
    const console = guest();
    await gateway.addUser('binder', 0);
    await console.signIn('binder', password);
    const bind = (email: string, code: string) =>
      console.post('/api/oauth/email/bind', { email, code, password }, english);
    const code = await codeFor('binder@example.com');
    expect((await bind('binder@example.com', '000000')).message).toContain('wrong or has expired');
    await console.data(bind('binder@example.com', code));
    expect((await console.data(console.get('/api/user/self'))).email).toBe('binder@example.com');
    expect((await bind('binder@example.com', code)).success).toBe(false);
    const contested = await codeFor('contested@example.com');
    const id = await gateway.addUser('faster', 0);
    await gateway.app.database.users.update({ email: 'CONTESTED@example.com' }, { where: { id } });
    expect((await bind('contested@example.com', contested)).message).toContain('another account');
    expect((await guest().get('/api/oauth/email/bind?email=a@example.com&code=1')).status).toBe(401);
    expect((await guest().post('/api/oauth/email/bind', { email: 'a@example.com', code: '1' })).status).toBe(401);
  });

  it('links no address for a session alone: it asks for the password, or for a sign-in of a moment ago', async () => {
    const console = guest();
    const id = await gateway.addUser('leftopen', 0);
    await console.signIn('leftopen', password);
    const email = 'thief@example.com';
    const code = await codeFor(email);
    const old = () => console.get(`/api/oauth/email/bind?email=${encodeURIComponent(email)}&code=${code}`, english);
    const bind = (body: object) => console.post('/api/oauth/email/bind', { email, code, ...body }, english);
    for (const refused of [await old(), await bind({})]) {
      expect(refused).toMatchObject({ success: false, message: expect.stringContaining('POST /api/oauth/email/bind') });
    }
    expect((await bind({ password: 'not this one' })).message).toContain('Wrong password');
    const { database } = gateway.app;
    expect(await database.users.findByPk(id, { raw: true })).toMatchObject({ email: '' });

    await database.users.update({ password: '' }, { where: { id } });
    const age = (seconds: number) =>
      database.sequelize.query(`UPDATE sessions SET created_at = created_at - ${seconds} WHERE user_id = ${id}`);
    await age(601);
    for (const refused of [await old(), await bind({})]) expect(refused.message).toContain('sign in again');
    await age(-601);
    await console.data(old());
    expect(await database.users.findByPk(id, { raw: true })).toMatchObject({ email });
  });

  it('mails in the language of the request, with every character of the name as text', async () => {
    expect((await verification('leser@example.com', { 'accept-language': 'zh-CN' })).success).toBe(true);
    const chinese = await mail.take('leser@example.com');
    expect(chinese.subject).toBe('Gate & Co 邮箱验证码');
    expect(chinese.html).toContain('Gate &amp; Co');
    await gateway.setOption('SMTPServer', '');
    expect((await verification('reader@example.com')).message).toContain('mail server');
    await gateway.setOption('SMTPServer', '127.0.0.1');
  });
});
