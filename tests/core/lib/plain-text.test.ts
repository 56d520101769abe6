import { describe, expect, it } from 'vitest';
import { plainJson, plainText } from '../../../core/lib/plain-text.ts';

const hidden = {
  'right to left override': '\u202e',
  'right to left mark': '\u200f',
  isolate: '\u2067',
  'zero-width space': '\u200b',
  'zero-width non-joiner': '\u200c',
  'zero-width joiner between letters': '\u200d',
  'word joiner': '\u2060',
  'byte order mark': '\ufeff',
  'C1 CSI': '\u009b',
  'C1 NEL': '\u0085',
  bell: '\u0007',
  delete: '\u007f',
  'line separator': '\u2028',
  'combining grapheme joiner': '\u034f',
  'Hangul filler': '\u3164',
  'tag character': '\u{e0041}',
};

describe('text of others', () => {
  it.each(Object.entries(hidden))('loses what a screen obeys or does not show: %s', (_name, mark) => {
    expect(plainText(`a${mark}b`)).toBe('ab');
  });

  it.each(Object.entries(hidden))('has it as an escape in JSON, and means the same: %s', (_name, mark) => {
    const json = plainJson(JSON.stringify({ name: `a${mark}b` }, null, 2));
    expect(json).not.toContain(mark);
    expect(json).toContain('\n');
    expect(JSON.parse(json)).toEqual({ name: `a${mark}b` });
  });

  it('keeps lines, tabs, every script and pictures that are several in one', () => {
    const text = 'häh\t主渠道\nעברית हिन्दी 👩🏽‍💻 👨‍👩‍👧 ❤️ e\u0301';
    expect(plainText(text)).toBe(text);
  });

  it('loses whole terminal sequences', () => {
    expect(plainText('a\u001b[31mred\u001b[0m \u001b]52;c;x\u0007b')).toBe('ared 52;c;xb');
  });
});
