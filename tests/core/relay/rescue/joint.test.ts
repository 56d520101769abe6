import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Joint } from '../../../../core/relay/rescue/joint.ts';

function joined(text: string, pieces: string[], repeats: boolean): string {
  const joint = new Joint(text, repeats);
  return text + pieces.map((piece) => joint.push(piece)).join('') + joint.settle();
}

/** Cut anywhere into pieces. */
const cut = fc.tuple(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(), { maxLength: 6 })).map(([text, places]) => {
  const at = [0, ...places.map((place) => place % (text.length + 1)), text.length].sort((a, b) => a - b);
  return { text, pieces: at.slice(1).map((end, index) => text.slice(at[index], end)) };
});

describe('the joint of a text and what goes on with it', () => {
  it('loses and doubles nothing where words are not repeated, however they come', () => {
    fc.assert(
      fc.property(fc.string(), cut, (before, { text, pieces }) => {
        fc.pre(before.trimEnd() === before);
        expect(joined(before, pieces, false)).toBe(before + text);
      }),
    );
  });

  it('takes the blanks out that the other says again, because it was not shown them', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom(' ', '\n', ' \n ', '\n\n'),
        cut,
        (words, blanks, rest) => {
          fc.pre(words.trimEnd() === words && rest.text.trimStart() === rest.text);
          const before = `${words}${blanks}`;
          expect(joined(before, [blanks, ...rest.pieces], false)).toBe(before + rest.text);
        },
      ),
    );
  });

  it('takes words out that are said again, where they may be', () => {
    fc.assert(
      fc.property(cut, fc.integer({ min: 12, max: 28 }), ({ text, pieces }, length) => {
        const before = 'It was the best of times, it was';
        fc.pre(!before.endsWith(text) || text === '');
        const repeated = before.slice(-length);
        expect(joined(before, [repeated.slice(0, 5), repeated.slice(5), ...pieces], true)).toBe(before + text);
      }),
    );
  });

  it('keeps a few letters that happen to be the same', () => {
    expect(joined('a banana', ['nana'], true)).toBe('a banananana');
    expect(joined('So', ['So far'], true)).toBe('SoSo far');
  });
});
