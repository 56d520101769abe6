import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../core/gateway.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../../core/schemas/channel.ts';
import { logListSchema } from '../../../core/schemas/log.ts';
import { tokenCreateSchema } from '../../../core/schemas/token.ts';
import { userCreateSchema } from '../../../core/schemas/user.ts';
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream.ts';
import { createTestInstallation, expectInside, keys, type TestInstallation } from '../../support/terminal.tsx';
import { json } from '../../support/upstream-script.ts';

let installation: TestInstallation;
let upstream: FakeUpstream;
let gateway: Gateway;
let address: string;
let key: string;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  installation = await createTestInstallation();
  const { users, tokens, channels } = installation.app.services;
  const user = await users.create(systemActor, userCreateSchema.parse({ username: '李雷', password: 'long enough' }));
  await users.adjustQuota(systemActor, { id: user.id, amount: 10_000_000, note: 'for tests' });
  const token = tokenCreateSchema.parse({ name: 'test', unlimited_quota: true });
  key = `sk-${(await tokens.create(systemActor, token, { userId: user.id })).key}`;
  for (const [name, priority] of [
    ['first', 10],
    ['备用', 0],
  ] as const) {
    const channel = { type: 'openai', key: 'sk-upstream', models: 'gpt-4o-mini', base_url: upstream.url };
    await channels.create(systemActor, channelCreateSchema.parse({ ...channel, name, priority }));
  }
  await installation.app.services.options.set(systemActor, 'RetryTimes', '1');
  gateway = await createGateway(installation.app);
  address = `http://127.0.0.1:${await gateway.listen('127.0.0.1', 0)}`;
  upstream.respond(json(401, { error: { message: 'invalid key' } }));
  await call();
});
afterAll(async () => {
  await gateway.close();
  await installation.remove();
  await upstream.close();
});

async function call(): Promise<string> {
  const response = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(response.status, await response.text()).toBe(200);
  return response.headers.get('x-request-id') ?? '';
}

