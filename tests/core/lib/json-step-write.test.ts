import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeJsonInSteps } from '../../../core/lib/json-step-write.ts';
import { RawJson, writeJson } from '../../../core/lib/raw-json.ts';

async function written(value: unknown, embed?: (text: string) => Buffer[] | undefined): Promise<string> {
  return Buffer.concat(await writeJsonInSteps(value, embed)).toString('utf8');
}

describe('writeJsonInSteps', () => {
  it('writes what writeJson and JSON.stringify write', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(await written(value)).toBe(JSON.stringify(value));
        expect(writeJson(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 300 },
    );
    const odd = { gone: undefined, list: [undefined, new RawJson('12345678901234567890')], '': [], empty: {} };
    expect(await written(odd)).toBe('{"list":[null,12345678901234567890],"":[],"empty":{}}');
    expect(writeJson(odd)).toBe(await written(odd));
  });

  it('writes long texts piece by piece, wherever a character is cut', async () => {
    for (let shift = 0; shift < 4; shift += 1) {
      const text = `${'x'.repeat(shift)}${'\u{1f600}"\n\ud800'.repeat(60_000)}`;
      expect(await written({ a: [text, 1] })).toBe(JSON.stringify({ a: [text, 1] }));
    }
  });

  it('puts bytes where a text stands for them', async () => {
    const embed = (text: string) => (text === 'mark' ? [Buffer.from('AB'), Buffer.from('CD')] : undefined);
    expect(await written({ a: 'mark', b: ['marked', 'mark'] }, embed)).toBe('{"a":"ABCD","b":["marked","ABCD"]}');
  });

  it('lets other work go on while it writes', async () => {
    let turns = 0;
    const counter = setInterval(() => {
      turns += 1;
    }, 0);
    await writeJsonInSteps(Array.from({ length: 100_000 }, (_, id) => ({ id, name: `row ${id}` })));
    clearInterval(counter);
    expect(turns).toBeGreaterThan(3);
  });
});
