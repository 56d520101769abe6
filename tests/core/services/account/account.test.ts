import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guestActor, systemActor } from '../../../../core/schemas/actor.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

describe.each(engines)('account on %s', (engine) => {
  let services: TestServices;

  beforeAll(async () => {
    services = await createTestServices(engine);
    const { options } = services;
    await options.setMany(systemActor, [
      { key: 'QuotaForNewUser', value: '5000' },
      { key: 'QuotaForInvitee', value: '300' },
      { key: 'QuotaForInviter', value: '70' },
    ]);
  });
  afterAll(() => services.remove());

  const open = (username: string, inviterCode?: string) =>
    services.accounts.open(guestActor, { username, display_name: '', inviterCode: inviterCode ?? '' });
  const userOf = (id: number) => services.users.get(systemActor, id);
  const notesOf = (id: number) =>
    services.database.logs.findAll({ where: { user_id: id }, order: [['id', 'ASC']], raw: true });

  async function highestId(): Promise<number> {
    const [row] = await services.database.select<{ id: number }>('SELECT max(id) AS id FROM users');
    return row?.id ?? 0;
  }

  async function expectRightBooks(): Promise<void> {
    expect(await services.ledger.verify()).toMatchObject({ ok: true, differences: [] });
  }

  it('A-080 starts with the gift of a new user, a code of its own and a log row', async () => {
    const { id } = await open('newbie');
    expect(await userOf(id)).toMatchObject({ quota: 5000, display_name: 'newbie', inviter_id: 0, email: '', role: 1 });
    expect((await userOf(id)).aff_code).toMatch(/^[0-9A-Za-z]{4,}$/);
    expect(await notesOf(id)).toMatchObject([{ type: 4, quota: 5000, username: 'newbie' }]);
    await expectRightBooks();
  });

  it('has a name that cannot be mistaken for one that is given at the same moment', async () => {
    const names = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? 'scope' : '\u0455\u0441\u043e\u0440\u0435'));
    const opened = await Promise.allSettled(names.map((name) => open(name)));
    const refusals = opened.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(refusals).toHaveLength(names.length - 1);
    expect(new Set(refusals)).toEqual(new Set(['object.nameTaken', 'account.lookAlike']));
  });

  it('has a name that cannot be mistaken for another one', async () => {
    await open('coco');
    // Cyrillic letters throughout.
    await expect(open('\u0441\u043e\u0441\u043e')).rejects.toMatchObject({ code: 'account.lookAlike' });
    const other = await open('\u0440\u043e\u0441\u0430');
    expect((await userOf(other.id)).username).toBe('\u0440\u043e\u0441\u0430');
    const renaming = services.users.update(systemActor, { id: other.id, username: '\u0441\u043e\u0441\u043e' });
    await expect(renaming).rejects.toMatchObject({ code: 'account.lookAlike' });
    const made = await services.accounts.open(guestActor, {
      username: '\u0441\u043e\u0441\u043e',
      namePrefix: 'github',
      display_name: '',
      inviterCode: '',
    });
    expect((await userOf(made.id)).username).toMatch(/^github_\d+$/);
  });

  it('has a name that cannot be mistaken for an existing one in other letters', async () => {
    // Cyrillic letters throughout.
    const first = await open('\u0430\u0441\u0435');
    await expect(open('ace')).rejects.toMatchObject({ code: 'account.lookAlike' });
    await expect(open('ACE')).rejects.toMatchObject({ code: 'account.lookAlike' });
    const other = await open('ice');
    const renaming = services.users.update(systemActor, { id: other.id, username: 'Ace' });
    await expect(renaming).rejects.toMatchObject({ code: 'account.lookAlike' });
    await services.users.update(systemActor, { id: first.id, username: 'Ace' });
    expect((await userOf(first.id)).username).toBe('Ace');
    await expect(open('ace')).rejects.toMatchObject({ code: 'object.nameTaken' });
  });

  it('A-082 A-083 opened by invitation has a gift more, and its inviter pending earnings', async () => {
    const inviter = await open('inviter');
    const invited = await open('invited', inviter.aff_code ?? '');
    expect(await userOf(invited.id)).toMatchObject({ quota: 5300, inviter_id: inviter.id });
    expect((await notesOf(invited.id)).map(({ quota }) => quota)).toEqual([5000, 300]);
    const earned = { quota: 5000, aff_count: 1, aff_quota: 70, aff_history_quota: 70 };
    expect(await userOf(inviter.id)).toMatchObject(earned);
    expect((await notesOf(inviter.id)).map(({ quota }) => quota)).toEqual([5000, 70]);
    await expectRightBooks();
  });

  it('counts those who were invited also while there is nothing to earn', async () => {
    const inviter = await open('patron');
    await services.options.set(systemActor, 'QuotaForInviter', '0');
    await open('client', inviter.aff_code ?? '');
    await services.options.set(systemActor, 'QuotaForInviter', '70');
    expect(await userOf(inviter.id)).toMatchObject({ aff_count: 1, aff_quota: 0 });
  });

  it.each(['', 'none', "' OR 1=1--", 'x'.repeat(10_240)])(
    'B24 opens without reward for an unknown code: %.20s',
    async (code) => {
      const name = `lone${code.length}`;
      expect(await userOf((await open(name, code)).id)).toMatchObject({ quota: 5000, inviter_id: 0 });
    },
  );

  it('B83 rewards no inviter that is deleted or banned', async () => {
    for (const action of ['delete', 'disable'] as const) {
      const inviter = await open(`gone-${action}`);
      await services.users.manage(systemActor, { id: inviter.id, action });
      const invited = await open(`by-${action}`, inviter.aff_code ?? '');
      expect(await userOf(invited.id)).toMatchObject({ quota: 5000, inviter_id: 0 });
      const row = await services.database.users.findByPk(inviter.id, { raw: true });
      expect(row).toMatchObject({ aff_count: 0, aff_quota: 0 });
    }
  });

  it('M9 is opened as a whole or not at all', async () => {
    const inviter = await open('witness');
    const users = await services.database.users.count();
    const logs = await services.database.logs.count();
    const attempt = services.accounts.open(guestActor, {
      username: 'halfway',
      display_name: '',
      inviterCode: inviter.aff_code ?? '',
      alongside: () => Promise.reject(new Error('the process ended here')),
    });
    await expect(attempt).rejects.toThrow('ended here');
    expect(await services.database.users.count()).toBe(users);
    expect(await services.database.logs.count()).toBe(logs);
    expect(await userOf(inviter.id)).toMatchObject({ aff_count: 0, aff_quota: 0 });
    await expectRightBooks();
  });

  it('made by an outside sign-in is called after it, whatever names are taken', async () => {
    const outside = (github_id: string) =>
      services.accounts.open(guestActor, {
        namePrefix: 'github',
        display_name: 'A name of\u202e more than twenty characters',
        outside: { github_id },
      });
    const before = await highestId();
    const first = await outside('octo');
    expect(first).toMatchObject({ username: `github_${before + 1}`, github_id: 'octo', password: '' });
    expect(first.display_name).toBe('A name of more than');
    const highest = await highestId();
    await open(`github_${highest + 2}`);
    const names = (await Promise.all(['a', 'b', 'c'].map(outside))).map(({ username }) => username);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^github_\d+$/);
  });

  it('keeps the name it asks for when that is free, and has a made one otherwise', async () => {
    const named = () =>
      services.accounts.open(guestActor, { username: 'Preferred', namePrefix: 'oidc', display_name: 'P' });
    expect((await named()).username).toBe('Preferred');
    expect((await named()).username).toMatch(/^oidc_\d+$/);
    await expect(open('PREFERRED')).rejects.toMatchObject({ code: 'object.nameTaken' });
  });

  it('has an e-mail address of its own, also when two ask for it at once', async () => {
    const ask = (username: string, email: string) =>
      services.accounts.open(guestActor, { username, display_name: '', email });
    const outcomes = await Promise.allSettled(['mail1', 'mail2', 'mail3'].map((name) => ask(name, 'Same@example.com')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(ask('mail4', 'same@EXAMPLE.com')).rejects.toMatchObject({ code: 'email.taken' });
    const opening = { namePrefix: 'oidc', display_name: '', email: 'same@example.com', outside: { oidc_id: 'sub' } };
    expect((await services.accounts.open(guestActor, opening)).email).toBe('');
    const [owner] = await services.database.users.findAll({ where: { email: 'Same@example.com' }, raw: true });
    const gone = { id: owner?.id ?? 0, name: '', role: 1, address: '' };
    await services.self.remove(gone);
    await expect(ask('mail5', 'same@example.com')).rejects.toMatchObject({ code: 'email.taken' });
    await services.users.erase(systemActor, gone.id);
    expect((await ask('mail6', 'same@example.com')).email).toBe('same@example.com');
  });

  it('is opened by admins only while registration is off', async () => {
    await services.options.set(systemActor, 'RegisterEnabled', 'false');
    await expect(open('late')).rejects.toMatchObject({ code: 'account.registerOff' });
    await services.createUser('appointed');
    await services.options.reset(systemActor, 'RegisterEnabled');
  });
});
