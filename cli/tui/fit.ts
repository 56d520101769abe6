import stringWidth from 'string-width';
import { plainText } from '../../core/lib/plain-text.ts';
import { cutTo as cut } from '../print/table.ts';

/** Text of others on one line, without anything that moves the cursor. */
export const oneLine = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim();

const escapeCharacter = '\u001b';
const tones = new RegExp(`(${escapeCharacter}\\[[\\d;]*m)`);

/** Without anything that steers a terminal but our own tones: what others wrote may be in any line. */
export const harmless = (text: string): string =>
  text.includes(escapeCharacter)
    ? text
        .split(tones)
        .map((part, index) => (index % 2 === 1 ? part : withoutFeeds(part)))
        .join('')
    : withoutFeeds(text);

const withoutFeeds = (text: string) => plainText(text).replace(/[\t\n]/g, '');

/** Filled up with blanks to so many cells. */
export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - stringWidth(text)));

/** `left` and `right` at the two ends of a line; the left one gives way. */
export function spread(left: string, right: string, width: number, ellipsis: string): string {
  const room = width - stringWidth(right) - 1;
  if (room < 10) return cut(left, width, ellipsis);
  return `${pad(cut(left, room, ellipsis), room)} ${right}`;
}

/** The last part of a text that fits: where one writes is seen. */
export function tail(text: string, width: number): string {
  const characters = [...text];
  let used = 0;
  let start = characters.length;
  while (start > 0) {
    used += stringWidth(characters[start - 1] ?? '');
    if (used > width) break;
    start--;
  }
  return characters.slice(start).join('');
}

/** A long text as lines of at most so many cells, broken between words where that leaves no line half empty. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of plainText(text).split('\n')) {
    let line = '';
    let used = 0;
    for (const character of paragraph.replaceAll('\t', '  ')) {
      const size = stringWidth(character);
      if (used + size > width) {
        const end = character === ' ' ? line.length : line.lastIndexOf(' ') + 1;
        const head = stringWidth(line.slice(0, end)) > width / 2 ? end : line.length;
        lines.push(line.slice(0, head));
        line = line.slice(head);
        used = stringWidth(line);
        if (line === '' && character === ' ') continue;
      }
      line += character;
      used += size;
    }
    lines.push(line);
  }
  return lines;
}

export { cut, stringWidth as widthOf };
