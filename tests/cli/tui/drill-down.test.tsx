import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { userCreateSchema } from '../../../core/schemas/user.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import { expectInside, keys, openTestTerminal, type TerminalOptions } from '../../support/terminal.tsx';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  const { services, database } = gateway.app;
  const { id: user_id } = await services.users.create(
    systemActor,
    userCreateSchema.parse({ username: '李雷', password: 'long enough' }),
  );
  // A request of another user through a token of the same name, on a channel that is gone.
  const row = { type: 2, user_id, username: '李雷', token_name: 'test', channel_id: 99, model_name: 'other-model' };
  await database.logs.create({ ...row, created_at: Math.floor(Date.now() / 1000), quota: 5, other: '' });
  await (await gateway.chat()).text();
});
afterAll(() => gateway.stop());

/** No server of the installation is looked for. */
const open = (options: TerminalOptions) =>
  openTestTerminal({ ...gateway.app, config: { ...gateway.app.config, port: 1 } }, options);

describe('what belongs to a thing', () => {
  it('is a key away: the tokens of a user, and the requests of a token; Esc goes back step by step', async () => {
    const terminal = open({ screen: 'user', columns: 80 });
    await terminal.press(`/alice${keys.enter}`);
    await terminal.until('Users (1)');
    expect(terminal.frame()).toMatch(/⏎ t tokens {2}d details/);
    await terminal.press(keys.enter);
    await terminal.until('Users › alice › Tokens (1)');
    await terminal.press(keys.enter);
    const frame = await terminal.until('Users › alice › test › Requests (1)');
    expect(frame).toContain('gpt-4o-mini');
    expect(frame).not.toContain('other-model');
    expectInside(terminal, 80, 24);
    await terminal.press(keys.escape);
    await terminal.until('Users › alice › Tokens (1)');
    await terminal.press('n');
    await terminal.until(/User +alice/);
    await terminal.press(keys.escape);
    await terminal.until('Users › alice › Tokens (1)');
    await terminal.press(keys.escape);
    await terminal.until('Users (1)');
    await terminal.press('/', keys.ctrlU, 'root', keys.enter);
    await terminal.until(/> +1 +root/);
    await terminal.press('U');
    await terminal.until(/no usage since 20\d\d-/);
    terminal.close();
  });

  it('is there for channels too, also where there is little room', async () => {
    const terminal = open({ screen: 'channel', columns: 60, rows: 16 });
    await terminal.until('fake');
    await terminal.press(keys.enter);
    const frame = await terminal.until('Channels › fake › Requests (1)');
    expect(frame).not.toContain('other-model');
    expectInside(terminal, 60, 16);
    terminal.close();
  });

  it('is a key away from the details too, which d opens', async () => {
    const terminal = open({ screen: 'user', columns: 80 });
    await terminal.press(`/alice${keys.enter}`);
    await terminal.until('Users (1)');
    await terminal.press('d');
    await terminal.until(/User \d+: alice/);
    expect(terminal.frame()).toMatch(/⏎ t tokens {2}l requests {2}U usage/);
    await terminal.press(keys.enter);
    await terminal.until('Users › alice › Tokens (1)');
    await terminal.press('d');
    await terminal.until(/Token \d+: test/);
    await terminal.press(keys.escape, keys.escape, keys.escape);
    await terminal.until('Users (1)');
    terminal.close();
  });
});

