import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Choice, chooseFrame, matching } from '../../../cli/input/choose.ts';
import { createInput, type Input } from '../../../cli/input/input.ts';

const choices: Choice<number>[] = [
  { value: 1, label: 'OpenAI', names: ['openai', '1'] },
  { value: 3, label: 'Azure OpenAI', names: ['azure', '3'] },
  { value: 6, label: 'OpenAIMax', names: ['openaimax', '6'] },
  { value: 17, label: '通义千问', names: ['qwen', '17'] },
];

/** What is chosen by these keys, and all that was drawn meanwhile. */
async function choose(keys: string, cursor = true) {
  return typed(keys, cursor, (input) => input.choose('Which?', choices, 'no such thing'));
}

async function typed<T>(keys: string, cursor: boolean, ask: (input: Input) => Promise<T>) {
  let drawn = '';
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const output = {
    prompt(text: string) {
      drawn += text;
    },
  };
  stdin.end(keys);
  const input = createInput({ stdin, output, interactive: true, cursor });
  return { value: await ask(input), drawn };
}

describe('a list to choose from', () => {
  it('finds whole names first, then beginnings, then parts, by label, name and number', () => {
    const found = (filter: string) => matching(choices, filter).map(({ value }) => value);
    expect(found('openai')).toEqual([1, 6, 3]);
    expect(found('OPENAIM')).toEqual([6]);
    expect(found('17')).toEqual([17]);
    expect(found('千')).toEqual([17]);
    expect(found('')).toEqual([1, 3, 6, 17]);
    expect(found('nothing')).toEqual([]);
  });

  it('is narrowed by typing, and moved in by arrows', async () => {
    expect((await choose('\r')).value).toBe(1);
    expect((await choose('azu\r')).value).toBe(3);
    expect((await choose('\u001b[B\u001b[B\u001b[A\r')).value).toBe(3);
    expect((await choose('qwenx\u007f\r')).value).toBe(17);
    expect((await choose('azu\u001b\r')).value).toBe(1);
    const { drawn } = await choose('qw\r');
    expect(drawn).toMatch(/Which\? 通义千问\n$/);
  });

  it('says when nothing matches, and begins again', async () => {
    const { value, drawn } = await choose('nosuch\rqwen\r');
    expect(value).toBe(17);
    expect(drawn).toContain('no such thing');
  });

  it('ends at Ctrl-C and at the end of the input', async () => {
    await expect(choose('az\u0003')).rejects.toMatchObject({ code: 'cli.interrupted' });
    await expect(choose('az')).rejects.toMatchObject({ code: 'cli.interrupted' });
  });

  it('is asked for by name where the cursor cannot move', async () => {
    const { value, drawn } = await choose('nosuch\nazure\n', false);
    expect(value).toBe(3);
    expect(drawn).not.toContain('\u001b');
  });

  it('keeps what stands out in view', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ value: index, label: `type-${index}`, names: [] }));
    const frame = chooseFrame('Which?', { filter: '', at: 12 }, many, '');
    expect(frame).toContain('> \u001b[7mtype-12');
    expect(frame).not.toContain('type-2\n');
  });

  it('ends with the input where the terminal cannot move its cursor, instead of asking forever', async () => {
    await expect(choose('nosuch\n', false)).rejects.toMatchObject({ code: 'cli.interrupted' });
  });
});

it('a hidden text is what is seen as marks: no arrow, and no mark of what is pasted', async () => {
  const keys = 'sk\u001b[A-\u001b[200~abc\u001b[201~x\u007f\u001b[3~\r';
  const { value, drawn } = await typed(keys, true, (input) => input.askHidden('Key?'));
  expect([value, drawn.match(/•/g)?.length]).toEqual(['sk-abc', 7]);
});
