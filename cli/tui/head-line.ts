import { version } from '../../core/version.ts';
import type { Speak } from '../text.ts';
import { cut, spread, widthOf } from './fit.ts';

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

export interface Tab {
  digit: string;
  name: string;
  isOpen: boolean;
}

/** The screens by number; the open one is marked by brackets. `marked` is what these enclose, with them. */
export function tabLine(
  tabs: readonly Tab[],
  { width, ellipsis }: Pick<HeadLine, 'width' | 'ellipsis'>,
): { line: string; marked: string } {
  const open = tabs.findIndex(({ isOpen }) => isOpen);
  const near = tabs.map((_tab, index) => index).sort((a, b) => Math.abs(a - open) - Math.abs(b - open) || b - a);
  // A name is there as a whole or not at all: where there is little room only screens beside the open one have theirs.
  const lines = near.map((_one, index) => {
    const named = new Set(near.slice(0, tabs.length - index));
    return tabs.map((tab, at) => tabText(tab, named.has(at))).join('');
  });
  const line = lines.find((text) => widthOf(text) <= width) ?? cut(lines.at(-1) ?? '', width, ellipsis);
  const [opened] = tabs.filter(({ isOpen }) => isOpen);
  return { line, marked: opened ? tabText(opened, true) : '' };
}

function tabText({ digit, name, isOpen }: Tab, isNamed: boolean): string {
  const text = isNamed ? `${digit} ${name}` : digit;
  return isOpen ? `[${text}]` : ` ${text} `;
}
