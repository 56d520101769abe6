import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { createTestInstallation, expectInside, keys, pasted, type TestInstallation } from '../../support/terminal.tsx';

let installation: TestInstallation;

beforeAll(async () => {
  installation = await createTestInstallation();
});
afterAll(() => installation.remove());

const storedValue = (key: string) => installation.app.services.options.getOne(systemActor, key).value;

describe('the options', () => {
  it.each([
    [60, 16, 'en', 'Options ('],
    [80, 24, 'zh', '设置 ('],
    [140, 40, 'en', 'Options ('],
  ] as const)('fit into %i columns and %i rows (%s)', async (columns, rows, language, title) => {
    const terminal = installation.open({ screen: 'option', columns, rows, language });
    await terminal.until(title);
    await terminal.until(/> +TopUpLink/);
    expectInside(terminal, columns, rows);
    terminal.close();
  });

  it('say beside the list, and on d, what each is for and what it is by default', async () => {
    const terminal = installation.open({ screen: 'option', columns: 120, rows: 40 });
    await terminal.press(`/PreConsumedQuota${keys.enter}`);
    await terminal.until(/│ Default +500/);
    await terminal.until(/│ Section +Quota/);
    expectInside(terminal, 120, 40);
    await terminal.press('d');
    await terminal.until(/PreConsumedQuota: .*\n Setting +.*\n Key +PreConsumedQuota\n Value +500\n Default +500/);
    terminal.close();
  });

  it('are found by key, by what they are about, by card and by whether they were changed', async () => {
    const terminal = installation.open({ screen: 'option' });
    await terminal.until('TopUpLink');
    await terminal.press(`/after an upstream failure${keys.enter}`);
    await terminal.until('RetryTimes');
    await terminal.press(keys.escape, `/card:mail${keys.enter}`);
    await terminal.until('SMTPServer');
    await terminal.press(keys.escape, `/changed:yes RetryTimes${keys.enter}`);
    await terminal.until('no matches');
    terminal.close();
  });

  it('are edited with the check of the option, and reset a setting to its default after a question', async () => {
    const terminal = installation.open({ screen: 'option' });
    await terminal.until('TopUpLink');
    await terminal.press(`/RetryTimes${keys.enter}`);
    await terminal.until('Options (1)');
    await terminal.press('E');
    await terminal.until('Value');
    await terminal.press(keys.ctrlU, '99', keys.ctrlS);
    await terminal.until('RetryTimes was not changed: it must be a whole number from 0 to 20');
    expect(storedValue('RetryTimes')).toBe('2');
    await terminal.press(keys.ctrlU, '5', keys.ctrlS);
    await terminal.until('RetryTimes set to 5');
    expect(storedValue('RetryTimes')).toBe('5');
    await terminal.press('x');
    await terminal.until('Reset RetryTimes to the default (y/N)');
    await terminal.press('y');
    await terminal.until('RetryTimes reset to its default: 2');
    terminal.close();
  });

  it('ask before an edit overwrites a change another user has made meanwhile', async () => {
    const { options } = installation.app.services;
    const terminal = installation.open({ screen: 'option' });
    await terminal.until('TopUpLink');
    await terminal.press(`/RetryTimes${keys.enter}`);
    await terminal.until('Options (1)');
    await terminal.press('E');
    await terminal.until('Value');
    await options.set({ ...systemActor, name: 'alice' }, 'RetryTimes', '7');
    await terminal.press(keys.ctrlU, '4', keys.ctrlS);
    await terminal.until('alice changed this option while you edited it');
    expect(storedValue('RetryTimes')).toBe('7');
    await terminal.press('y');
    await terminal.until('RetryTimes set to 4');
    await options.reset(systemActor, 'RetryTimes');
    terminal.close();
  });

  it('that are switches turn at e, and u turns them back', async () => {
    const terminal = installation.open({ screen: 'option' });
    await terminal.until('TopUpLink');
    await terminal.press(`/DisplayTokenStatEnabled${keys.enter}`);
    await terminal.until('Options (1)');
    await terminal.press('e');
    await terminal.until('DisplayTokenStatEnabled set to false  · u undo');
    expect(storedValue('DisplayTokenStatEnabled')).toBe('false');
    await terminal.press('u');
    await terminal.until('DisplayTokenStatEnabled set to true');
    expect(storedValue('DisplayTokenStatEnabled')).toBe('true');
    terminal.close();
  });

  it('keep a secret hidden while it is written, in the list and in the form (S12)', async () => {
    const terminal = installation.open({ screen: 'option' });
    await terminal.until('TopUpLink');
    await terminal.press(`/SMTPToken${keys.enter}`);
    await terminal.until('(not set)');
    await terminal.press(keys.enter);
    await terminal.until('hidden; empty keeps what is stored');
    await terminal.press(pasted('top secret'));
    await terminal.until('••••••••••');
    await terminal.press(keys.ctrlS);
    await terminal.until('(set, hidden)');
    await terminal.press(keys.enter);
    await terminal.until('hidden; empty keeps what is stored');
    expect(terminal.frame()).not.toContain('top secret');
    expect(terminal.frame()).not.toContain('••');
    expect(installation.app.services.options.get('SMTPToken')).toBe('top secret');
    terminal.close();
  });
});
