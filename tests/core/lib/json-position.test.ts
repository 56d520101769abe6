import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonErrorPosition } from '../../../core/lib/json-position.ts';

describe('the place where a text stops being JSON', () => {
  it('is nowhere in JSON, and behind JSON that something else follows', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(jsonErrorPosition(text)).toBeUndefined();
        expect(jsonErrorPosition(`${text} ]`)).toEqual({ line: 1, column: text.length + 2 });
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['', 1, 1],
    ['{', 1, 2],
    ['{oops', 1, 2],
    ['{"a":1,}', 1, 8],
    ['{"a" 1}', 1, 6],
    ['[1,]', 1, 4],
    ['[1 2]', 1, 4],
    ['{"a":1} x', 1, 9],
    ['{\n  "a": "b",\n}', 3, 1],
    ['{\n  "a": tru\n}', 2, 8],
    ['{"a":[1,2}', 1, 10],
    ['"open', 1, 1],
    ['[01]', 1, 2],
  ])('B %j breaks off at line %i, column %i', (text, line, column) => {
    expect(jsonErrorPosition(text)).toEqual({ line, column });
  });
});
