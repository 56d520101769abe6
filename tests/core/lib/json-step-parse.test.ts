import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonExactly, parseJsonInSteps } from '../../../core/lib/json-step-parse.ts';
import { RawJson } from '../../../core/lib/raw-json.ts';

describe('parseJsonInSteps', () => {
  it('gives what JSON.parse gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(undefined, 2), async (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(await parseJsonInSteps(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same of bytes that come in pieces, cut anywhere', async () => {
    async function* inPieces(bytes: Buffer, length: number) {
      for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
    }
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), async (value, length) => {
        const text = JSON.stringify({ value, text: '\ud83d\ude00\u20ac\n\\"', escaped: '$' }).replace(
          '$',
          '\\ud83d\\ude00\\u20ac\\n\\\\',
        );
        expect(await parseJsonInSteps(inPieces(Buffer.from(text), length))).toEqual(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
    for (const text of ['-12.5e-3', 'true', ' [1, 23 ,null ] ']) {
      expect(await parseJsonInSteps(inPieces(Buffer.from(text), 1))).toEqual(JSON.parse(text));
    }
  });

  it('keeps the last of repeated keys and never changes a prototype', async () => {
    const text = '{"a":1,"b":{"__proto__":{"isAdmin":true}},"a":[1e3,-0,"\\ud800\\u0000\\u2028"],"":{}}';
    const parsed = (await parseJsonInSteps(Buffer.from(text))) as { b: { isAdmin?: boolean } };
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)));
    expect(parsed.b.isAdmin).toBeUndefined();
    expect(Object.hasOwn(parsed.b, '__proto__')).toBe(true);
  });

  it('puts strings longer than one turn together, wherever an escape or a character is cut', async () => {
    for (let shift = 0; shift < 8; shift += 1) {
      const text = `{"${'k'.repeat(shift)}":"${'\\ud83d\\ude00\u20ac\\n\\\\'.repeat(40_000)}"}`;
      expect(await parseJsonInSteps(Buffer.from(text))).toEqual(JSON.parse(text));
    }
  });

  it('lets other work go on while it reads a large body', async () => {
    const text = JSON.stringify({ rows: Array.from({ length: 100_000 }, (_, id) => ({ id, name: `row ${id}` })) });
    let turns = 0;
    const counter = setInterval(() => {
      turns += 1;
    }, 0);
    const parsed = await parseJsonInSteps(Buffer.from(text));
    clearInterval(counter);
    expect(parsed).toEqual(JSON.parse(text));
    expect(turns).toBeGreaterThan(3);
  });
});

describe('parseJsonExactly', () => {
  it('keeps the digits of whole numbers in the input of a tool use, and of no other block', async () => {
    const long = '1234567890123456789';
    const rounded = Number(long);
    const block = (type: string) => `{${type}"id":"tool_use","input":{"id":${long},"in":[{"a":-${long}}]},"x":${long}}`;
    const [used, untyped, other] = ['"type":"tool_use",', '', '"type":"other",'].map(block);
    const whole = { input: { id: new RawJson(long), in: [{ a: new RawJson(`-${long}`) }] }, x: rounded };
    for (const text of [
      `{"content":[${used}]}`,
      `{"content":[${untyped}]}`,
      `{"content":${used}}`,
      `{"content_block":${used}}`,
    ]) {
      const parsed = Object.values(parseJsonExactly(text) as object).flat();
      expect(parsed, text).toMatchObject([whole]);
      expect(Object.values((await parseJsonInSteps(Buffer.from(text))) as object).flat()).toEqual(parsed);
    }
    for (const text of [`{"content":[${other}]}`, `{"contents":[${used}]}`, `[${used}]`, used ?? ''])
      expect(parseJsonExactly(text), text).toEqual(JSON.parse(text));
  });

  it('keeps the digits of whole numbers in the arguments of a call of Gemini’s, and nowhere else', async () => {
    const long = '1234567890123456789';
    const text = `{"args":${long},"functionCall":{"name":"${long}","args":{"id":-${long},"in":[${long},1.5e20,7]}},"n":${long}}`;
    const rounded = Number(long);
    const expected = {
      args: rounded,
      functionCall: { name: long, args: { id: new RawJson(`-${long}`), in: [new RawJson(long), 1.5e20, 7] } },
      n: rounded,
    };
    expect(parseJsonExactly(text)).toEqual(expected);
    expect(await parseJsonInSteps(Buffer.from(text))).toEqual(expected);
    expect(() => parseJsonExactly(`${text}}`)).toThrow(SyntaxError);
  });
});
