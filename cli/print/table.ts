import stringWidth from 'string-width';

export interface TableCell {
  text: string;
  color?: Color | undefined;
}

export type Color = 'green' | 'yellow' | 'red' | 'dim';

/** How one column looks in a table. */
export interface Layout {
  title: string;
  /** Numbers stand right, and are never cut. */
  right?: boolean;
  /** Never cut: half a date or half a state says nothing. */
  whole?: boolean;
  /** Cut last of all. */
  keep?: boolean;
  /** Left out on a screen that is too narrow for it. */
  extra?: boolean;
}

export interface Screen {
  width: number;
  color: boolean;
  /** Stands where something was cut off. */
  ellipsis?: string;
}

const colorCodes: Record<Color, number> = { green: 32, yellow: 33, red: 31, dim: 2 };
const gap = 2;
const narrowest = 8;

/** Lines of a table without borders, no wider than the screen as far as that is possible. */
export function layOut(layout: Layout[], rows: TableCell[][], { width, color, ellipsis = '…' }: Screen): string[] {
  const natural = layout.map(({ title }, index) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[index]?.text ?? ''))),
  );
  const { shown, widths } = columnsIn(layout, natural, width);
  const line = (cells: TableCell[]) =>
    shown
      .map((column) => {
        const { text = '', color: wanted } = cells[column] ?? {};
        const padded = padTo(
          cutTo(text, widths[column] ?? 0, ellipsis),
          widths[column] ?? 0,
          layout[column]?.right ?? false,
        );
        return color && wanted && text ? paint(padded, wanted) : padded;
      })
      .join(' '.repeat(gap))
      .trimEnd();
  const header = line(layout.map(({ title }) => ({ text: title, color: 'dim' })));
  return [...(layout.some(({ title }) => title !== '') ? [header] : []), ...rows.map(line)];
}

/** Columns that do not fit even when they are cut are left out, the last ones first: a wrapped line is no table. */
function columnsIn(layout: Layout[], natural: number[], width: number): { shown: number[]; widths: number[] } {
  for (let shown = leaveOut(layout, natural, width); ; ) {
    const widths = shrink(layout, shown, natural, width);
    const spare = shown.findLast((column) => column > 0 && layout[column]?.title && !layout[column]?.keep);
    if (totalOf(shown, widths) <= width || spare === undefined) return { shown, widths };
    shown = shown.filter((column) => column !== spare);
  }
}

function paint(text: string, color: Color): string {
  return `\u001b[${colorCodes[color]}m${text}\u001b[0m`;
}

function totalOf(columns: number[], widths: number[]): number {
  return columns.reduce((sum, column) => sum + (widths[column] ?? 0) + gap, -gap);
}

/** The positions of the columns that stay; the last extras go first. */
function leaveOut(layout: Layout[], widths: number[], width: number): number[] {
  let shown = layout.map((_, index) => index);
  for (const column of shown.filter((index) => layout[index]?.extra).reverse()) {
    if (totalOf(shown, widths) <= width) break;
    shown = shown.filter((index) => index !== column);
  }
  return shown;
}

/** The widest text gives way first, the names last. */
function shrink(layout: Layout[], shown: number[], natural: number[], width: number): number[] {
  const widths = [...natural];
  const order = [
    (column: Layout | undefined) => !(column?.right || column?.whole || column?.keep),
    (column: Layout | undefined) => column?.keep ?? false,
  ];
  for (const mayShrink of order) {
    const columns = shown.filter((index) => mayShrink(layout[index]));
    while (totalOf(shown, widths) > width) {
      const widest = columns.reduce<number | undefined>(
        (best, index) => (best === undefined || (widths[index] ?? 0) > (widths[best] ?? 0) ? index : best),
        undefined,
      );
      if (widest === undefined || (widths[widest] ?? 0) <= narrowest) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  }
  return widths;
}

function padTo(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return right ? space + text : text + space;
}

/** Cut to so many cells; the sign of the cut is counted in. */
export function cutTo(text: string, width: number, ellipsis: string): string {
  if (stringWidth(text) <= width) return text;
  const room = Math.max(0, width - stringWidth(ellipsis));
  let cut = '';
  let used = 0;
  for (const character of text) {
    used += stringWidth(character);
    if (used > room) break;
    cut += character;
  }
  return cut + ellipsis.slice(0, width);
}
