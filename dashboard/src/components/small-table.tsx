import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

const useStyles = makeStyles({
  scroll: { overflow: 'auto', minWidth: 0 },
  wide: { minWidth: '560px' },
  low: { maxHeight: '320px' },
  table: { borderCollapse: 'collapse', width: '100%', fontVariantNumeric: 'tabular-nums' },
  cell: {
    padding: '8px 12px 8px 0',
    textAlign: 'start',
    fontWeight: tokens.fontWeightRegular,
    verticalAlign: 'top',
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    overflowWrap: 'anywhere',
    ':last-child': { paddingRight: 0 },
  },
  head: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    whiteSpace: 'nowrap',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  word: { whiteSpace: 'nowrap', overflowWrap: 'normal' },
  number: { textAlign: 'end', whiteSpace: 'nowrap', overflowWrap: 'normal' },
});

interface SmallTableProps {
  label: string;
  columns: { title: string; isNumber?: boolean; isWord?: boolean }[];
  /** The first cell names the row. */
  rows: { key: string; cells: ReactNode[] }[];
  /** Too wide for a phone: it is scrolled within its card. */
  isWide?: boolean;
  /** For many rows in a dialog. */
  isLow?: boolean;
}

/** A few rows inside a card or dialog; no paging, no sorting. */
export function SmallTable({ label, columns, rows, isWide = false, isLow = false }: SmallTableProps) {
  const styles = useStyles();
  const classOf = (index: number) =>
    mergeClasses(styles.cell, columns[index]?.isNumber && styles.number, columns[index]?.isWord && styles.word);
  // What scrolls can be reached by keyboard.
  const region = isWide || isLow ? { tabIndex: 0, role: 'group', 'aria-label': label } : {};
  return (
    <div className={mergeClasses(styles.scroll, isLow && styles.low)} {...region}>
      <table className={mergeClasses(styles.table, isWide && styles.wide)} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title }, index) => (
              <th key={title} scope="col" className={mergeClasses(classOf(index), styles.head)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [name, ...cells] }) => (
            <tr key={key}>
              <th scope="row" className={classOf(0)}>
                {name}
              </th>
              {cells.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
                <td key={index} className={classOf(index + 1)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