describe('the log', () => {
  it.each([
    [60, 16, 'en', 'Logs (', 'follow ●'],
    [80, 24, 'zh', '日志 (', '跟随 ●'],
    [140, 40, 'en', 'Logs (', 'follow ●'],
  ] as const)('fits into %i columns and %i rows (%s)', async (columns, rows, language, title, sign) => {
    const terminal = installation.open({ screen: 'log', columns, rows, language });
    await terminal.until(title);
    await terminal.until('gpt-4o-mini');
    await terminal.until(sign);
    await terminal.until('李雷');
    expectInside(terminal, columns, rows);
    terminal.close();
  });

  it('shows which channels were tried, and in the details the sum of the charge', async () => {
    const terminal = installation.open({ screen: 'log', columns: 140, rows: 40 });
    await terminal.until(/李雷 +gpt-4o-mini +first ✗ \S+ → 备用/);
    await terminal.press(`/model:gpt-4o-mini${keys.enter}`);
    await terminal.until('Logs (1)');
    await terminal.press(keys.enter);
    const frame = await terminal.until('Receipt');
    expect(frame).toMatch(/prompt tokens +\d+ x/);
    expect(frame).toMatch(/charged +=? += +\d+ +\(\$0\.\d+\)/);
    expect(frame).toMatch(/Attempts: #1 first .* → #2 备用 ok/);
    expect(frame).toMatch(/Charged +\$0\.0\d+ \(\d+\)/);
    await terminal.press(keys.escape);
    await terminal.until('Logs (1)');
    terminal.close();
  });

  it('does not call money that came in a charge', async () => {
    const terminal = installation.open({ screen: 'log', columns: 140, rows: 40 });
    await terminal.press(`/user:李雷 type:manage${keys.enter}`);
    await terminal.until('Quota changed by +$20.00: for tests');
    await terminal.press(keys.enter);
    const frame = await terminal.until(/Amount +\+\$20\.00 \(10,000,000\)/);
    expect(frame).not.toContain('Charged');
    terminal.close();
  });

  it('is below each other in Chinese too', async () => {
    const terminal = installation.open({ screen: 'log', language: 'zh', rows: 40 });
    await terminal.press(`/type:消费${keys.enter}`);
    await terminal.until('日志 (1)');
    await terminal.press(keys.enter);
    const frame = await terminal.until('实际扣费');
    expectInside(terminal, 80, 40);
    expect(frame).toContain('尝试记录: #1');
    terminal.close();
  });

  it('follows what comes, stands still after space, and goes on after another', async () => {
    const terminal = installation.open({ screen: 'log', columns: 100 });
    await terminal.press(`/type:2${keys.enter}`);
    const { total } = await installation.app.services.logs.list(systemActor, logListSchema.parse({ type: 2 }));
    const many = (more: number) => `Logs (${total + more})`;
    await terminal.until(many(0));
    await call();
    await terminal.until(many(1));
    await terminal.press(' ');
    await terminal.until('paused ○');
    await call();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await terminal.until(many(1));
    // Asked for, it comes; and by itself again after another space.
    await terminal.press('r');
    await terminal.until(many(2));
    await terminal.press(' ');
    await call();
    await terminal.until(many(3));
    terminal.close();
  });

  it('is narrowed by type, user, channel and model, found by request id and text, and c widens it', async () => {
    const id = await call();
    const terminal = installation.open({ screen: 'log', columns: 140 });
    await terminal.until('follow');
    await terminal.press(`/user:李雷 type:manage${keys.enter}`);
    await terminal.until('Quota changed by +$20.00: for tests');
    await terminal.press('c');
    await terminal.untilGone('/user:');
    await terminal.press(`/channel:备用 model:gpt-4o%${keys.enter}`);
    await terminal.until(/Logs \(1\)/);
    await terminal.press('c', `/${id}${keys.enter}`);
    await terminal.until(/Logs \(1\) .*-/);
    await terminal.press('c', `/quota changed${keys.enter}`);
    await terminal.until('manage: Quota changed by');
    await terminal.press('c', `/quota type:manage${keys.enter}`);
    await terminal.until(/✗ .*cannot be combined.*r retry/);
    await terminal.press('c', `/type:nonsense${keys.enter}`);
    await terminal.until(/✗ .*top-up, consume, manage, system/);
    terminal.close();
  });
});

describe('a log that is not counted to its end', () => {
  it('says so behind the number, goes on to its end, and is cleared with a bar while one looks elsewhere', async () => {
    const { database } = installation.app;
    await database.sequelize.query(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10100)
       INSERT INTO logs (user_id, created_at, type, content, username, model_name)
       SELECT 1, 1650000000 + n, 4, 'row ' || n || '.', 'root', '' FROM numbers`,
    );
    const terminal = installation.open({ screen: 'log', columns: 120 });
    await terminal.until(/Logs \(\d+,000\+\)/);
    await terminal.press(`/until:2022-12-31${keys.enter}`);
    await terminal.until('/until:');
    await terminal.press('G');
    await terminal.until('Logs (10,001+)');
    await terminal.press(keys.pageDown);
    await terminal.until(/row 100\./);
    await terminal.press(keys.pageDown);
    await terminal.until('10,017-10,032');
    await terminal.until(/row 84\./);
    await terminal.press('x');
    await terminal.until('Delete old log rows');
    await terminal.press('2023-01-01', keys.ctrlS);
    await terminal.until('Delete 10100 log rows');
    await terminal.press('clear', keys.enter, '2');
    await terminal.until(/Log cleanup \d+\/10100 [█░]{20} \d+ %/);
    await terminal.until('[2 Channels]');
    await terminal.until('10100 log rows older than 2023-01-01 00:00:00 deleted');
    terminal.close();
  });
});

it('the words of its filter are named while one writes it, and in the list of keys', async () => {
  const words = 'type: model: user: channel: token: group: since: until:';
  const terminal = installation.open({ screen: 'log', columns: 90 });
  await terminal.until('follow');
  await terminal.press('/');
  await terminal.until(`words to search for, or ${words}`);
  expect(terminal.lines().at(-1)).toBe('⏎ apply  Esc cancel');
  await terminal.press(keys.escape, '?');
  await terminal.until(`filter  ${words}`);
  await terminal.until(/ u +take back the last step/);
  expectInside(terminal, 90, 24);
  await terminal.resize(60, 16);
  await terminal.until('Keys on this screen');
  expectInside(terminal, 60, 16);
  expect(terminal.frame().replace(/\s+/g, ' ')).toContain(words);
  terminal.close();
});

it('has no empty pane beside a list without rows', async () => {
  const terminal = installation.open({ screen: 'usage', columns: 140 });
  await terminal.until('│ Model');
  await terminal.press('/', 'nothing', keys.enter);
  await terminal.until('no matches');
  expect(terminal.frame()).not.toContain('│');
  terminal.close();
});

describe('a message longer than a line', () => {
  for (const [columns, rows] of [
    [60, 16],
    [80, 24],
  ] as const) {
    it(`is shown to its end at ${columns} columns`, async () => {
      const terminal = installation.open({ screen: 'log', columns, rows });
      await terminal.until('follow');
      await terminal.press('/', 'foo:bar', keys.enter);
      await terminal.until('unknown filter foo:bar');
      expect(terminal.frame().replace(/\s+/g, ' ')).toContain(
        'use type: model: user: channel: token: group: since: until:',
      );
      expectInside(terminal, columns, rows);
      terminal.close();
    });
  }
});

describe('clearing the log', () => {
  it('says what a time looks like, and that nothing is that old', async () => {
    const terminal = installation.open({ screen: 'log', columns: 120 });
    await terminal.until('follow');
    await terminal.press('x');
    await terminal.until('Delete old log rows');
    await terminal.press('long ago', keys.ctrlS);
    await terminal.until('the time "long ago" is not valid');
    await terminal.press(keys.ctrlU, '2020-01-01', keys.ctrlS);
    await terminal.until('there are no log rows older than 2020-01-01');
    terminal.close();
  });

  it('deletes only when the word is typed', async () => {
    const row =
      "INSERT INTO logs (user_id, created_at, type, content, username) VALUES (1, 1600000000, 4, 'old', 'root')";
    for (let count = 0; count < 3; count++) await installation.app.database.sequelize.query(row);
    const countRows = async () =>
      installation.app.services.logs.clear(systemActor, { target_timestamp: 1_700_000_000, dry_run: true });
    expect(await countRows()).toBe(3);
    const terminal = installation.open({ screen: 'log', columns: 120 });
    await terminal.until('follow');
    const begin = async () => {
      await terminal.press('x');
      await terminal.until('Delete old log rows');
      await terminal.press('2021-01-01', keys.ctrlS);
      await terminal.until('Delete 3 log rows older than 2021-01-01 00:00:00.');
    };
    await begin();
    await terminal.press('no', keys.enter);
    await terminal.untilGone('Delete 3');
    expect(await countRows()).toBe(3);
    await begin();
    await terminal.press('clear', keys.enter);
    await terminal.until('3 log rows older than 2021-01-01 00:00:00 deleted');
    expect(await countRows()).toBe(0);
    terminal.close();
  });
});
