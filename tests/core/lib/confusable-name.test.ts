import { describe, expect, it } from 'vitest';
import { hasUnseen, mixesAlphabets, nameSkeleton } from '../../../core/lib/confusable-name.ts';

describe('a name', () => {
  it.each([
    '\u3164',
    '\u115f',
    '\u1160',
    '\uffa0',
    '\ufe0f',
    '\u034f',
    '\u2800',
    '\u200b',
    '\u202e',
    '\u00a0',
    '\u2028',
  ])('with an invisible character is detected: %j', (mark) => {
    expect(hasUnseen(`root${mark}`)).toBe(true);
  });

  it.each(['root', '李雷', '주 채널', 'Zoë', 'हिन्दी', 'Иван', '⚠️ main', '测试　令牌'])(
    'that people use is fine: %s',
    (name) => {
      expect(hasUnseen(name)).toBe(false);
      expect(mixesAlphabets(name)).toBe(false);
    },
  );

  it.each(['r\u043e\u043et', '\u0430dmin', '\u03b1lpha', 'b\u03bfb', '\uff52\u043eot'])(
    'in letters of two alphabets that look the same is detected: %s',
    (name) => {
      expect(mixesAlphabets(name)).toBe(true);
    },
  );

  it.each([
    ['\u0430\u0441\u0435', 'ace'],
    ['\ua4e3\ua4f3\ua4f3\ua4d4', 'root'],
    ['\u0421\u041e\u0421\u041e', 'coco'],
    ['ad\u0131', 'Adi'],
    ['\u03bf\u03c1', '\u043e\u0440'],
  ])('in one alphabet has the skeleton of what it looks like in another: %s', (name, other) => {
    expect(nameSkeleton(name)).toBe(nameSkeleton(other));
  });

  it('that looks like no other has a skeleton of its own', () => {
    const names = ['root', 'admin', '李雷', '李蕾', 'Иван', 'Zoë', 'Zoe', '주'];
    expect(new Set(names.map(nameSkeleton)).size).toBe(names.length);
  });
});
