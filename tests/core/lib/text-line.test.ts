import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../core/lib/text-line.ts';

async function linesIn(...pieces: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(Readable.from(pieces))) lines.push(line);
  return lines;
}

describe('lines of a text that comes in pieces', () => {
  it('end with a line feed, wherever the pieces are cut', async () => {
    expect(await linesIn('ab\n\nc', 'd', '\n', 'e\nf\ng', '\n')).toEqual(['ab', '', 'cd', 'e', 'f', 'g']);
    expect(await linesIn('a\nb')).toEqual(['a', 'b']);
    expect(await linesIn('')).toEqual([]);
  });

  it('end nowhere else', async () => {
    const text = '{"a":"\u2028\u2029\u0085\u000b\u000c\r"}';
    expect(await linesIn(`${text}\n${text}`)).toEqual([text, text]);
  });
});
