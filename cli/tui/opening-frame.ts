import type { Speak } from '../text.ts';
import { headLine, tabLine } from './head-line.ts';
import { type ScreenName, screenTabs } from './screen-name.ts';
import type { Symbols } from './symbol.ts';

interface Opening {
  speak: Speak;
  symbols: Symbols;
  screen: ScreenName;
  width: number;
  height: number;
}

/** Title, rule, status and keys below it: as screens have them, without what must be read first. */
export function openingFrame({ speak, symbols, screen, width, height }: Opening): string[] {
  const line = { speak, width, ellipsis: symbols.ellipsis };
  const tabs = screenTabs.map(({ id, digit, title }) => ({ digit, name: speak(title), isOpen: id === screen }));
  const open = screenTabs.find(({ id }) => id === screen);
  const head = [headLine(line), tabLine(tabs, line).line, ` ${open ? speak(open.title) : ''}`];
  const foot = [symbols.line.repeat(width), '', `? ${speak('tui.keys')}`];
  const room = Math.max(1, height - 1 - head.length - foot.length);
  const body = [` ${speak('tui.loading')} ${symbols.ellipsis}`, ...Array.from({ length: room - 1 }, () => '')];
  return [...head, ...body, ...foot];
}
