import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { userCreateSchema } from '../../../core/schemas/user.ts';
import { createTestInstallation, expectInside, keys, type TestInstallation } from '../../support/terminal.tsx';

let installation: TestInstallation;

beforeAll(async () => {
  installation = await createTestInstallation();
  for (const username of ['alice', 'bob', '陈小明']) await create(username);
});
afterAll(() => installation.remove());

const create = (username: string) =>
  installation.app.services.users.create(systemActor, userCreateSchema.parse({ username, password: 'long enough' }));
const find = (name: string) => installation.app.services.users.find(systemActor, name);

describe('the list of users', () => {
  it.each([
    [60, 16, 'en', 'Users (4)', '● enabled'],
    [80, 24, 'zh', '用户 (4)', '● 启用'],
    [140, 40, 'en', 'Users (4)', '● enabled'],
  ] as const)('fits into %i columns and %i rows (%s)', async (columns, rows, language, title, state) => {
    const terminal = installation.open({ screen: 'user', columns, rows, language });
    await terminal.until(title);
    await terminal.until(new RegExp(`陈小明 .*${state}`));
    expectInside(terminal, columns, rows);
    terminal.close();
  });

  it('is narrowed by role and state in the words of the screen, and names a wrong one', async () => {
    const terminal = installation.open({ screen: 'user', language: 'zh', columns: 100 });
    await terminal.until('用户 (4)');
    await terminal.press(`/role:超级管理员${keys.enter}`);
    await terminal.until('用户 (1)');
    await terminal.press(keys.escape, `/status:disabled${keys.enter}`);
    await terminal.until('没有匹配项');
    await terminal.press(keys.escape, `/role:king${keys.enter}`);
    await terminal.until(/✗ .*role "king": 应为以下之一：user, admin, root/);
    terminal.close();
  });
});

