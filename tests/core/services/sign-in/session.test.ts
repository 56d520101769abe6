import bcrypt from 'bcryptjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, role, systemActor } from '../../../../core/schemas/actor.ts';
import { signInSchema } from '../../../../core/schemas/session.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const from = (address = '10.0.0.1') => ({ address, userAgent: 'Mozilla\r\n5.0' });
const password = 'right horse 1';
const day = 24 * 3600;

describe('sign-in input', () => {
  it.each([
    {},
    { username: {}, password: 'a' },
    { username: ['root'], password: 'a' },
    { username: 'root', password: 1 },
  ])('is refused: %j', (input) => expect(signInSchema.safeParse(input).success).toBe(false));
});

describe.each(engines)('session on %s', (engine) => {
  let services: TestServices;
  let alice: Actor;

  beforeAll(async () => {
    services = await createTestServices(engine);
    alice = await services.createUser('alice');
  });
  afterAll(() => services.remove());
  const signIn = (username: string, given = password, address?: string) =>
    services.sessions.signIn({ username, password: given }, from(address));
  const authenticate = (sessionId: string, id: unknown = alice.id) =>
    services.sessions.authenticate(sessionId, id === undefined ? undefined : String(id), '10.0.0.9');

  it('opens with name or e-mail address and password, and stores no secret', async () => {
    await services.database.users.update({ email: 'Alice@example.com' }, { where: { id: alice.id } });
    const { sessionId, user } = await signIn('ALICE ');
    expect(user).toMatchObject({ id: alice.id, username: 'alice', password: '' });
    expect((await signIn('alice@EXAMPLE.com')).user.id).toBe(alice.id);
    expect(await authenticate(sessionId)).toEqual({ ...alice, address: '10.0.0.9' });
    const stored = await services.database.select('SELECT * FROM sessions');
    expect(JSON.stringify(stored)).not.toContain(sessionId);
  });

  it('does not tell whether the name, the password or the account is at fault', async () => {
    const banned = await services.createUser('banned');
    await services.users.manage(systemActor, { id: banned.id, action: 'disable' });
    for (const [name, given] of [
      ['alice', 'wrong horse 1'],
      ['nobody', password],
      ['banned', password],
      ["' OR 1=1--", 'x'],
    ]) {
      await expect(signIn(name ?? '', given)).rejects.toMatchObject({ code: 'session.wrongCredentials' });
    }
    const failed = await services.database.audits.findAll({ where: { action: 'session.signInFailed' }, raw: true });
    expect(failed.map(({ actor_name }) => actor_name)).toEqual(['alice', '', 'banned', '']);
  });

  it('looks at addresses first for a name with an @, in every width of its letters', async () => {
    const owner = await services.createUser('mailowner');
    const other = await services.createUser('imported');
    await services.database.users.update({ email: 'v@x.co' }, { where: { id: owner.id } });
    // As a name from an installation that was taken over, or from before such names were refused.
    await services.database.users.update({ username: 'v＠x.co', username_key: 'v@x.co' }, { where: { id: other.id } });
    await services.users.setPassword(systemActor, other.id, 'another horse 2');
    for (const spelling of ['v@x.co', 'v＠x.co', 'Ｖ@ｘ.co']) {
      expect((await signIn(spelling, password, '10.1.0.1')).user.id).toBe(owner.id);
    }
    expect((await signIn('v@x.co', 'another horse 2', '10.1.0.2')).user.id).toBe(other.id);
    await expect(signIn('v@x.co', 'neither horse 3', '10.1.0.3')).rejects.toMatchObject({
      code: 'session.wrongCredentials',
    });
  });

  it('lets each of several accounts on one mailbox in by the address as its owner wrote it', async () => {
    const ids: number[] = [];
    for (const [name, email] of [
      ['shared1', 'team@bücher.example'],
      ['shared2', 'Team@xn--bcher-kva.example'],
    ] as const) {
      const { id } = await services.createUser(name);
      await services.database.users.update({ email }, { where: { id } });
      ids.push(id);
    }
    expect((await signIn('team@bücher.example', password, '10.1.0.4')).user.id).toBe(ids[0]);
    expect((await signIn('TEAM@xn--bcher-kva.example', password, '10.1.0.4')).user.id).toBe(ids[1]);
    await expect(signIn('ｔeam@bücher.example', password, '10.1.0.4')).rejects.toThrow();
    expect((await signIn('shared2', password, '10.1.0.4')).user.id).toBe(ids[1]);
  });

  it('spends the same work on unknown names', async () => {
    const work = async (name: string) => {
      const before = process.cpuUsage();
      for (let times = 0; times < 3; times += 1) await signIn(name, 'wrong horse 9', '10.7.7.7').catch(() => undefined);
      return process.cpuUsage(before).user;
    };
    await work('warm-up');
    expect(await work('unknown')).toBeGreaterThan((await work('alice')) / 4);
  });

  it('is no good with any user header but the own id as it is written', async () => {
    const { sessionId } = await signIn('alice');
    for (const header of [undefined, '', '1e0', '01', '-1', '1,2', ' 1', '999', `0${alice.id}`, `${alice.id}.0`]) {
      const attempt = services.sessions.authenticate(sessionId, header, '');
      await expect(attempt).rejects.toMatchObject({ code: 'session.userMismatch' });
    }
  });

  it.each(['', 'x', 'a'.repeat(43), 'a'.repeat(8192)])('is not made up: %j', async (sessionId) => {
    await expect(authenticate(sessionId)).rejects.toMatchObject({ code: 'session.missing' });
  });

  it('ends with sign-out, and with every session at once', async () => {
    const [one, two] = [await signIn('alice'), await signIn('alice')];
    await services.sessions.signOut(one.sessionId);
    await expect(authenticate(one.sessionId)).rejects.toMatchObject({ code: 'session.missing' });
    const listed = await services.sessions.list(alice, two.sessionId);
    expect(listed.filter(({ current }) => current)).toHaveLength(1);
    expect(listed[0]?.user_agent).toBe('Mozilla  5.0');
    expect(await services.sessions.revokeAll(alice)).toBe(listed.length);
    await expect(authenticate(two.sessionId)).rejects.toMatchObject({ code: 'session.missing' });
  });

  it('knows the role of this moment, and ends with ban, demotion, new password and deletion', async () => {
    const dora = await services.createUser('dora');
    const open = async (given = password) => (await signIn('dora', given)).sessionId;
    const who = (sessionId: string) => authenticate(sessionId, dora.id);
    let session = await open();
    await services.users.manage(systemActor, { id: dora.id, action: 'promote' });
    expect((await who(session)).role).toBe(role.admin);
    await services.users.manage(systemActor, { id: dora.id, action: 'demote' });
    await expect(who(session)).rejects.toMatchObject({ status: 401 });
    session = await open();
    await services.users.setPassword(systemActor, dora.id, 'other horse 2');
    await expect(who(session)).rejects.toMatchObject({ status: 401 });
    session = await open('other horse 2');
    await services.users.manage(systemActor, { id: dora.id, action: 'disable' });
    await expect(who(session)).rejects.toMatchObject({ status: 401 });
    await services.users.manage(systemActor, { id: dora.id, action: 'enable' });
    session = await open('other horse 2');
    await services.users.manage(systemActor, { id: dora.id, action: 'delete' });
    await expect(who(session)).rejects.toMatchObject({ status: 401 });
  });

  it('opened at the very moment its user lost all sessions is no good', async () => {
    const { sessionId } = await signIn('alice');
    await services.database.users.increment({ session_version: 1 }, { where: { id: alice.id } });
    await expect(authenticate(sessionId)).rejects.toMatchObject({ code: 'session.missing' });
  });

  it('ends after 7 days unused and after 30 days in any case', async () => {
    const idle = (await signIn('alice')).sessionId;
    const used = (await signIn('alice')).sessionId;
    for (let passed = 0; passed < 30; passed += 6) {
      await authenticate(used);
      services.advance(6 * day);
    }
    await expect(authenticate(idle)).rejects.toMatchObject({ code: 'session.missing' });
    services.advance(1);
    await expect(authenticate(used)).rejects.toMatchObject({ code: 'session.missing' });
    await services.sessions.removeExpired();
    expect(await services.database.sessions.count()).toBe(0);
  });

  it('takes an imported password once and keeps a stronger hash of it', async () => {
    const imported = await services.createUser('imported');
    await services.database.users.update({ password: await bcrypt.hash('123456', 4) }, { where: { id: imported.id } });
    await signIn('imported', '123456');
    const row = await services.database.users.findByPk(imported.id, { raw: true });
    expect(row?.password).toMatch(/^\$scrypt\$/);
    await signIn('imported', '123456');
  });

  it('slows down guessing per account and address only', async () => {
    const wrong = (address: string) => signIn('alice', 'wrong horse 1', address);
    const guessFrom = async (addressOf: (tries: number) => string) => {
      for (let tries = 0; tries < 10; tries++) {
        await expect(wrong(addressOf(tries))).rejects.toMatchObject({ code: 'session.wrongCredentials' });
        // So that the last of them, and no other, leaves a wait that a slow machine cannot sit out.
        if (tries < 9) services.advance(30);
      }
    };
    await guessFrom(() => '192.0.2.1');
    await expect(signIn('alice', password, '192.0.2.1')).rejects.toMatchObject({ status: 429 });
    expect((await signIn('alice', password, '192.0.2.2')).user.id).toBe(alice.id);
    services.advance(33);
    await signIn('alice', password, '192.0.2.1');
    await expect(wrong('192.0.2.1')).rejects.toMatchObject({ code: 'session.wrongCredentials' });
    await guessFrom((tries) => `2001:db8:1:2::${tries}`);
    await expect(wrong('2001:db8:1:2:ffff::1')).rejects.toMatchObject({ code: 'session.tooManyTries' });
    await expect(wrong('2001:db8:1:3::1')).rejects.toMatchObject({ code: 'session.wrongCredentials' });
  });

  it('S8 asks for more than a password after 100 wrong ones in a row, the same for unknown names', async () => {
    const guessed = await services.createUser('guessed');
    const { sessionId } = await signIn('guessed', password, '203.0.113.1');
    const guess = async (account: string) => {
      for (let tries = 0; tries < 100; tries++)
        await services.throttle.begin({ account, address: `198.51.100.${tries}`, version: 0 });
    };
    await guess(`#${guessed.id}`);
    await guess('nobody at all');
    for (const [name, given] of [
      ['guessed', password],
      ['guessed', 'wrong horse 1'],
      ['nobody at all', password],
    ]) {
      await expect(signIn(name ?? '', given, '203.0.113.99')).rejects.toMatchObject({ code: 'session.locked' });
    }
    expect((await authenticate(sessionId, guessed.id)).name).toBe('guessed');
    const proven = { ...from('203.0.113.98'), proveHuman: async () => true };
    await expect(services.sessions.signIn({ username: 'guessed', password: 'no' }, proven)).rejects.toMatchObject({
      code: 'session.wrongCredentials',
    });
    expect((await signIn('guessed', password, '203.0.113.1')).user.id).toBe(guessed.id);
  });

  it('S8 opens again for all by a human check, by a new password, and after a day', async () => {
    const victim = await services.createUser('victim');
    const lock = async () => {
      const row = await services.database.users.findByPk(victim.id, { raw: true });
      const version = row?.session_version ?? 0;
      for (let tries = 0; tries < 100; tries++)
        await services.throttle.begin({ account: `#${victim.id}`, address: `198.51.100.${tries}`, version });
      await expect(signIn('victim', password, '203.0.113.50')).rejects.toMatchObject({ code: 'session.locked' });
    };
    await lock();
    const proven = { ...from('203.0.113.51'), proveHuman: async () => true };
    expect((await services.sessions.signIn({ username: 'victim', password }, proven)).user.id).toBe(victim.id);
    await services.database.select('DELETE FROM sign_in_places RETURNING user_id');
    expect((await signIn('victim', password, '203.0.113.52')).user.id).toBe(victim.id);
    await services.database.select('DELETE FROM sign_in_places RETURNING user_id');
    await lock();
    await services.users.setPassword(systemActor, victim.id, 'right horse 7');
    expect((await signIn('victim', 'right horse 7', '203.0.113.53')).user.id).toBe(victim.id);
    await services.users.setPassword(systemActor, victim.id, password);
    await services.database.select('DELETE FROM sign_in_places RETURNING user_id');
    await lock();
    services.advance(day + 1);
    expect((await signIn('victim', password, '203.0.113.54')).user.id).toBe(victim.id);
  });

  it('S8 stays open to a browser its owner signed in with before, wherever that is, and counts it apart from strangers', async () => {
    const owner = await services.createUser('owner');
    const other = await services.createUser('other');
    const enter = (name: string, given: string, address: string, device?: string) =>
      services.sessions.signIn({ username: name, password: given }, { ...from(address), device });
    const { device } = await enter('owner', password, '203.0.113.60');
    await services.database.select('DELETE FROM sign_in_places RETURNING user_id');
    for (const { id } of [owner, other]) {
      for (let tries = 0; tries < 100; tries++)
        await services.throttle.begin({ account: `#${id}`, address: `198.51.100.${tries}`, version: 0 });
    }
    await expect(enter('owner', password, '203.0.113.61')).rejects.toMatchObject({ code: 'session.locked' });
    await expect(enter('owner', password, '203.0.113.61', device.replace(/.{8}$/, 'AAAAAAAA'))).rejects.toMatchObject({
      status: 403,
    });
    // Known for its owner only, and no way past a wrong password.
    await expect(enter('other', password, '203.0.113.61', device)).rejects.toMatchObject({ code: 'session.locked' });
    // Counted by the browser, from wherever it guesses.
    const codes = new Set<string>();
    for (let tries = 0; tries < 12; tries++) {
      const guess = enter('owner', 'wrong horse 1', `203.0.113.${100 + tries}`, device);
      codes.add(
        await guess.then(
          () => 'in',
          (error: { code: string }) => error.code,
        ),
      );
    }
    expect([...codes]).toEqual(['session.wrongCredentials', 'session.tooManyTries']);
    services.advance(1000);
    // A stranger at the same address does not make it wait.
    for (let tries = 0; tries < 6; tries++)
      await services.throttle.begin({ account: `#${owner.id}`, address: '203.0.113.63', version: 0 }).catch(() => {});
    const again = await enter('owner', password, '203.0.113.63', device);
    expect(again.user.id).toBe(owner.id);
    await services.users.setPassword(systemActor, owner.id, 'right horse 9');
    const row = await services.database.users.findByPk(owner.id, { raw: true });
    for (let tries = 0; tries < 100; tries++)
      await services.throttle.begin({
        account: `#${owner.id}`,
        address: `198.51.100.${tries}`,
        version: row?.session_version ?? 0,
      });
    await services.database.select('DELETE FROM sign_in_places RETURNING user_id');
    await expect(enter('owner', 'right horse 9', '203.0.113.64', again.device)).rejects.toMatchObject({
      code: 'session.locked',
    });
  });

  it('remembers the newest 20 places of an account', async () => {
    const traveler = await services.createUser('traveler');
    const row = await services.database.users.findByPk(traveler.id, { raw: true, rejectOnEmpty: true });
    for (let place = 1; place <= 25; place++) {
      await services.sessions.open(row, from(`192.0.2.${place}`));
      services.advance(1);
    }
    const kept = await services.database.select<{ network: string }>(
      'SELECT network FROM sign_in_places WHERE user_id = :id ORDER BY seen_at',
      { id: traveler.id },
    );
    expect(kept).toHaveLength(20);
    expect(kept[0]?.network).toBe('192.0.2.6');
  });

  it('gives way to a system access token, with the same user header', async () => {
    const token = await services.self.createAccessToken(alice, { password });
    expect(await services.sessions.authenticateToken(token, String(alice.id), '')).toMatchObject({ id: alice.id });
    const other = services.sessions.authenticateToken(token, '999', '');
    await expect(other).rejects.toMatchObject({ code: 'session.userMismatch' });
    await services.self.createAccessToken(alice, { password });
    const former = services.sessions.authenticateToken(token, String(alice.id), '');
    await expect(former).rejects.toMatchObject({ code: 'session.missing' });
    await expect(services.sessions.authenticateToken('', '1', '')).rejects.toMatchObject({ code: 'session.missing' });
  });

  it('A-101 is not opened by password while the option is off', async () => {
    await services.options.set(systemActor, 'PasswordLoginEnabled', 'false');
    await expect(signIn('alice')).rejects.toMatchObject({ code: 'session.passwordLoginOff' });
    await services.options.reset(systemActor, 'PasswordLoginEnabled');
  });
});
