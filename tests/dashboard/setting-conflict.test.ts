import { describe, expect, it } from 'vitest';
import { differencesOf, mergedText, type SettingConflict } from '../../dashboard/src/pages/setting/setting-conflict.ts';

const conflict = (key: SettingConflict['key'], loaded: unknown, mine: unknown, theirs: unknown): SettingConflict => {
  const texts = { loaded: JSON.stringify(loaded), mine: JSON.stringify(mine), theirs: JSON.stringify(theirs) };
  return {
    key,
    ...texts,
    now: { key, value: texts.theirs, has: true, own: texts.theirs, version: 'v', changed_by: 'alice', changed_at: 1 },
  };
};

describe('two edits of one setting', () => {
  it('are both kept where they are of different entries of a list', () => {
    const both = conflict('GroupRatio', { a: 1, b: 1, c: 1 }, { a: 2, b: 1, mine: 5 }, { a: 1, b: 3, c: 1, theirs: 4 });
    expect(JSON.parse(mergedText(both))).toEqual({ a: 2, b: 3, theirs: 4, mine: 5 });
  });

  it('let the own one win for the same entry, and for everything that is not a list', () => {
    expect(JSON.parse(mergedText(conflict('GroupRatio', { a: 1 }, { a: 2 }, { a: 3 })))).toEqual({ a: 2 });
    expect(mergedText(conflict('RetryTimes', 1, 2, 3))).toBe('2');
  });

  it('are shown side by side, entry by entry', () => {
    const both = conflict('GroupRatio', { a: 1 }, { a: 2, same: 1 }, { a: 3, same: 1, theirs: 4 });
    expect(differencesOf(both)).toEqual([
      { name: 'a', mine: '2', theirs: '3' },
      { name: 'theirs', mine: '', theirs: '4' },
    ]);
    expect(differencesOf(conflict('RetryTimes', 1, 2, 3))).toEqual([{ name: '', mine: '2', theirs: '3' }]);
  });
});
