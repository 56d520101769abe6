import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonKeyRule, type JsonScan, TopLevelScanner } from '../../../core/lib/json-scan.ts';
import { JsonScanError } from '../../../core/lib/json-scan-error.ts';
import { isJsonObject } from '../../../core/lib/json-value.ts';

const openRule: JsonKeyRule = {
  isForbidden: false,
  countsStrings: true,
  countsKeys: false,
  maxCount: Number.POSITIVE_INFINITY,
};

const ruleFor = (key: string): JsonKeyRule => ({
  ...openRule,
  isForbidden: key === 'secret',
  countsStrings: key !== 'user',
  countsKeys: key === 'tools',
  maxCount: key === 'few' ? 3 : Number.POSITIVE_INFINITY,
});

function scan(
  text: string | Buffer,
  pieceBytes = Number.POSITIVE_INFINITY,
  keepBytes = 0,
  limits: { maxValues?: number } = {},
): JsonScan {
  const bytes = Buffer.from(text);
  const scanner = new TopLevelScanner({ ruleFor, keepBytes, ...limits });
  for (let at = 0; at < bytes.length; at += pieceBytes) scanner.push(bytes.subarray(at, at + pieceBytes));
  return scanner.end();
}

function faultOf(text: string, pieceBytes?: number): string {
  try {
    scan(text, pieceBytes);
    return 'accepted';
  } catch (error) {
    return error instanceof JsonScanError ? error.fault : `threw ${error}`;
  }
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value);
  } catch {
    return false;
  }
}

const jsonObject = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ noUnicodeString: false }), {
  noNullPrototype: true,
});
const spacing = fc.constantFrom(undefined, 1, '\t', '  ');

