import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

const useStyles = makeStyles({
  scroll: { overflowX: 'auto', minWidth: 0 },
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
}

/** A few rows inside a card; no paging, no sorting. */
export function SmallTable({ label, columns, rows }: SmallTableProps) {
  const styles = useStyles();
  const classOf = (index: number) =>
    mergeClasses(styles.cell, columns[index]?.isNumber && styles.number, columns[index]?.isWord && styles.word);
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={label}>
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