describe('usage, prices and tasks', () => {
  it('sums what was spent by model, user, channel and day, and leads to the requests behind a sum', async () => {
    const terminal = open({ screen: 'usage', columns: 80 });
    await terminal.until(/> +gpt-4o-mini +1 +\d+ +\$0\.0/);
    expect(terminal.frame()).toMatch(/Usage · by model \(1\)[\s\S]*b by user/);
    await terminal.press('b');
    await terminal.until(/> +alice +1 /);
    await terminal.until(/\$0\.0.*\(requests: 1, tokens: \d+\)/);
    expectInside(terminal, 80, 24);
    await terminal.press(keys.enter);
    await terminal.until('Usage › alice › Requests (');
    await terminal.press(keys.escape, 'd');
    await terminal.until(/Share +100\.0 %/);
    expect(terminal.frame()).toMatch(/Usage › alice.*\n User +alice\n Spent +\$0\.0/);
    terminal.close();
  });

  it('shows what models cost, and changes one price without moving the other', async () => {
    const terminal = open({ screen: 'pricing', columns: 140, rows: 40 });
    await terminal.until(/> +gpt-4o-mini +\$0\.15 +\$0\.60 +-/);
    await terminal.press('E');
    await terminal.until('Price of gpt-4o-mini');
    await terminal.press(keys.ctrlS);
    await terminal.until('gpt-4o-mini: $0.15 prompt, $0.6 completion, $0.075 cached per million tokens (unchanged)');
    await terminal.press('E');
    await terminal.until('Price of gpt-4o-mini');
    await terminal.press(keys.ctrlU, '2000000', keys.ctrlS);
    await terminal.until('✗ 0 to 1000000');
    await terminal.press(keys.ctrlU, '0.3', keys.ctrlS);
    await terminal.until('gpt-4o-mini: $0.3 prompt, $0.6 completion');
    await terminal.until(/> +gpt-4o-mini +\$0\.30 +\$0\.60 .*custom/);
    await terminal.press('x', 'y');
    await terminal.until(/> +gpt-4o-mini +\$0\.15 +\$0\.60 .*built-in/);
    terminal.close();
  });

  it('lists tasks with the names of users and channels, in 60 columns too', async () => {
    await gateway.app.database.sequelize.query(
      `INSERT INTO tasks (id, user_id, task_id, platform, action, status, progress, channel_id, quota, submit_time, finish_time, data)
        VALUES (1, ${gateway.userId}, 'song-1', 'suno', 'MUSIC', 'FAILURE', '30%', 1, 500000, 1700000000, 0, '')`,
    );
    const terminal = open({ screen: 'task', columns: 60, rows: 16 });
    await terminal.until(/> +1 +✗ failed +30% +alice +fake +MUSIC +\$1\.00/);
    expectInside(terminal, 60, 16);
    await terminal.press(`/status:success${keys.enter}`);
    await terminal.until('Tasks (0)');
    await terminal.press(`${keys.escape}`);
    await terminal.until('Tasks (1)');
    // As the screen says it, and as the API does.
    for (const word of ['failed', 'FAILURE']) {
      await terminal.press('/', keys.ctrlU, `status:${word}`, keys.enter);
      await terminal.until(`Tasks (1)  /status:${word}`);
    }
    await terminal.until(/> +1 +✗/);
    await terminal.press('d');
    await terminal.until(/Status +failed 30%/);
    terminal.close();
    const chinese = open({ screen: 'task', columns: 60, rows: 16, language: 'zh' });
    await chinese.until('✗ \u5931\u8d25');
    await chinese.press('/', 'status:\u6267\u884c\u4e2d', keys.enter);
    await chinese.until(/ \(0\) {2}\/status:/);
    chinese.close();
  });
});

describe('the line of screens', () => {
  it('has whole names or none, those beside the open screen first', async () => {
    const terminal = open({ screen: 'user', columns: 60, rows: 24 });
    await terminal.until('alice');
    expect(terminal.lines()[1]).toBe(' 1  2  3 Tokens [4 Users] 5 Logs  6 Codes  7  8  9  0');
    await terminal.press('?');
    await terminal.press('G');
    await terminal.until(/0 +Tasks/);
    await terminal.resize(100, 24);
    await terminal.until(' 1 Overview  2 Channels  3 Tokens [4 Users] 5 Logs ');
    await terminal.until(' 9 Prices  0 Tasks');
    terminal.close();
  });
});

describe('a wide terminal', () => {
  it('shows beside a list all of the row under the cursor', async () => {
    const terminal = open({ screen: 'user', columns: 140, rows: 40 });
    await terminal.press(`/alice${keys.enter}`);
    await terminal.until('Users (1)');
    const frame = await terminal.until(/│ Balance +\$/);
    expect(frame).toMatch(/> +\d+ +alice .*│ Role +user/);
    expectInside(terminal, 140, 40);
    await terminal.resize(119, 40);
    await terminal.untilGone('│');
    terminal.close();
  });

  it('keeps both in their columns when names are wide', async () => {
    const terminal = open({ screen: 'log', columns: 120, rows: 30 });
    await terminal.until('李雷');
    await terminal.press('j');
    await terminal.until(/│ User +李雷/);
    expectInside(terminal, 120, 30);
    terminal.close();
  });
});
