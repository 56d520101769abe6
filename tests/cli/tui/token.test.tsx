import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type TokenCreate, tokenCreateSchema, tokenListSchema } from '../../../core/schemas/token.ts';
import { userCreateSchema } from '../../../core/schemas/user.ts';
import { createTestInstallation, expectInside, keys, type TestInstallation } from '../../support/terminal.tsx';

let installation: TestInstallation;
let alice: number;

beforeAll(async () => {
  installation = await createTestInstallation();
  const { users } = installation.app.services;
  alice = (await users.create(systemActor, userCreateSchema.parse({ username: '爱丽丝', password: 'long enough' }))).id;
  await create({ name: '生产环境', unlimited_quota: true }, alice);
  for (let number = 1; number <= 24; number++) await create({ name: `ci ${number}`, remain_quota: 500_000 });
});
afterAll(() => installation.remove());

const create = (fields: Partial<TokenCreate>, userId = 1) =>
  installation.app.services.tokens.create(systemActor, tokenCreateSchema.parse(fields), { userId });
const named = async (keyword: string) =>
  (await installation.app.services.tokens.list(systemActor, tokenListSchema.parse({ keyword }))).items;

describe('the list of tokens', () => {
  it.each([
    [60, 16, 'en', 'Tokens (25)'],
    [80, 24, 'zh', '令牌 (25)'],
    [140, 40, 'en', 'Tokens (25)'],
  ] as const)('fits into %i columns and %i rows (%s), with whose they are', async (columns, rows, language, title) => {
    const terminal = installation.open({ screen: 'token', columns, rows, language });
    await terminal.until(title);
    await terminal.press('G');
    await terminal.until(/> +\d+ +生产环境 +爱丽丝/);
    expectInside(terminal, columns, rows);
    terminal.close();
  });

  it('says of a token that was never used that it was not, and when one was', async () => {
    const [fresh, used] = [await create({ name: 'fresh' }), await create({ name: 'used' })];
    const { tokens } = installation.app.database;
    await tokens.update({ accessed_time: used.created_time + 90 }, { where: { id: used.id } });
    const terminal = installation.open({ screen: 'token', columns: 140 });
    await terminal.until(`${used.id}: owner root, last used 2`);
    await terminal.press('j');
    await terminal.until(`${fresh.id}: owner root, last used never`);
    await terminal.press('d');
    await terminal.until(/Last used +never/);
    terminal.close();
    await tokens.destroy({ where: { id: [fresh.id, used.id] } });
  });

  it('is filtered by one user, and says when no user has that name', async () => {
    const terminal = installation.open({ screen: 'token', columns: 140 });
    await terminal.until('Tokens (25)');
    await terminal.press(`/user:爱丽丝${keys.enter}`);
    await terminal.until('Tokens (1)');
    await terminal.until('unlimited');
    await terminal.press(keys.escape, `/user:nobody${keys.enter}`);
    await terminal.until(/✗ .*nobody.*r retry/);
    terminal.close();
  });

  it('shows plain ASCII where the locale is not UTF-8, masked keys included', async () => {
    const terminal = installation.open({ screen: 'token', locale: 'C', columns: 120 });
    await terminal.until('* enabled');
    await terminal.until(/sk-\w\w~\w{4}/);
    expect(terminal.frame().match(/[^\x20-\x7e\n]/g)).toBeNull();
    terminal.close();
  });

  it('names every screen at 60 columns, the open one in full', async () => {
    const terminal = installation.open({ screen: 'token', columns: 60, rows: 16 });
    await terminal.until('[3 Tokens]');
    expect(terminal.lines()[1]).toMatch(/1 Over.*\[3 Tokens\].* 7 Opti/);
    terminal.close();
  });
});

