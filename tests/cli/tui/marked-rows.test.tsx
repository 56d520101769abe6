import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemActor } from '../../../core/schemas/actor.ts';
import { channelCreateSchema } from '../../../core/schemas/channel.ts';
import { tokenCreateSchema } from '../../../core/schemas/token.ts';
import { createTestInstallation, expectInside, keys, type TestInstallation } from '../../support/terminal.tsx';

let installation: TestInstallation;

beforeAll(async () => {
  installation = await createTestInstallation();
  const { channels, tokens } = installation.app.services;
  for (let number = 1; number <= 12; number++) {
    const name = `a token with a long name ${number}`;
    await tokens.create(systemActor, tokenCreateSchema.parse({ name }), { userId: 1 });
    const channel = {
      type: 'openai',
      key: 'sk-1',
      models: 'gpt-4o',
      name: `a channel with quite a long name ${number}`,
    };
    await channels.create(systemActor, channelCreateSchema.parse(channel));
  }
});
afterAll(() => installation.remove());

/** Where a sentence breaks does not count. */
const inOne = (frame: string) => frame.replace(/\s+/g, ' ');

describe('what is done to many rows', () => {
  for (const [screen, title, noun] of [
    ['token', 'Tokens (12)', 'token'],
    ['channel', 'Channels (12)', 'channel'],
  ] as const) {
    for (const columns of [60, 80, 120]) {
      it(`is said to its end: ${screen}, ${columns} columns`, async () => {
        const terminal = installation.open({ screen, columns, rows: 20 });
        await terminal.until(title);
        await terminal.until(/> +\d/);
        await terminal.press('a');
        await terminal.until('12 marked');
        await terminal.press('e');
        const frame = await terminal.until(/disabled {2}· u undo/);
        expect(frame).toMatch(new RegExp(`${noun} \\d+ .*, \\+\\d+ disabled  · u undo`));
        expectInside(terminal, columns, 20);
        await terminal.press('u');
        await terminal.until(/, \+\d+ enabled/);
        await terminal.press('a');
        await terminal.until('12 marked');
        await terminal.press('x');
        await terminal.until('Type delete to continue:');
        expect(inOne(terminal.frame())).toMatch(
          new RegExp(`Delete 12 ${noun}s: .*, \\+\\d+ · Type delete to continue: ▏`),
        );
        expectInside(terminal, columns, 20);
        // One key is too little for so many.
        await terminal.press('y', keys.enter);
        await terminal.untilGone('Type delete');
        await terminal.until(title);
        terminal.close();
      });
    }
  }

  it('is removed once the word is typed', async () => {
    const terminal = installation.open({ screen: 'token' });
    await terminal.until('Tokens (12)');
    await terminal.press('a');
    await terminal.until('12 marked');
    await terminal.press('x');
    await terminal.until('Type delete to continue:');
    await terminal.press('delete', keys.enter);
    await terminal.until('Tokens (0)');
    terminal.close();
  });
});
