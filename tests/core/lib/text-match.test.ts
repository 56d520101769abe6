import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textMatches } from '../../../core/lib/text-match.ts';
import { createTemporaryDatabase, engines, type TemporaryDatabase } from '../../support/temporary-database.ts';

describe.each(engines)('searching for a text on %s', (engine) => {
  let bed: TemporaryDatabase;
  const match = textMatches[engine];
  beforeAll(async () => {
    bed = await createTemporaryDatabase(engine);
  });
  afterAll(() => bed.remove());

  async function holds(name: string, pattern: string): Promise<boolean> {
    const table = '(SELECT CAST(:name AS TEXT) AS name) one';
    const sql = `SELECT 1 AS found FROM ${table} WHERE name ${match.operator} :pattern`;
    return (await bed.database.select(sql, { name, pattern })).length > 0;
  }

  it.each([
    ['Élan', 'éLAN'],
    ['Иван Петров', 'иВАН п'],
    ['ΑΘΗΝΑ', 'θην'],
    ['ÄrgerÖ', 'äRGERö'],
    ['plain ASCII', 'Ascii'],
    ['令牌 One', '牌 oNE'],
    ['Straße', 'RAß'],
    ['𐐀𐐁', '𐐨'],
  ])('finds it whatever the case of any letter: "%s" by "%s"', async (name, text) => {
    expect(await holds(name, match.containing(text))).toBe(true);
    expect(await holds(name, match.containing(`${text}x`))).toBe(false);
  });

  it('finds it at the beginning alone where that is asked for', async () => {
    expect(await holds('Émile Zola', match.beginning('émile'))).toBe(true);
    expect(await holds('Émile Zola', match.beginning('zola'))).toBe(false);
  });

  it('finds what fits a pattern as a whole, with % for any text and every other sign as itself', async () => {
    for (const pattern of ['GPT-4%', '%4o%', 'gpt%MINI', '%', 'Gpt-4o-mini'])
      expect(await holds('gpt-4o-mini', match.fitting(pattern)), pattern).toBe(true);
    for (const pattern of ['4o%', '%gpt', 'gpt_4o%', 'gpt.*', 'gpt%*'])
      expect(await holds('gpt-4o-mini', match.fitting(pattern)), pattern).toBe(false);
    expect(await holds('', match.fitting('%'))).toBe(true);
  });

  it('B56 takes every sign as itself', async () => {
    for (const sign of '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\'') {
      expect(await holds(`a${sign}b`, match.containing(`A${sign}B`)), sign).toBe(true);
      expect(await holds('a-+b a b aab', match.containing(`a${sign}b`)), sign).toBe(false);
    }
    expect(await holds('anything', match.containing('a.*g'))).toBe(false);
    expect(await holds('end', match.containing('d$'))).toBe(false);
    expect(await holds('end', match.containing('^e'))).toBe(false);
  });
});
