import stringWidth from 'string-width';

export interface Cell {
  text: string;
  colour?: Colour | undefined;
}

export type Colour = 'green' | 'yellow' | 'red' | 'dim';

export interface Layout {
  title: string;
  /** Numbers stand right. */
  right?: boolean;
  /** Gives way last when the table is too wide. */
  keep?: boolean;
}

const colourCodes: Record<Colour, number> = { green: 32, yellow: 33, red: 31, dim: 2 };
const gap = 2;
const narrowest = 6;

export function paint(text: string, colour: Colour | undefined): string {
  return colour ? `\u001b[${colourCodes[colour]}m${text}\u001b[0m` : text;
}

/** Lines of a table without borders, no wider than the screen as far as that is possible. */
export function layOut(
  layout: Layout[],
  rows: Cell[][],
  { width, colour }: { width: number; colour: boolean },
): string[] {
  const widths = layout.map(({ title }, index) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[index]?.text ?? ''))),
  );
  shrink(layout, widths, width);
  const line = (cells: Cell[]) =>
    cells
      .map((cell, index) => {
        const shown = padTo(cell.text, widths[index] ?? 0, layout[index]?.right ?? false);
        return colour ? paint(shown, cell.colour) : shown;
      })
      .join(' '.repeat(gap))
      .trimEnd();
  return [line(layout.map(({ title }) => ({ text: title, colour: 'dim' }))), ...rows.map(line)];
}

/** Numbers stay whole, then the widest text gives way, then the names. */
function shrink(layout: Layout[], widths: number[], width: number): void {
  const total = () => widths.reduce((sum, one) => sum + one + gap, -gap);
  for (const mayShrink of [({ right, keep }: Layout) => !right && !keep, ({ keep }: Layout) => Boolean(keep)]) {
    const columns = layout.flatMap((column, index) => (mayShrink(column) ? [index] : []));
    while (total() > width) {
      const widest = columns.sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
      if (widest === undefined || (widths[widest] ?? 0) <= narrowest) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  }
}

function padTo(text: string, width: number, right: boolean): string {
  const cut = cutTo(text, width);
  const space = ' '.repeat(Math.max(0, width - stringWidth(cut)));
  return right ? space + cut : cut + space;
}

function cutTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let cut = '';
  for (const character of text) {
    if (stringWidth(cut + character) > width - 1) break;
    cut += character;
  }
  return `${cut}…`;
}
