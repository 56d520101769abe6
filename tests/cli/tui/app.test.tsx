import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestInstallation, expectInside, keys, type TestInstallation } from '../../support/terminal.tsx';

let installation: TestInstallation;

beforeAll(async () => {
  installation = await createTestInstallation();
});
afterAll(() => installation.remove());

describe('the terminal UI', () => {
  it('opens screens by number and, after a colon, by name in either language', async () => {
    const terminal = installation.open({ language: 'zh' });
    await terminal.until('[1 概览]');
    await terminal.press('2');
    await terminal.until('[2 渠道]');
    await terminal.press(`:opt${keys.enter}`);
    await terminal.until('[7 设置]');
    await terminal.press(`:概览${keys.enter}`);
    await terminal.until('[1 概览]');
    await terminal.press(`:nowhere${keys.enter}`);
    await terminal.until('界面 nowhere 不存在');
    terminal.close();
  });

  it('lists the keys of a screen at ?, and Esc goes back', async () => {
    const terminal = installation.open({ screen: 'channel', rows: 40 });
    await terminal.until('no channels yet');
    await terminal.press('?');
    const frame = await terminal.until('Keys on this screen');
    for (const text of [
      'enable/disable',
      'PgUp PgDn',
      'open a screen by its number or name',
      'quit; asks for confirmation while',
    ]) {
      expect(frame).toContain(text);
    }
    await terminal.press(keys.escape);
    await terminal.until('no channels yet');
    terminal.close();
  });

  it('asks for room below 60 x 16 with one line, and is back where it was when there is room', async () => {
    const terminal = installation.open({ screen: 'channel' });
    await terminal.until('no channels yet');
    await terminal.resize(59, 24);
    await terminal.until('The terminal is 59x24; enlarge it to 60x16');
    expect(terminal.lines().filter((line) => line.trim() !== '')).toHaveLength(1);
    await terminal.resize(80, 15);
    await terminal.until('is 80x15');
    await terminal.resize(60, 16);
    await terminal.until('no channels yet');
    expectInside(terminal, 60, 16);
    await terminal.resize(140, 40);
    await terminal.until('─'.repeat(140));
    expectInside(terminal, 140, 40);
    terminal.close();
  });

  it('redraws at Ctrl-L and after a resize', async () => {
    const terminal = installation.open();
    await terminal.until('Overview');
    const atFirst = terminal.redraws();
    await terminal.press(keys.ctrlL);
    await expect.poll(() => terminal.redraws()).toBeGreaterThan(atFirst);
    const afterKey = terminal.redraws();
    await terminal.resize(100, 30);
    await terminal.until('─'.repeat(100));
    await expect.poll(() => terminal.redraws()).toBeGreaterThan(afterKey);
    terminal.close();
  });

  it('uses no color when it is turned off', async () => {
    const plain = installation.open({ screen: 'option' });
    await plain.until('RetryTimes');
    expect(plain.raw()).not.toContain('\u001b[');
    plain.close();
    const colored = installation.open({ screen: 'option', color: true });
    await colored.until('RetryTimes');
    expect(colored.raw()).toContain('\u001b[7m>');
    colored.close();
  });
});
