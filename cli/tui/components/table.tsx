import { type Color, type Layout, layOut, type TableCell } from '../../print/table.ts';
import { useEnvironment, useTone } from '../environment.ts';
import { oneLine, pad } from '../fit.ts';
import type { List } from '../hooks/use-list.ts';
import { useBodySize } from '../hooks/use-size.ts';
import { Line } from './line.tsx';

export interface ListColumn<T> extends Layout {
  value(row: T): string | number;
  color?(row: T): Color | undefined;
}

interface TableProps<T> {
  columns: ListColumn<T>[];
  list: List<T>;
  idOf(row: T): string | number;
  empty: string;
}

/** Rows under their titles; the cursor's row stands out by its sign and by its look. */
export function Table<T>({ columns, list, idOf, empty }: TableProps<T>) {
  const { color, symbols } = useEnvironment();
  const { width } = useBodySize();
  const tone = useTone();
  if (list.items.length === 0) return <Line text={tone(` ${empty}`, 'dim')} />;

  const cells: TableCell[][] = list.items.map((row) =>
    columns.map((column) => ({ text: oneLine(String(column.value(row))), color: column.color?.(row) })),
  );
  const room = { width: width - 2, ellipsis: symbols.ellipsis };
  const [header = '', ...lines] = layOut(columns, cells, { ...room, color });
  const [, ...plain] = layOut(columns, cells, { ...room, color: false });
  return (
    <>
      <Line text={`  ${header}`} />
      {list.items.map((row, index) => {
        const isChosen = list.isCurrent && index === list.cursorRow;
        const mark = list.marks.has(idOf(row)) ? '*' : ' ';
        const text = isChosen ? tone(pad(`>${mark}${plain[index]}`, width), 'inverse') : ` ${mark}${lines[index]}`;
        return <Line key={idOf(row)} text={text} />;
      })}
    </>
  );
}
