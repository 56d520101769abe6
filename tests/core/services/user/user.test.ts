import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, role, systemActor } from '../../../../core/schemas/actor.ts';
import {
  passwordSchema,
  userCreateSchema,
  userListSchema,
  userManageSchema,
  usernameSchema,
  userUpdateSchema,
} from '../../../../core/schemas/user.ts';
import { createTestServices, type TestServices } from '../../../support/services.ts';
import { engines } from '../../../support/temporary-database.ts';

const listOf = (input: Record<string, unknown>) => userListSchema.parse(input);

describe('username', () => {
  it.each(['', '   ', 'thirteen_long', 'zero\u200bwidth', 'right\u202eleft', 'a\nb', 'a\0b', 'a@b.co'])(
    'refuses %j',
    (name) => expect(usernameSchema.safeParse(name).success).toBe(false),
  );
  it.each(['root', '用户名一二三四五六七八九', '😀😀😀😀😀😀😀😀😀😀😀😀', ' trimmed '])('takes %j', (name) =>
    expect(usernameSchema.safeParse(name).success).toBe(true),
  );
});

describe('password', () => {
  it('has 8 to 128 characters and no NUL', () => {
    expect(passwordSchema.safeParse('1234567').success).toBe(false);
    expect(passwordSchema.safeParse('a'.repeat(129)).success).toBe(false);
    expect(passwordSchema.safeParse('longenough\0').success).toBe(false);
    expect(passwordSchema.safeParse('用户密码一二三四').success).toBe(true);
  });
});

