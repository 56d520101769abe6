import { version } from '../../core/version.ts';
import type { Speak } from '../text.ts';
import { cut, spread, widthOf } from './fit.ts';

const maxTabLength = 20;

interface HeadLine {
  speak: Speak;
  width: number;
  ellipsis: string;
}

/** What runs where and how it is doing, as far as that is known; the keys at the right end. */
export function headLine({ speak, width, ellipsis }: HeadLine, { place = '', pulse = '' } = {}): string {
  const keys = `? ${speak('tui.keys')}  q ${speak('tui.quit')}`;
  const name = `tollgate ${version}`;
  const whole = ` ${[name, place, pulse].filter(Boolean).join('  ')}`;
  const short = ` ${[name, pulse].filter(Boolean).join('  ')}`;
  // How things go is more urgent than where the data lies.
  return spread(widthOf(whole) + widthOf(keys) < width ? whole : short, keys, width, ellipsis);
}

/** The screens by number; the open one is marked by brackets. `marked` is what these enclose, with them. */
export function tabLine(
  titles: { text: string; isOpen: boolean }[],
  { width, ellipsis }: Pick<HeadLine, 'width' | 'ellipsis'>,
): { line: string; marked: string } {
  const lines = Array.from({ length: maxTabLength }, (_, index) =>
    titles.map(({ text, isOpen }) => (isOpen ? `[${text}]` : ` ${cut(text, maxTabLength - index, '')} `)).join(''),
  );
  // Where there is little room the other names lose their ends, not the last screens their place.
  const line = lines.find((text) => widthOf(text) <= width) ?? cut(lines.at(-1) ?? '', width, ellipsis);
  const [open] = titles.filter(({ isOpen }) => isOpen);
  return { line, marked: open ? `[${open.text}]` : '' };
}