describe('TopLevelScanner', () => {
  it('finds the same keys and values as JSON.parse', () => {
    fc.assert(
      fc.property(jsonObject, spacing, (object, space) => {
        const text = JSON.stringify(object, null, space);
        const expected = JSON.parse(text) as Record<string, unknown>;
        const { members } = scan(text);
        const bytes = Buffer.from(text);
        const found = [...members.values()].map(({ key, valueStart, valueEnd }) => [
          key,
          JSON.parse(bytes.toString('utf8', valueStart, valueEnd)),
        ]);
        expect(new Map(found as [string, unknown][])).toEqual(new Map(Object.entries(expected)));
        for (const { key, count } of members.values()) {
          const value = expected[key];
          expect(count).toBe(Array.isArray(value) ? value.length : undefined);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same result wherever the bytes are cut', () => {
    fc.assert(
      fc.property(jsonObject, fc.integer({ min: 1, max: 7 }), (object, pieceBytes) => {
        const text = JSON.stringify({ ...object, 'k\u00e9y\n': ['\ud83d\ude00\\', -1.5e-7, true], user: 'x' });
        const whole = scan(text, undefined, 64);
        expect(scan(text, pieceBytes, 64)).toEqual(whole);
      }),
    );
    const text = '{"mo\\u0064el" : "a\\"b\\\\", "n":-10.25E+3,"few":[null,{"x":[]},"é😀"],"z":{}}';
    const whole = scan(text, undefined, 64);
    const bytes = Buffer.from(text);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const scanner = new TopLevelScanner({ ruleFor, keepBytes: 64 });
      scanner.push(bytes.subarray(0, cut));
      scanner.push(bytes.subarray(cut));
      expect(scanner.end()).toEqual(whole);
    }
  });

  it('accepts exactly the objects JSON.parse accepts', () => {
    const alphabet = [
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '\\',
      'u',
      '0',
      '1',
      '-',
      '.',
      'e',
      '+',
      ' ',
      '\n',
      't',
      'true',
    ];
    const soup = fc.array(fc.constantFrom(...alphabet, '"a"', '"b":', 'null', 'false', '\\u00e9', '\u0001'), {
      maxLength: 12,
    });
    const base = JSON.stringify({ a: [1, -0.5e3, 'x\\"y\u00e9', null, { b: true }], c: {}, d: 'long '.repeat(80) });
    const damaged = fc
      .tuple(fc.nat(base.length), fc.nat(3), fc.constantFrom(...alphabet, '', '\u0000'))
      .map(([at, gone, put]) => base.slice(0, at) + put + base.slice(at + gone));
    const check = (text: string) => {
      const fault = faultOf(text);
      if (fault !== 'duplicateKey')
        expect(`${text} ${fault}`).toBe(`${text} ${isObject(text) ? 'accepted' : 'notJson'}`);
    };
    fc.assert(
      fc.property(soup, (parts) => check(`{"a":${parts.join('')}}`)),
      { numRuns: 3000 },
    );
    fc.assert(fc.property(damaged, check), { numRuns: 3000 });
  });

  it('finds control characters, quotes and escapes anywhere in a long string', () => {
    for (let byte = 0; byte < 0x80; byte += 1) {
      for (let at = 600; at < 604; at += 1) {
        const text = Buffer.from(`{"a":"${'x'.repeat(700)}"}`);
        text[at] = byte;
        expect(faultOf(text.toString()), `${byte} at ${at}`).toBe(isObject(text.toString()) ? 'accepted' : 'notJson');
      }
    }
  });

  it('refuses what is not one object', () => {
    for (const text of ['', ' ', '[]', 'null', '"x"', '1', '{}{}', '{} x', '{"a":1', '{"a"}', '{,}', '{"a":1,}']) {
      expect(faultOf(text), text).toBe('notJson');
    }
    expect(faultOf('{"a":01}')).toBe('notJson');
    expect(faultOf('{"a":tru}')).toBe('notJson');
    expect(faultOf('{"a":[1}]')).toBe('notJson');
    expect(faultOf(`{"${'k'.repeat(1025)}":1}`, 100)).toBe('notJson');
  });

  it('refuses a repeated key, also when it is spelled with escapes', () => {
    expect(faultOf('{"model":"a","model":"b"}')).toBe('duplicateKey');
    expect(faultOf('{"model":"a","mo\\u0064el":"b"}')).toBe('duplicateKey');
    expect(faultOf('{"model":"a","mo\\u0064el":"b"}', 1)).toBe('duplicateKey');
    expect(faultOf('{"a":{"model":1,"model":2},"b":{"model":3}}')).toBe('accepted');
  });

  it('refuses forbidden keys, also when they are spelled with escapes', () => {
    expect(faultOf('{"secret":1}')).toBe('forbiddenKey');
    expect(faultOf('{"secre\\u0074":1}')).toBe('forbiddenKey');
  });

  it('bounds depth, elements and keys', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect(faultOf(nested(200))).toBe('accepted');
    expect(faultOf(nested(201))).toBe('tooDeep');
    expect(faultOf('{"few":[1,2,3]}')).toBe('accepted');
    expect(faultOf('{"few":[1,2,3,4]}')).toBe('tooMany');
    expect(faultOf('{"other":{"few":[1,2,3,4]}}')).toBe('accepted');
    const keys = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])));
    expect(faultOf(keys(1000))).toBe('accepted');
    expect(faultOf(keys(1001))).toBe('tooMany');
  });

  it('bounds the number of values, of which four numbers are one', () => {
    expect(scan('{"a":[{"b":"c"},[1,2,true,null]]}').values).toBe(8);
    expect(faultOf(`{"z":[${'{},'.repeat(99_996)}{}]}`)).toBe('accepted');
    expect(faultOf(`{"z":[${'{},'.repeat(99_997)}{}]}`)).toBe('tooMany');
    expect(faultOf(`{"z":{${'"a":1,'.repeat(80_000)}"a":1}}`, 65_536)).toBe('tooMany');
    expect(faultOf(`{"input":[${'1234,'.repeat(300_000)}1]}`)).toBe('accepted');
    expect(faultOf(`{"input":[${'1234,'.repeat(400_000)}1]}`)).toBe('tooMany');
  });

  it('counts addresses where media is named, and nowhere else', () => {
    const url = 'https://example.com/cat.png';
    const parts = [{ image_url: { url } }, { image_url: url }, { fileData: { fileUri: url } }, { source: { url } }];
    for (const pieceBytes of [Number.POSITIVE_INFINITY, 7]) {
      expect(scan(JSON.stringify({ messages: parts }), pieceBytes).mediaParts).toBe(4);
    }
    const words = [url, { text: url }, { content: url }, { url: 'a cat' }];
    expect(scan(JSON.stringify({ messages: words })).mediaParts).toBe(0);
  });

  it('counts the text a model reads as UTF-8, whether it came escaped or not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.boolean(), (text, isEscaped) => {
        let raw = JSON.stringify(text);
        if (isEscaped)
          raw = raw.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
        expect(scan(`{"messages":[{"role":${raw}}],"user":${raw}}`).textBytes).toBe(Buffer.byteLength(text));
      }),
    );
    expect(scan('{"tools":[{"name":"ab"}]}').textBytes).toBe(6);
    expect(scan('{"messages":[{"name":"ab"}]}').textBytes).toBe(2);
  });

  it('tells media from text', () => {
    const base64 = Buffer.alloc(3000, 'abc').toString('base64');
    const wrapped = base64.replace(/.{76}/g, '$&\n');
    for (const media of [base64, wrapped, `data:image/png;base64,${base64}`, 'data:image/png;base64,iVBORw0KGgo=']) {
      expect(scan(JSON.stringify({ messages: [media, 'four'] }))).toMatchObject({ mediaParts: 1, textBytes: 4 });
      expect(scan(JSON.stringify({ messages: [media, 'four'] }).replaceAll('/', '\\/'), 3)).toMatchObject({
        mediaParts: 1,
      });
    }
    const chinese = '\u6c49\u8bed'.repeat(2000);
    const escaped = '\\u6c49'.repeat(2000);
    expect(scan(JSON.stringify({ messages: [chinese] }))).toMatchObject({ mediaParts: 0, textBytes: 12_000 });
    expect(scan(`{"messages":["${escaped}"]}`)).toMatchObject({ mediaParts: 0, textBytes: 6000 });
    expect(scan(JSON.stringify({ messages: ['data: the following', 'word '.repeat(1000)] })).mediaParts).toBe(0);
  });

  it('keeps the text of small values only, and never more than a mebibyte in all', () => {
    const { members } = scan(JSON.stringify({ model: 'small', messages: 'x'.repeat(200) }), 16, 100);
    expect(members.get('model')?.raw).toBe('"small"');
    expect(members.get('messages')?.raw).toBeUndefined();
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, 'x'.repeat(60_000)]));
    const kept = [...scan(JSON.stringify(many), 65_536, 65_536).members.values()].reduce(
      (sum, { raw }) => sum + (raw?.length ?? 0),
      0,
    );
    expect(kept).toBeGreaterThan(900_000);
    expect(kept).toBeLessThanOrEqual(1 << 20);
  });

  it('takes time in proportion to the bytes, whatever they are: quadratic time would end in the time limit of the test', () => {
    const size = 8 << 20;
    const bodies = [
      `{"a":"${'\\\\'.repeat(size / 2)}"}`,
      `{"a":"${'\\"'.repeat(size / 2)}"}`,
      `{"a":[${'[],'.repeat(size / 3)}[]]}`,
      `{"a":[${'"",'.repeat(size / 3)}""]}`,
      `{"a":${'1'.repeat(size)}}`,
      `{"a":"${'x'.repeat(size)}"}`,
    ];
    for (const body of bodies) scan(body, 65_536, 65_536, { maxValues: Number.POSITIVE_INFINITY });
  });
});
