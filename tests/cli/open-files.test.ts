import { expect, it } from 'vitest';
import { lowFileLimit } from '../../cli/serve/open-files.ts';

it('a start warns of few open files, where the system tells how many there may be', () => {
  const limits = (files: string) => () =>
    `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${files.padEnd(20)} ${files.padEnd(20)} files\n`;
  expect(lowFileLimit(limits('40'))).toBe(40);
  expect(lowFileLimit(limits('65536'))).toBeUndefined();
  expect(lowFileLimit(limits('unlimited'))).toBeUndefined();
  expect(
    lowFileLimit(() => {
      throw new Error('no such file');
    }),
  ).toBeUndefined();
});
