import { showsUnicode } from '../../core/lib/locale.ts';

/** Signs of the screens; each has a twin for terminals that show ASCII alone. */
export interface Symbols {
  on: string;
  auto: string;
  off: string;
  unknown: string;
  good: string;
  bad: string;
  line: string;
  ellipsis: string;
  dot: string;
  arrow: string;
  /** Between the parts of a path. */
  into: string;
  /** Between two columns of the screen. */
  bar: string;
  refresh: string;
  enter: string;
  upDown: string;
  caret: string;
  mask: string;
  full: string;
  empty: string;
  /** Lowest to highest. */
  spark: string;
}

const unicode: Symbols = {
  on: '●',
  auto: '▲',
  off: '○',
  unknown: '?',
  good: '✓',
  bad: '✗',
  line: '─',
  ellipsis: '…',
  dot: '·',
  arrow: '→',
  into: '›',
  bar: '│',
  refresh: '↻',
  enter: '⏎',
  upDown: '↑↓',
  caret: '▏',
  mask: '•',
  full: '█',
  empty: '░',
  spark: '▁▂▃▄▅▆▇█',
};

const ascii: Symbols = {
  on: '*',
  auto: '!',
  off: '-',
  unknown: '?',
  good: '+',
  bad: 'x',
  line: '-',
  ellipsis: '~',
  dot: '-',
  arrow: '->',
  into: '>',
  bar: '|',
  refresh: 'every',
  enter: 'Enter',
  upDown: 'up/down',
  caret: '|',
  mask: '*',
  full: '#',
  empty: '.',
  spark: '_.-:=+*#',
};

/** A masked key or code with the sign of the terminal for what is left out. */
export const maskWith = ({ ellipsis }: Symbols, masked: string): string => masked.replace('…', ellipsis);

export function symbolsFor(env: Record<string, string | undefined>, platform = process.platform): Symbols {
  return showsUnicode(env, platform) ? unicode : ascii;
}
