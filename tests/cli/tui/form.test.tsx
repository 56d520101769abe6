import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../../core/schemas/channel.ts';
import { tokenCreateSchema } from '../../../core/schemas/token.ts';
import { userCreateSchema } from '../../../core/schemas/user.ts';
import { createTestInstallation, expectInside, keys, pasted, type TestInstallation } from '../../support/terminal.tsx';

let installation: TestInstallation;

beforeAll(async () => {
  installation = await createTestInstallation();
  const { channels, users } = installation.app.services;
  const channel = { type: 'openai', name: 'main', key: 'sk-1', models: 'gpt-4o' };
  await channels.create(systemActor, channelCreateSchema.parse(channel));
  await users.create(systemActor, userCreateSchema.parse({ username: 'alice', password: 'Blue.Horse-42' }));
});
afterAll(() => installation.remove());

const left = '\u001b[D';
const forwardDelete = '\u001b[3~';

/** The lines of the screen as one text: where a sentence breaks does not count. */
const inOne = (frame: string) => frame.replace(/\s+/g, ' ');

describe('a form', () => {
  for (const [columns, rows] of [
    [80, 24],
    [60, 20],
  ] as const) {
    it(`says all of what is wrong with a field at ${columns} columns`, async () => {
      const terminal = installation.open({ screen: 'token', columns, rows });
      await terminal.until('Tokens (0)');
      await terminal.press('n');
      await terminal.until('New token');
      await terminal.press('ci', keys.tab, keys.tab, 'abc', keys.tab, 'soon', keys.ctrlS);
      await terminal.until('is not valid');
      const text = inOne(terminal.frame());
      expect(text).toContain('quota "abc" is not valid: use for example 500000, 500k, 1.5m, or $1');
      expect(text).toContain('the expiry "soon" is not valid: use never, 1h, 1d, 30d, or yyyy-MM-dd HH:mm:ss');
      expectInside(terminal, columns, rows);
      terminal.close();
    });
  }

  it('keeps the field being written on the screen when the faults of all fill it', async () => {
    const terminal = installation.open({ screen: 'channel', columns: 60, rows: 16 });
    await terminal.until('Channels (1)');
    await terminal.press('n');
    await terminal.until('New channel');
    await terminal.press(keys.ctrlU, 'opnai', keys.ctrlS);
    await terminal.until('no such channel type');
    for (let field = 0; field < 18; field++) {
      expect(terminal.frame()).toMatch(/^> /m);
      expectInside(terminal, 60, 16);
      await terminal.press(keys.tab);
    }
    terminal.close();
  });

  it('shows all of what to write, however long', async () => {
    const terminal = installation.open({ screen: 'option', columns: 80 });
    await terminal.until('Options (');
    await terminal.press('/', 'ChannelAffinityMinutes', keys.enter);
    await terminal.until('Options (1)');
    await terminal.press('E');
    await terminal.until('> Value');
    const { optionText } = await import('../../../core/text/option.ts');
    expect(inOne(terminal.frame())).toContain(inOne(optionText('en', 'ChannelAffinityMinutes').hint));
    expectInside(terminal, 80, 24);
    terminal.close();
  });

  it('has amounts in dollars and switches as words', async () => {
    const { tokens, channels } = installation.app.services;
    const fields = { name: 'ten', remain_quota: 5_250_000, unlimited_quota: false };
    const { id } = await tokens.create(systemActor, tokenCreateSchema.parse(fields), { userId: 1 });
    const terminal = installation.open({ screen: 'token' });
    await terminal.until('ten');
    await terminal.press('E');
    await terminal.until(/Quota +\$10\.50\s/);
    await terminal.press(keys.ctrlU, 'eleven', keys.ctrlS);
    await terminal.until(`token ${id} changed: eleven`);
    expect((await tokens.get(systemActor, id)).remain_quota).toBe(5_250_000);
    await terminal.press('2');
    await terminal.until('Channels (1)');
    await terminal.press('E');
    await terminal.until(/Auto-disable +on\s/);
    for (let field = 0; field < 9; field++) await terminal.press(keys.tab);
    await terminal.until(/> Auto-disable +on▏/);
    await terminal.press(keys.ctrlU, 'never', keys.ctrlS);
    await terminal.until(/✗ /);
    await terminal.press(keys.ctrlU, 'off', keys.ctrlS);
    await terminal.until('changed: main');
    expect((await channels.get(systemActor, 1)).auto_ban).toBe(0);
    terminal.close();
  });

  it('takes away the character before the caret with Backspace, and the one behind it with Delete', async () => {
    const terminal = installation.open({ screen: 'user' });
    await terminal.until('Users (2)');
    await terminal.press('n');
    await terminal.until('New user');
    await terminal.press('a主b', left, left, forwardDelete);
    await terminal.until(/> Username +a▏b\s/);
    await terminal.press(keys.backspace, forwardDelete, forwardDelete, 'c');
    await terminal.until(/> Username +c▏\s/);
    terminal.close();
  });

  it('makes a list of names that are pasted on lines of their own', async () => {
    const terminal = installation.open({ screen: 'channel', columns: 100, rows: 40 });
    await terminal.until('Channels (1)');
    await terminal.press('E');
    await terminal.until('gpt-4o');
    await terminal.press(keys.tab, keys.tab, keys.tab, keys.ctrlU, pasted('gpt-4o\r\ngpt-4o-mini\n\no3\n'), keys.ctrlS);
    await terminal.until('changed: main');
    const { models } = await installation.app.services.channels.get(systemActor, 1);
    expect(models).toBe('gpt-4o,gpt-4o-mini,o3');
    terminal.close();
  });

  it('stays until what is being saved has been refused, whatever is pressed meanwhile', async () => {
    const { users } = installation.app.services;
    const { create } = users;
    let refuse: (() => void) | undefined;
    const refused = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    users.create = async (...input) => {
      await refused;
      return create(...input);
    };
    try {
      const terminal = installation.open({ screen: 'user' });
      await terminal.until('Users (2)');
      await terminal.press('n');
      await terminal.until('New user');
      await terminal.press('alice', keys.tab, 'Blue.Horse-43', keys.ctrlS);
      await terminal.until('saving');
      await terminal.press(keys.escape, '3', 'q');
      await pause(100);
      refuse?.();
      await terminal.until(/✗ .*alice/);
      expect(terminal.frame()).toContain('New user');
      terminal.close();
    } finally {
      users.create = create;
    }
  });
});
