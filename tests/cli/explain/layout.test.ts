import { describe, expect, it } from 'vitest';
import { hanging, rowLines } from '../../../cli/explain/hanging.ts';
import { prettyJson } from '../../../cli/explain/pretty-json.ts';

const shortened = (count: number) => `(${count})`;

describe('a body laid out for reading', () => {
  it('keeps numbers, escapes and doubled keys as they are sent', () => {
    const text = String.raw`{"big":12345678901234567890,"a":"\"}{\\","a":1.50,"none":{},"empty":[ ],"list":[true,null]}`;
    expect(prettyJson(text, shortened)).toBe(
      String.raw`{
  "big": 12345678901234567890,
  "a": "\"}{\\",
  "a": 1.50,
  "none": {},
  "empty": [],
  "list": [
    true,
    null
  ]
}`,
    );
  });

  it('cuts base64 that fills the screen, and no words', () => {
    const words = 'a word '.repeat(60);
    const image = `data:image/png;base64,${'QUJD'.repeat(100)}==`;
    const shown = prettyJson(JSON.stringify([words, image]), shortened);
    expect(shown).toContain(words);
    expect(shown).toContain(`"data:image/png;base64,QUJDQUJDQUJDQUJDQU… (${image.length})"`);
  });
});

describe('a text beside its label', () => {
  it('goes on below itself, between words', () => {
    expect(hanging('label', 'one two three four five six', 8, 28)).toEqual([
      'label   one two three four',
      '        five six',
    ]);
  });

  it('breaks where a language sets no spaces, and where a word is longer than the line', () => {
    expect(hanging('', '这个渠道没有列出该模型所以不会使用', 0, 20)).toEqual([
      '这个渠道没有列出该模',
      '型所以不会使用',
    ]);
    expect(hanging('x', `${'y'.repeat(30)} z`, 4, 24)).toEqual([`x   ${'y'.repeat(20)}`, `    ${'y'.repeat(10)} z`]);
  });

  it('is in one column whatever the labels are', () => {
    expect(
      rowLines(
        [
          ['倍率', '1'],
          ['held', '2'],
        ],
        80,
      ),
    ).toEqual(['  倍率  1', '  held  2']);
  });
});
