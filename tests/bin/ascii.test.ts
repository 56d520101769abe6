import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { inAscii } from '../../bin/ascii.ts';

/** As `bin/kept-script.ts` reads a script. */
const read = (script: string) => runInNewContext(Buffer.from(script).toString('latin1'));

it.each([
  [String.raw`/欠费|余额/.test('\u4f59\u989d\u4e0d\u8db3')`, true],
  [String.raw`'\u201cx\u201d y'.replace(/“[^”]*”/g, '')`, ' y'],
  [String.raw`/^[😀-😂]$/u.test('\ud83d\ude01')`, true],
  [String.raw`/\\é/.test('\\\u00e9')`, true],
])('a built script does the same in ASCII: %s', (script, result) => {
  expect(read(script)).not.toBe(result);
  expect(read(inAscii(script))).toBe(result);
});

it('refuses a letter that its backslash would take apart', () => {
  expect(() => inAscii(String.raw`/\é/`)).toThrow('a backslash stands before');
});
