import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchTotp, totpCode, totpStep } from '../../../core/lib/totp.ts';
import { type ConsoleClient, createConsoleClient } from '../../support/console-client.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { engines } from '../../support/temporary-database.ts';

const password = 'correct horse battery';
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** As an app reads it. */
function fromBase32(text: string): Buffer {
  const bits = [...text].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

describe.each(engines)('the second step of a sign-in on %s', (engine) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway(engine);
    const alice = await gateway.app.database.users.findByPk(gateway.userId, { raw: true });
    passwordHash = alice?.password ?? '';
  });
  afterAll(() => gateway.stop());

  interface Owner {
    name: string;
    console: ConsoleClient;
    secret: Buffer;
    backup: string[];
  }
  let passwordHash = '';
  /** A new user, signed in; one hash of the password serves all of them, because each takes a while. */
  async function enter(name: string): Promise<ConsoleClient> {
    const { database, services } = gateway.app;
    const { id } = await database.users.create({
      username: name,
      username_key: name,
      password: passwordHash,
      aff_code: name,
      group: 'default',
    });
    const row = await database.users.findByPk(id, { raw: true });
    if (!row) throw new Error('no user was created');
    const { sessionId } = await services.sessions.open(row, { address: '127.0.0.1', userAgent: 'test' });
    return Object.assign(createConsoleClient(gateway.url), { userId: id, cookie: `session=${sessionId}` });
  }
  /** A signed-in user with two-factor authentication on. This uses up the app's current code. */
  async function createOwner(name: string): Promise<Owner> {
    const console = await enter(name);
    const setup = await console.data(console.post('/api/user/2fa/setup', { password }));
    const secret = fromBase32(setup.secret);
    expect(setup.qr_code_data).toContain(`otpauth://totp/`);
    expect(setup.qr_code_data).toContain(setup.secret);
    await console.data(console.post('/api/user/2fa/enable', { code: codeOf(secret) }));
    return { name, console, secret, backup: setup.backup_codes };
  }
  const codeOf = (secret: Buffer, around = 0) => totpCode(secret, totpStep(Date.now() / 1000) + around);
  /** No code of any step that could count, whatever the moment. */
  function wrongCode(secret: Buffer): string {
    for (let code = 100_000; ; code++) {
      const isWrong = [-60, 0, 60].every(
        (off) => matchTotp(secret, String(code), Date.now() / 1000 + off, 0) === undefined,
      );
      if (isWrong) return String(code);
    }
  }
  async function firstStep(name: string) {
    const console = createConsoleClient(gateway.url);
    const response = await console.post('/api/user/login', { username: name, password });
    return { console, response };
  }
  const idOf = ({ userId: id }: ConsoleClient) => ({ id });
  const forgive = () => gateway.app.database.sequelize.query('DELETE FROM sign_in_failures');

  it('is set up by the last of several set-ups at one moment, and none is told that it is on already', async () => {
    const console = await enter('impatient');
    const setups = await Promise.all(
      Array.from({ length: 4 }, () => console.data(console.post('/api/user/2fa/setup', { password }))),
    );
    expect(await gateway.app.database.twoFactorCodes.count({ where: { user_id: console.userId } })).toBe(8);
    const codes = setups.map(({ secret }) => codeOf(fromBase32(secret)));
    const responses = [];
    for (const code of codes) responses.push(await console.post('/api/user/2fa/enable', { code }));
    expect(responses.filter(({ success }) => success)).toHaveLength(1);
    const [code] = setups[responses.findIndex(({ success }) => success)].backup_codes;
    const { console: second, response } = await firstStep('impatient');
    expect(response.data).toEqual({ require_2fa: true });
    expect(await second.data(second.post('/api/user/login/2fa', { code }))).toMatchObject({ username: 'impatient' });
  });

  it.runIf(engine === 'sqlite')('is not turned on with a secret whose code was never shown', async () => {
    const console = await enter('two-tabs');
    const { secret } = await console.data(console.post('/api/user/2fa/setup', { password }));
    // The code is right; before it counts, the other tab begins from the start.
    const { sequelize } = gateway.app.database;
    await sequelize.query(
      `CREATE TRIGGER other_tab AFTER DELETE ON sign_in_failures
       BEGIN UPDATE two_factors SET secret = 'another' WHERE user_id = ${console.userId}; END`,
    );
    const response = await console.post('/api/user/2fa/enable', { code: codeOf(fromBase32(secret)) });
    await sequelize.query('DROP TRIGGER other_tab');
    expect(response.success).toBe(false);
    expect(await console.data(console.get('/api/user/2fa/status'))).toMatchObject({ enabled: false });
  });

  it('is asked for once an app has shown its code, and the password alone opens nothing any more', async () => {
    const console = await enter('cautious');
    expect(await console.data(console.get('/api/user/2fa/status'))).toEqual({
      enabled: false,
      backup_codes_remaining: 0,
      password_needed: true,
    });
    const setup = await console.data(console.post('/api/user/2fa/setup', { password }));
    expect((await console.post('/api/user/2fa/enable', { code: wrongCode(fromBase32(setup.secret)) })).success).toBe(
      false,
    );
    // A code on paper does not show that the app works.
    expect((await console.post('/api/user/2fa/enable', { code: setup.backup_codes[0] })).success).toBe(false);
    expect((await firstStep('cautious')).response.data).toMatchObject({ username: 'cautious' });
    await console.data(console.post('/api/user/2fa/enable', { code: codeOf(fromBase32(setup.secret)) }));
    const { console: second, response } = await firstStep('cautious');
    expect(response.data).toEqual({ require_2fa: true });
    expect(second.cookie).not.toContain('session=');
    second.userId = console.userId;
    expect((await second.get('/api/user/self')).status).toBe(401);
    const user = await second.data(second.post('/api/user/login/2fa', { code: codeOf(fromBase32(setup.secret), 1) }));
    expect(user).toMatchObject({ username: 'cautious' });
    expect((await second.get('/api/user/self')).success).toBe(true);
    expect(second.cookie).not.toContain('second_step=');
    expect(await second.data(second.get('/api/user/2fa/status'))).toMatchObject({
      enabled: true,
      backup_codes_remaining: 8,
    });
  });

  it('S5 is set up only with the password, not with just an open browser', async () => {
    const console = await enter('away');
    for (const body of [undefined, {}, { password: '' }, { password: 'guess' }]) {
      const { success, message } = await console.post('/api/user/2fa/setup', body);
      expect(success).toBe(false);
      expect(message).toContain('密码');
    }
    for (const body of [{ password: 7 }, { password: 'x'.repeat(129) }])
      expect((await console.post('/api/user/2fa/setup', body)).success).toBe(false);
    expect(
      await gateway.app.database.select('SELECT user_id FROM two_factors WHERE user_id = :id', idOf(console)),
    ).toEqual([]);
    await forgive();
    expect((await console.data(console.post('/api/user/2fa/setup', { password }))).backup_codes).toHaveLength(8);
  });

  it('does not ask users without a password for one', async () => {
    const console = await enter('outside');
    await gateway.app.database.users.update({ password: '' }, { where: { username: 'outside' } });
    expect(await console.data(console.get('/api/user/2fa/status'))).toMatchObject({ password_needed: false });
    expect((await console.data(console.post('/api/user/2fa/setup'))).backup_codes).toHaveLength(8);
  });

  it('S5 asks users without a password for a new sign-in: a browser left open, or a token, shuts no owner out', async () => {
    const console = await enter('unlocked');
    const { database, secretBox } = gateway.app;
    const access_token_hash = secretBox.lookupHash('a token that was found');
    await database.users.update({ password: '', access_token_hash }, { where: { username: 'unlocked' } });
    const anHourAgo = Math.floor(Date.now() / 1000) - 3600;
    await database.sessions.update({ created_at: anHourAgo }, { where: { user_id: console.userId } });
    const withToken = Object.assign(createConsoleClient(gateway.url), { userId: console.userId });
    for (const attempt of [
      console.post('/api/user/2fa/setup'),
      withToken.post('/api/user/2fa/setup', {}, { authorization: 'Bearer a token that was found' }),
    ])
      expect(await attempt).toMatchObject({ success: false, message: expect.stringContaining('重新登录') });
    const rows = await database.select('SELECT user_id FROM two_factors WHERE user_id = :id', idOf(console));
    expect(rows).toEqual([]);
  });

  it('takes each code once: of the app, and of the paper', async () => {
    const { name, secret, backup } = await createOwner('careful');
    const code = codeOf(secret, 1);
    const one = await firstStep(name);
    const two = await firstStep(name);
    const steps = await Promise.all([one, two].map(({ console }) => console.post('/api/user/login/2fa', { code })));
    expect(steps.map(({ success }) => success).sort()).toEqual([false, true]);
    const paper = { code: (backup[0] ?? '').toLowerCase().replace('-', ' ') };
    expect(
      (await one.console.post('/api/user/login/2fa', paper)).success ||
        (await two.console.post('/api/user/login/2fa', paper)).success,
    ).toBe(true);
    const again = await firstStep(name);
    expect((await again.console.post('/api/user/login/2fa', paper)).success).toBe(false);
  });

  it('is taken by a backup code also when the stored secret cannot be decrypted', async () => {
    const { name, secret, backup, console: owner } = await createOwner('damaged');
    await gateway.app.database.twoFactors.update({ secret: 'v1:damaged' }, { where: { user_id: owner.userId } });
    const { console: second } = await firstStep(name);
    const refusal = await second.post('/api/user/login/2fa', { code: codeOf(secret, 1) });
    expect(refusal).toMatchObject({ success: false, message: expect.stringMatching(/备用码|backup code/) });
    expect((await second.post('/api/user/login/2fa', { code: backup[0] })).success).toBe(true);
  });

  it('is nothing without the first one, and nothing of another account', async () => {
    const owner = await createOwner('target');
    const other = await createOwner('other');
    const stranger = createConsoleClient(gateway.url);
    expect((await stranger.post('/api/user/login/2fa', { code: codeOf(owner.secret, 1) })).success).toBe(false);
    stranger.cookie = 'second_step=v1:abcd:AAAA:BBBB';
    expect((await stranger.post('/api/user/login/2fa', { code: codeOf(owner.secret, 1) })).success).toBe(false);
    const { console } = await firstStep(owner.name);
    expect((await console.post('/api/user/login/2fa', { code: other.backup[0] })).success).toBe(false);
    // A new password ends what was begun with the old one.
    const row = await gateway.app.database.users.findOne({ where: { username: owner.name }, raw: true });
    await gateway.app.database.users.increment({ session_version: 1 }, { where: { id: row?.id ?? 0 } });
    const late = await console.post('/api/user/login/2fa', { code: owner.backup[0] });
    expect(late).toMatchObject({ success: false, message: expect.stringContaining('过期') });
  });

  it('S8 slows down guessing, also with the password known', async () => {
    const { name, secret, backup } = await createOwner('guessed');
    const { console } = await firstStep(name);
    const statuses = [];
    for (let tries = 0; tries < 6; tries++)
      statuses.push((await console.post('/api/user/login/2fa', { code: wrongCode(secret) })).status);
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(200));
    const rows = await gateway.app.database.select<{ tries: number }>('SELECT tries FROM sign_in_failures');
    expect(Math.max(...rows.map(({ tries }) => tries))).toBeGreaterThanOrEqual(5);
    await gateway.app.database.sequelize.query(
      `UPDATE sign_in_failures SET wait_until = ${Math.floor(Date.now() / 1000) + 900}`,
    );
    const right = await console.post('/api/user/login/2fa', { code: backup[0] });
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(1);
    await forgive();
    expect((await console.post('/api/user/login/2fa', { code: backup[0] })).success).toBe(true);
  });

  it('F55 takes the codes of an app again once the clock was set back, each once', async () => {
    const { secret } = await createOwner('ahead');
    const { database } = gateway.app;
    // As if the app's code had been used while the clock was an hour ahead.
    await database.twoFactors.update({ last_step: totpStep(Date.now() / 1000) + 120 }, { where: {} });
    const code = codeOf(secret);
    const signIns = [];
    for (let times = 0; times < 2; times++) {
      const { console } = await firstStep('ahead');
      signIns.push((await console.post('/api/user/login/2fa', { code })).success);
    }
    expect(signIns).toEqual([true, false]);
  });

  it('is turned off by its owner with a code, or by a higher role', async () => {
    const { name, console, backup } = await createOwner('leaving');
    expect((await console.post('/api/user/2fa/disable', { code: '000000x' })).success).toBe(false);
    const fresh = await console.data(console.post('/api/user/2fa/backup_codes', { code: backup[0] }));
    expect((await console.post('/api/user/2fa/disable', { code: backup[1] })).success).toBe(false);
    await console.data(console.post('/api/user/2fa/disable', { code: fresh.backup_codes[0] }));
    expect((await firstStep(name)).response.data).toMatchObject({ username: name });

    const locked = await createOwner('lost');
    const root = createConsoleClient(gateway.url);
    await root.signIn('root', password);
    const admin = await createOwner('helper');
    await gateway.app.database.users.update({ role: 10 }, { where: { id: admin.console.userId } });
    expect((await admin.console.delete(`/api/user/${root.userId}/2fa`)).success).toBe(false);
    expect((await locked.console.delete(`/api/user/${locked.console.userId}/2fa`)).success).toBe(false);
    await admin.console.data(admin.console.delete(`/api/user/${locked.console.userId}/2fa`));
    expect((await firstStep('lost')).response.data).toMatchObject({ username: 'lost' });
    await root.data(root.delete(`/api/user/${admin.console.userId}/2fa`));
    const trail = await root.data(root.get('/api/audit/?action=twoFactor.disable'));
    expect(trail.total).toBe(3);
  });

  it('S12 leaves neither the secret nor a code in the database or the audit trail', async () => {
    const { secret, backup } = await createOwner('private');
    const { database } = gateway.app;
    const rows = await Promise.all(
      ['two_factors', 'two_factor_codes', 'audits'].map((table) => database.select(`SELECT * FROM ${table}`)),
    );
    const text = JSON.stringify(rows);
    expect(text).not.toContain(secret.toString('hex'));
    for (const code of backup) expect(text).not.toContain(code.replace('-', ''));
  });
});
