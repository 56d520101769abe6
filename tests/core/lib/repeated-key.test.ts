import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasRepeatedKey } from '../../../core/lib/repeated-key.ts';

describe('a key that stands twice', () => {
  it.each(['{"a":1,"a":2}', '{"b":{"a":1,"c":[{}],"a":2}}', '[{"a":1},{"b":1,"\\u0062":2}]', '{"\\"":1 , "\\"" : 2}'])(
    'is found: %s',
    (json) => expect(hasRepeatedKey(json)).toBe(true),
  );

  it('is not seen in what a program wrote', () => {
    fc.assert(fc.property(fc.json(), (json) => !hasRepeatedKey(JSON.stringify(JSON.parse(json)))));
    expect(hasRepeatedKey('{"a":"a","b":{"a":"{\\"a\\":1"},"c":["a:","a:"]}')).toBe(false);
  });
});
