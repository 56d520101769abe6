/** Signs of the screens; each has a twin for terminals that show ASCII alone. */
export interface Symbols {
  on: string;
  auto: string;
  off: string;
  good: string;
  bad: string;
  line: string;
  ellipsis: string;
  dot: string;
  arrow: string;
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
  good: '✓',
  bad: '✗',
  line: '─',
  ellipsis: '…',
  dot: '·',
  arrow: '→',
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
  good: '+',
  bad: 'x',
  line: '-',
  ellipsis: '~',
  dot: '-',
  arrow: '->',
  refresh: 'every',
  enter: 'Enter',
  upDown: 'up/down',
  caret: '|',
  mask: '*',
  full: '#',
  empty: '.',
  spark: '_.-:=+*#',
};

/** By the locale: what is no UTF-8 shows boxes or worse. Windows has no locale variables and shows Unicode. */
export function symbolsFor(env: Record<string, string | undefined>, platform = process.platform): Symbols {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  const isUnicode = locale ? /utf-?8/i.test(locale) : platform === 'win32';
  return isUnicode ? unicode : ascii;
}