describe.each(engines)('user on %s', (engine) => {
  let services: TestServices;
  let root: Actor;
  let admin: Actor;
  let otherAdmin: Actor;
  let alice: Actor;

  beforeAll(async () => {
    services = await createTestServices(engine);
    await services.root.ensure({
      rootPassword: undefined,
      initialRootToken: undefined,
      initialRootAccessToken: undefined,
    });
    root = { id: 1, name: 'root', role: role.root, address: '' };
    admin = await services.createUser('admin1', { role: role.admin });
    otherAdmin = await services.createUser('admin2', { role: role.admin });
    alice = await services.createUser('alice');
  });
  afterAll(() => services.remove());
  const quotaOf = async (id: number) => (await services.users.get(systemActor, id)).quota;
  const rowOf = async (id: number) => services.database.users.findByPk(id, { raw: true });

  it('lists are narrowed by role and status and come in the order asked for', async () => {
    const names = async (input: Record<string, unknown>) =>
      (await services.users.list(systemActor, listOf(input))).items.map(({ username }) => username);
    expect(await names({ role: role.admin, sort: 'username' })).toEqual(['admin1', 'admin2']);
    expect(await names({ role: '100' })).toEqual(['root']);
    expect(await names({ role: '', sort: '-username' })).toEqual(['root', 'alice', 'admin2', 'admin1']);
    await services.users.create(systemActor, userCreateSchema.parse({ username: 'gone', password: 'right horse 1' }));
    const gone = await services.users.find(systemActor, 'gone');
    await services.users.manage(systemActor, { id: gone.id, action: 'disable' });
    expect(await names({ status: 2 })).toEqual(['gone']);
    await services.users.manage(systemActor, { id: gone.id, action: 'delete' });
    expect(await names({ status: 2 })).toEqual([]);
    expect(await names({ status: 3 })).toEqual(['gone']);
    expect(await names({ status: 1 })).not.toContain('gone');
    await services.users.erase(systemActor, gone.id);
    expect(userListSchema.safeParse({ sort: 'password' }).success).toBe(false);
    expect(userListSchema.safeParse({ status: 4 }).success).toBe(false);
  });

  it('named root is there after the first start, with quota and the known password', async () => {
    expect(await services.users.get(systemActor, 1)).toMatchObject({ username: 'root', role: 100, quota: 100_000_000 });
    expect(await services.root.hasDefaultPassword()).toBe(true);
    expect(await services.root.ensure({} as never)).toEqual({ created: false });
    expect(await quotaOf(1)).toBe(100_000_000);
  });

  it('is one name however it is written', async () => {
    for (const username of ['root ', 'Root', 'ｒｏｏｔ', 'ALICE']) {
      const input = userCreateSchema.parse({ username, password: 'right horse 1' });
      await expect(services.users.create(admin, input)).rejects.toMatchObject({ code: 'object.nameTaken' });
    }
  });

  it.each(['password1', 'P@ssw0rd2024', '12345678', 'qwertyuiop', 'aaaaaaaa', 'abcabcabc', 'weakuser1'])(
    'may not have the password %s',
    async (password) => {
      const input = userCreateSchema.parse({ username: 'weakuser', password });
      await expect(services.users.create(admin, input)).rejects.toMatchObject({ code: 'password.weak' });
    },
  );

  it('starts as a normal user with the gift of the option, whatever role was sent', async () => {
    await services.options.set(systemActor, 'QuotaForNewUser', '5000');
    const input = userCreateSchema.parse({ username: 'gifted', password: 'right horse 1', role: 1 });
    const created = await services.users.create(admin, input);
    await services.options.reset(systemActor, 'QuotaForNewUser');
    expect(created).toMatchObject({ role: 1, quota: 5000, password: '', access_token: null, DeletedAt: null });
    expect(created.aff_code).toMatch(/^[0-9A-Za-z]{4,}$/);
    const [note] = await services.database.logs.findAll({ where: { user_id: created.id }, raw: true });
    expect(note).toMatchObject({ type: 4, quota: 5000 });
    const tooHigh = userCreateSchema.parse({ username: 'high', password: 'right horse 1', role: 10 });
    await expect(services.users.create(admin, tooHigh)).rejects.toMatchObject({ code: 'user.wrongRank' });
  });

  it('is out of reach for users of the same or a lower role', async () => {
    const { users } = services;
    for (const target of [otherAdmin.id, root.id]) {
      await expect(users.get(admin, target)).rejects.toMatchObject({ code: 'user.wrongRank' });
      await expect(users.update(admin, { id: target, quota: 1 })).rejects.toMatchObject({ code: 'user.wrongRank' });
      await expect(users.manage(admin, { id: target, action: 'disable' })).rejects.toMatchObject({
        code: 'user.wrongRank',
      });
      await expect(users.setPassword(admin, target, 'right horse 2')).rejects.toMatchObject({ code: 'user.wrongRank' });
    }
    await expect(users.get(alice, admin.id)).rejects.toMatchObject({ code: 'permission.denied' });
    await expect(users.list(alice, listOf({}))).rejects.toMatchObject({ code: 'permission.denied' });
    await expect(users.update(admin, { id: alice.id, role: 10 })).rejects.toMatchObject({ code: 'user.wrongRank' });
    expect((await users.get(alice, alice.id)).username).toBe('alice');
  });

  it('with the role root is never disabled, deleted or demoted', async () => {
    for (const action of ['disable', 'delete', 'demote'] as const) {
      await expect(services.users.manage(systemActor, { id: 1, action })).rejects.toMatchObject({
        code: 'user.rootProtected',
      });
    }
  });

  it('is promoted by root only, and neither promoted nor demoted twice', async () => {
    const { users } = services;
    const bob = await services.createUser('bob');
    await expect(users.manage(admin, { id: bob.id, action: 'promote' })).rejects.toMatchObject({
      code: 'user.promoteDenied',
    });
    await expect(users.manage(root, { id: bob.id, action: 'demote' })).rejects.toMatchObject({ code: 'user.notAdmin' });
    expect(await users.manage(root, { id: bob.id, action: 'promote' })).toMatchObject({
      id: bob.id,
      role: 10,
      status: 1,
    });
    await expect(users.manage(root, { id: bob.id, action: 'promote' })).rejects.toMatchObject({
      code: 'user.alreadyAdmin',
    });
    expect(await users.manage(root, { id: bob.id, action: 'demote' })).toMatchObject({
      id: bob.id,
      role: 1,
      status: 1,
    });
    expect(userManageSchema.safeParse({ id: bob.id, action: 'explode' }).success).toBe(false);
  });

  it('is not changed by a user who has lost the right by the time of the write', async () => {
    const riser = await services.createUser('riser');
    const read = await services.database.users.findByPk(riser.id, { raw: true, rejectOnEmpty: true });
    await services.users.manage(root, { id: riser.id, action: 'promote' });
    const late = services.store.save({ actor: admin, row: read, fields: { status: 2 }, action: 'user.disable' });
    await expect(late).rejects.toMatchObject({ code: 'user.changed' });
    expect((await rowOf(riser.id))?.status).toBe(1);
  });

  it('loses every session when banned, demoted or given another password', async () => {
    const carol = await services.createUser('carol');
    const version = async () => (await rowOf(carol.id))?.session_version;
    await services.users.manage(admin, { id: carol.id, action: 'disable' });
    await services.users.setPassword(admin, carol.id, 'right horse 3');
    expect(await version()).toBe(2);
    await services.users.manage(admin, { id: carol.id, action: 'enable' });
    expect(await version()).toBe(2);
  });

  it('gets the difference of an edited quota, not the figure, when calls were booked meanwhile', async () => {
    const dave = await services.createUser('dave');
    await services.users.update(admin, { id: dave.id, quota: 1000 });
    await services.database.users.update({ quota: 900, used_quota: 100 }, { where: { id: dave.id } });
    await services.users.update(admin, { id: dave.id, quota: 1500, quota_loaded: 1000 });
    expect(await quotaOf(dave.id)).toBe(1400);
    await services.users.adjustQuota(admin, { id: dave.id, amount: -400, note: 'refund' });
    expect(await quotaOf(dave.id)).toBe(1000);
    const [sum] = await services.database.select<{ sum: number }>(
      'SELECT CAST(sum(amount) AS BIGINT) AS sum FROM quota_entries WHERE user_id = :id',
      { id: dave.id },
    );
    expect(sum?.sum).toBe(1100);
    expect(await services.database.logs.count({ where: { user_id: dave.id, type: 3 } })).toBe(3);
  });

  it('keeps what an edit leaves out or sends blank, and refuses groups that do not exist', async () => {
    const erin = await services.createUser('erin', { display_name: 'Erin' });
    await services.users.update(admin, { id: erin.id, group: 'vip' });
    const kept = await services.users.update(admin, { id: erin.id, display_name: 'E' });
    expect(kept).toMatchObject({ username: 'erin', display_name: 'E', group: 'vip' });
    await expect(services.users.update(admin, { id: erin.id, group: 'none' })).rejects.toMatchObject({
      code: 'group.unknown',
    });
    await expect(services.users.update(admin, { id: erin.id, username: 'ROOT' })).rejects.toMatchObject({
      code: 'object.nameTaken',
    });
    await expect(services.users.update(admin, { id: erin.id, username: 'much too long name' })).rejects.toMatchObject({
      code: 'input.invalid',
    });
  });

  it('has an e-mail address set by an admin, in its one form, unless another account has it', async () => {
    const [gail, hans] = [await services.createUser('gail'), await services.createUser('hans')];
    const set = (id: number, email: string | null) =>
      services.users.update(admin, userUpdateSchema.parse({ id, email })).then(
        (user) => user.email,
        ({ code }: { code: string }) => code,
      );
    expect(await set(gail.id, ' Gail@Bücher.example ')).toBe('Gail@xn--bcher-kva.example');
    expect(await set(hans.id, 'gail@bücher.example')).toBe('email.taken');
    expect(await set(hans.id, 'no address')).toBe('input.invalid');
    expect(await set(gail.id, '')).toBe('Gail@xn--bcher-kva.example');
    expect(await set(otherAdmin.id, 'other@example.com')).toBe('user.wrongRank');
    const taken = await Promise.all([set(gail.id, 'one@example.com'), set(hans.id, 'One@example.com')]);
    expect(taken.filter((outcome) => outcome === 'email.taken')).toHaveLength(1);
    expect(await set(gail.id, null)).toBe('');
    const where = { action: 'user.update', object_id: String(gail.id) };
    const traces = await services.database.audits.findAll({ where, order: [['id', 'ASC']], raw: true });
    expect(JSON.parse(traces[0]?.before ?? '')).toEqual({ email: '' });
    expect(JSON.parse(traces[0]?.after ?? '')).toEqual({ email: 'Gail@xn--bcher-kva.example' });
    expect(JSON.parse(traces.at(-1)?.after ?? '')).toEqual({ email: '' });
  });

  it('is found by any part of name, address or display name, taken literally, and by id', async () => {
    const names = async (keyword: string) =>
      (await services.users.list(admin, listOf({ keyword, page_size: 100 }))).items.map(({ username }) => username);
    expect(await names('ADMIN')).toEqual(['admin1']);
    expect(await names('%')).toEqual([]);
    expect(await names('_')).toEqual([]);
    expect(await names(String(alice.id))).toContain('alice');
    expect((await services.users.list(admin, listOf({ group: 'vip' }))).items.map(({ username }) => username)).toEqual([
      'erin',
    ]);
    expect(await services.users.find(systemActor, 'ALICE')).toMatchObject({ id: alice.id });
    expect(await services.users.find(systemActor, String(alice.id))).toMatchObject({ id: alice.id });
  });

  it('is listed in pages of at most 100, also when asked for nonsense', async () => {
    const { total } = await services.users.list(admin, listOf({}));
    expect(await services.users.list(admin, listOf({ page: 2, page_size: 3 }))).toMatchObject({
      page: 2,
      page_size: 3,
      total,
    });
    for (const [page, page_size] of [
      [-1, -1],
      [0, 0],
      ['a', 'b'],
      [1, null],
    ]) {
      const response = await services.users.list(admin, listOf({ page, page_size }));
      expect(response).toMatchObject({ page: 1, page_size: 10, total });
    }
    expect(await services.users.list(admin, listOf({ page: 1e9, page_size: 1e9 }))).toMatchObject({
      items: [],
      page_size: 100,
    });
  });

  it('stays in the list after deletion, marked, but can do nothing and cannot be changed', async () => {
    const frank = await services.createUser('frank');
    await services.users.manage(admin, { id: frank.id, action: 'delete' });
    const [listed] = (await services.users.list(admin, listOf({ keyword: 'frank' }))).items;
    expect(listed?.DeletedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
    await expect(services.users.get(admin, frank.id)).rejects.toMatchObject({ code: 'object.notFound' });
    const again = userCreateSchema.parse({ username: 'frank', password: 'right horse 1' });
    await expect(services.users.create(admin, again)).rejects.toMatchObject({ code: 'object.nameTaken' });
  });

  it('gets a new access token once in clear and stored as a hash only', async () => {
    const token = await services.self.createAccessToken(alice, { password: 'right horse 1' });
    expect(token).toMatch(/^[A-Za-z0-9+/=]{28,32}$/);
    expect(JSON.stringify(await rowOf(alice.id))).not.toContain(token);
  });
});

describe.each(engines)('first start on %s', (engine) => {
  let services: TestServices;
  beforeAll(async () => {
    services = await createTestServices(engine);
  });
  afterAll(() => services.remove());

  it.each([
    ['Zx4-q', 'at least 8 characters'],
    ['Zx4-qZ9'.repeat(20), 'at most 128 characters'],
  ])('takes no password that breaks the rule for passwords: %s', async (rootPassword, rule) => {
    const settings = { rootPassword, initialRootToken: undefined, initialRootAccessToken: undefined };
    await expect(services.root.ensure(settings)).rejects.toMatchObject({
      code: 'config.invalid',
      message: `TOLLGATE_ROOT_PASSWORD is "********"; it must be ${rule}`,
    });
    expect(await services.database.users.count()).toBe(0);
  });

  it('takes password, token and access token from the environment, and only once', async () => {
    const settings = {
      rootPassword: 'correct horse battery',
      initialRootToken: 'sk-abcdefghijklmnop0123456789ABCDEF',
      initialRootAccessToken: 'my-access-token',
    };
    expect(await services.root.ensure(settings)).toEqual({ created: true });
    expect(await services.root.ensure(settings)).toEqual({ created: false });
    expect(await services.root.hasDefaultPassword()).toBe(false);
    expect(await services.database.tokens.count()).toBe(1);
    const [token] = await services.database.tokens.findAll({ raw: true });
    expect(await services.tokens.reveal(systemActor, token?.id ?? 0)).toBe('abcdefghijklmnop0123456789ABCDEF');
    await expect(services.root.ensure({ ...settings, initialRootToken: 'sk-bad-token' })).rejects.toMatchObject({
      code: 'token.keyForm',
    });
  });

  it('books the start quota when the first start was cut short', async () => {
    await services.database.select('DELETE FROM quota_entries RETURNING id');
    await services.database.users.update({ quota: 0 }, { where: { id: 1 } });
    await services.root.ensure({} as never);
    expect((await services.users.get(systemActor, 1)).quota).toBe(100_000_000);
  });
});