describe('what is done with tokens', () => {
  it('shows a new key once, then never again but at v', async () => {
    const terminal = installation.open({ screen: 'token' });
    await terminal.until('Tokens (25)');
    await terminal.press('s');
    await terminal.until(/sort:name[\s\S]*> +\d+ +ci 1 /);
    await terminal.press('n');
    await terminal.until('New token');
    await terminal.press('laptop', keys.tab, keys.ctrlU, '爱丽丝', keys.tab, '2', keys.ctrlS);
    await terminal.until("'$2' would be 1,000,000 units");
    await terminal.press('n');
    await terminal.until('New token');
    await terminal.press(keys.ctrlU, '$2', keys.tab, '30d', keys.ctrlS);
    const frame = await terminal.until(/Key of token \d+: laptop/);
    const key = /sk-[A-Za-z0-9]{48}/.exec(frame)?.[0] ?? 'no key';
    expect(frame).toContain('can spend the quota of 爱丽丝');
    await terminal.press(keys.escape);
    await terminal.until('Tokens (26)');
    const [token] = await named('laptop');
    expect(token).toMatchObject({ user_id: alice, remain_quota: 1_000_000, unlimited_quota: false });
    expect(token?.expired_time).toBeGreaterThan(Date.now() / 1000 + 29 * 86_400);
    // On the second page of the names.
    await terminal.until(/> +\d+ +laptop/);
    await terminal.press('d');
    await terminal.until(/Token \d+: laptop/);
    expect(terminal.frame()).not.toContain(key);
    await terminal.press(keys.escape, 'v');
    await terminal.until(key);
    terminal.close();
    await installation.app.services.tokens.remove(systemActor, token?.id ?? 0);
  });

  it('says under each field what is wrong with it, in either language', async () => {
    for (const [language, title, quota, expiry] of [
      ['en', 'New token', 'quota "much" is not valid: use for example 500000, 500k, 1.5m, or $1', 'the expiry "soon"'],
      ['zh', '新建令牌', '额度“much”无法识别，可写 500000、500k、1.5m 或 $1', '过期时间格式错误'],
    ] as const) {
      const terminal = installation.open({ screen: 'token', columns: 100, language });
      await terminal.until('(25)');
      await terminal.press('n');
      await terminal.until(title);
      await terminal.press(keys.tab, keys.tab, 'much', keys.tab, 'soon', keys.ctrlS);
      await terminal.until(quota);
      await terminal.until(expiry);
      const lines = terminal.lines();
      const at = (text: string) => lines.findIndex((line) => line.includes(text));
      expect(at(quota)).toBe(at(' much') + 1);
      expect(at(expiry)).toBe(at(' soon') + 1);
      terminal.close();
    }
  });

  it('leaves what was not touched exactly as it was, or as another person has made it meanwhile', async () => {
    const before = await create({ name: 'to edit', remain_quota: 123_457, expired_time: 4_102_444_799 });
    const terminal = installation.open({ screen: 'token' });
    await terminal.press('/to edit', keys.enter);
    await terminal.until('Tokens (1)');
    await terminal.press('E');
    await terminal.until(`Token ${before.id}: to edit`);
    await installation.app.services.tokens.update(systemActor, { id: before.id, allow_ips: '10.0.0.1' });
    await terminal.press(keys.ctrlU, 'edited', keys.tab.repeat(3), 'gpt-4o, o3', keys.ctrlS);
    await terminal.until(`token ${before.id} changed: edited`);
    const [token] = await named('edited');
    expect(token).toMatchObject({ remain_quota: 123_457, expired_time: 4_102_444_799, model_limits: 'gpt-4o,o3' });
    expect(token).toMatchObject({ allow_ips: '10.0.0.1', unlimited_quota: false, model_limits_enabled: true });
    terminal.close();
    await installation.app.services.tokens.remove(systemActor, before.id);
  });

  it('asks before it overwrites the name that another person has given it meanwhile', async () => {
    const { id } = await create({ name: 'of two', remain_quota: 123_457 });
    const terminal = installation.open({ screen: 'token', columns: 100 });
    await terminal.press('/of two', keys.enter);
    await terminal.until('Tokens (1)');
    await terminal.press('E');
    await terminal.until(`Token ${id}: of two`);
    await installation.app.services.tokens.update(systemActor, { id, name: 'theirs' });
    await terminal.press(keys.ctrlU, 'mine', keys.ctrlS);
    await terminal.until('Another user changed name while you edited. Overwrite that change? (y/N)');
    await terminal.press('n');
    await terminal.until('Nothing was saved.');
    expect(await named('theirs')).toHaveLength(1);
    terminal.close();
    await installation.app.services.tokens.remove(systemActor, id);
  });

  it('switches several at once with a way back, and removes after a question', async () => {
    const terminal = installation.open({ screen: 'token', columns: 100 });
    await terminal.press('/ci 2', keys.enter);
    await terminal.until('Tokens (6)');
    await terminal.press('  e');
    await terminal.until(/\(ci 24\), \d+ \(ci 23\) disabled {2}· u undo/);
    expect((await named('ci 24'))[0]?.status).toBe(2);
    await terminal.press('u');
    await terminal.until('(ci 23) enabled');
    expect((await named('ci 24'))[0]?.status).toBe(1);
    await terminal.press('a');
    await terminal.until('6 marked');
    await terminal.resize(60, 16);
    // Another size is another page: while it is read no row is chosen.
    await terminal.until(/^>\*/m);
    await terminal.press('x');
    // However many there are, the question stays on the screen.
    await terminal.until(/Delete 6 tokens: .*, \+\d+ \(y\/N\)/);
    await terminal.press('n', keys.escape, 'gx');
    await terminal.until('Delete 1 token');
    await terminal.press('y');
    await terminal.until(/\(ci 24\) deleted/);
    expect(await named('ci 24')).toHaveLength(0);
    terminal.close();
  });

  it('does all of a batch or nothing, and says which token is in the way', async () => {
    const { tokens } = installation.app.services;
    const good = await create({ name: 'batch good', unlimited_quota: true });
    const old = await create({ name: 'batch old', expired_time: 1 });
    for (const { id } of [good, old]) await tokens.setStatus(systemActor, { id, status: 2 });
    const terminal = installation.open({ screen: 'token', columns: 140 });
    await terminal.press('/batch', keys.enter);
    await terminal.until('Tokens (2)');
    await terminal.press('a');
    await terminal.until('2 marked');
    await terminal.press('e');
    await terminal.until(/\d+ \(batch old\): the token has expired/);
    expect((await named('batch good'))[0]?.status).toBe(2);
    terminal.close();
  });
});
