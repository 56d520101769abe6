import { describe, expect, it } from 'vitest';
import { BoundaryPadding, boundaryOf } from '../../../../core/http/body/boundary-padding.ts';

describe('blanks behind a boundary', () => {
  function without(text: string, pieceBytes: number): string {
    const padding = new BoundaryPadding('b-1');
    const bytes = Buffer.from(text);
    const kept: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += pieceBytes) kept.push(padding.push(bytes.subarray(at, at + pieceBytes)));
    return Buffer.concat([...kept, padding.end()]).toString();
  }

  it.each([
    [
      '--b-1 \t \r\nhead\r\n\r\nvalue\r\n--b-1\t\r\nhead\r\n\r\n--b-1--',
      '--b-1\r\nhead\r\n\r\nvalue\r\n--b-1\r\nhead\r\n\r\n--b-1--',
    ],
    ['preamble\r\n--b-1  \r\n\r\n--b-1--  \r\nend', 'preamble\r\n--b-1\r\n\r\n--b-1--  \r\nend'],
  ])('are taken out wherever the form is cut: %j', (given, expected) => {
    for (let size = 1; size <= given.length; size++) expect(without(given, size), String(size)).toBe(expected);
  });

  it.each([
    '--b-1\r\nno blanks\r\n--b-1--\r\n',
    'value --b-1  \r\n within a line',
    '\r\n--b-1 x\r\n\r\n--b-1 \n\r\n--b-1 \r\r\n--b-12 \r\n',
    `\r\n--b-1${' '.repeat(300)}\r\n`,
    '\r\n\r\n--b-',
    '',
  ])('are all that is taken out: %j', (given) => {
    for (let size = 1; size <= given.length + 1; size++) expect(without(given, size), String(size)).toBe(given);
  });

  it('are those of the boundary that the header names', () => {
    for (const [header, boundary] of [
      ['multipart/form-data; boundary=b-1', 'b-1'],
      ['multipart/form-data;charset=utf-8; BOUNDARY="b \\"1\\""; x=y', 'b "1"'],
      ['multipart/form-data; boundary=b; x=y', 'b'],
      ['multipart/form-data', undefined],
    ] as const)
      expect(boundaryOf(header)).toBe(boundary);
  });
});