describe('what is done with users', () => {
  it('makes one, with what is wrong under each field and the password never shown', async () => {
    const terminal = installation.open({ screen: 'user' });
    await terminal.until('Users (4)');
    await terminal.press('n');
    await terminal.until('New user');
    await terminal.press('carol@example.com', keys.tab, 'short', keys.ctrlS);
    await terminal.until('at least 8 characters');
    await terminal.until('without @');
    expect(terminal.frame()).not.toContain('short');
    await terminal.press(keys.ctrlU, 'carol', keys.tab, 'er enough', keys.ctrlS);
    await terminal.until(/user \d+ created: carol/);
    expect((await find('carol')).role).toBe(1);
    await installation.app.services.users.manage(systemActor, { id: (await find('carol')).id, action: 'delete' });
    terminal.close();
  });

  it('adds quota and takes it away, with a note in the books', async () => {
    const before = (await find('bob')).quota;
    const terminal = installation.open({ screen: 'user', columns: 100 });
    await terminal.press('/bob', keys.enter);
    await terminal.until('Users (1)');
    await terminal.press('+');
    await terminal.until('Balance of bob');
    await terminal.press('0', keys.ctrlS);
    await terminal.until('cannot be 0');
    await terminal.press(keys.ctrlU, '$5', keys.tab, 'paid by transfer', keys.ctrlS);
    await terminal.until('(+$5.00, was ');
    expect((await find('bob')).quota).toBe(before + 2_500_000);
    await terminal.press('+');
    await terminal.until('Balance of bob');
    await terminal.press('-$1', keys.ctrlS);
    await terminal.untilGone('Balance of bob');
    await expect.poll(async () => (await find('bob')).quota).toBe(before + 2_000_000);
    terminal.close();
  });

  it('says what a bare number is worth, and asks before it adds five units where five dollars were meant', async () => {
    const before = (await find('bob')).quota;
    const terminal = installation.open({ screen: 'user', columns: 100 });
    await terminal.press('/bob', keys.enter);
    await terminal.until('Users (1)');
    await terminal.press('+');
    await terminal.until('Balance of bob');
    await terminal.press('2500000');
    await terminal.until('= $5.00 · 500000');
    await terminal.press(keys.ctrlU, '-5');
    await terminal.until('= -$0.00001 · 500000');
    await terminal.press(keys.ctrlS);
    await terminal.until("'$5' would be 2,500,000 units");
    await terminal.press('n');
    await terminal.until('Balance of bob');
    expect((await find('bob')).quota).toBe(before);
    await terminal.press(keys.ctrlS);
    await terminal.until("'$5' would be 2,500,000 units");
    await terminal.press('y');
    await terminal.until('(-$0.00001, was ');
    expect((await find('bob')).quota).toBe(before - 5);
    terminal.close();
  });

  it('switches and promotes without a question, with u to take it back', async () => {
    const terminal = installation.open({ screen: 'user', columns: 100 });
    await terminal.press('/alice', keys.enter);
    await terminal.until('Users (1)');
    await terminal.press('p');
    await terminal.until('alice is now an admin  · u undo');
    expect((await find('alice')).role).toBe(10);
    await terminal.press('u');
    await terminal.until('alice is now a normal user');
    expect((await find('alice')).role).toBe(1);
    await terminal.press('e');
    await terminal.until('○ disabled');
    await terminal.press('u');
    await terminal.until('user alice enabled');
    expect((await find('alice')).status).toBe(1);
    terminal.close();
  });

  it('never switches root off, and says so', async () => {
    const terminal = installation.open({ screen: 'user', columns: 100 });
    await terminal.press('/role:root', keys.enter);
    await terminal.until('Users (1)');
    await terminal.press('e');
    await terminal.until('a root user cannot be disabled, deleted or demoted');
    expect((await find('root')).status).toBe(1);
    terminal.close();
  });

  it('edits name and group, and sets a new password', async () => {
    const terminal = installation.open({ screen: 'user', columns: 100 });
    await terminal.press('/陈小明', keys.enter);
    await terminal.until('Users (1)');
    await terminal.press('E');
    await terminal.until('Username');
    // An emptied name would be left as it is.
    await terminal.press(keys.ctrlU, keys.ctrlS);
    await terminal.until('cannot be empty');
    await terminal.press('陈小明');
    await terminal.press(keys.tab, keys.ctrlU, '老陈', keys.tab, keys.ctrlU, 'nowhere', keys.ctrlS);
    await terminal.until(/✗ .*nowhere/);
    await terminal.press(keys.ctrlU, 'vip', keys.ctrlS);
    await terminal.until(/user \d+ changed: 陈小明/);
    expect(await find('陈小明')).toMatchObject({ group: 'vip', display_name: '老陈' });
    await terminal.press('P');
    await terminal.until('New password for 陈小明');
    await terminal.press('another long one', keys.ctrlS);
    await terminal.until('password of 陈小明 changed');
    terminal.close();
  });

  it('keeps a group that another person has given meanwhile', async () => {
    await create('moved');
    const terminal = installation.open({ screen: 'user', columns: 100 });
    await terminal.press('/moved', keys.enter);
    await terminal.until('Users (1)');
    await terminal.press('E');
    await terminal.until('Username');
    await installation.app.services.users.update(systemActor, { id: (await find('moved')).id, group: 'vip' });
    await terminal.press(keys.tab, keys.ctrlU, 'Moved', keys.ctrlS);
    await terminal.until(/user \d+ changed: moved/);
    expect(await find('moved')).toMatchObject({ group: 'vip', display_name: 'Moved' });
    terminal.close();
  });

  it('asks before it overwrites what another person has written into the same field meanwhile', async () => {
    await create('shared');
    const { id } = await find('shared');
    const terminal = installation.open({ screen: 'user', columns: 100 });
    await terminal.press('/shared', keys.enter);
    await terminal.until('Users (1)');
    await terminal.press('E');
    await terminal.until('Username');
    await installation.app.services.users.update(systemActor, { id, display_name: 'Theirs' });
    await terminal.press(keys.tab, keys.ctrlU, 'Mine', keys.ctrlS);
    await terminal.until('Another user changed display_name while you edited. Overwrite that change? (y/N)');
    await terminal.press('n');
    await terminal.until('Nothing was saved.');
    expect(await find('shared')).toMatchObject({ display_name: 'Theirs' });
    await terminal.press(keys.ctrlS);
    await terminal.until('Overwrite that change? (y/N)');
    await terminal.press('y');
    await terminal.until(/user \d+ changed: shared/);
    expect(await find('shared')).toMatchObject({ display_name: 'Mine' });
    terminal.close();
  });

  it('deletes after a question, and what is deleted can no longer be edited', async () => {
    await create('gone');
    const terminal = installation.open({ screen: 'user', columns: 100 });
    await terminal.press('/gone', keys.enter);
    await terminal.until('Users (1)');
    await terminal.press('x');
    await terminal.until('Delete 1 user: gone (y/N)');
    await terminal.press('y');
    await terminal.until('user gone deleted');
    await terminal.until('✗ deleted');
    await terminal.press('E');
    await terminal.until('user gone not found');
    await expect(find('gone')).rejects.toThrow();
    terminal.close();
  });

  it('shows all of an account on d', async () => {
    const terminal = installation.open({ screen: 'user', language: 'zh' });
    await terminal.press('/alice', keys.enter);
    await terminal.until('用户 (1)');
    await terminal.press('d');
    const frame = await terminal.until(/用户 \d+：alice/);
    for (const word of ['普通用户', '余额', '请求次数', '创建时间']) expect(frame).toContain(word);
    terminal.close();
  });
});
