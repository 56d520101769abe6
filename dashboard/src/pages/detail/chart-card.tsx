import {
  Card,
  CardHeader,
  makeStyles,
  Skeleton,
  SkeletonItem,
  Text,
  ToggleButton,
  Tooltip,
  tokens,
} from '@fluentui/react-components';
import { ArrowDownload20Regular } from '@fluentui/react-icons/svg/arrow-download';
import { Table20Regular } from '@fluentui/react-icons/svg/table';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cardFrame, cardRoom } from '../../components/card-frame.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { downloadCsv } from '../../state/csv.ts';
import { useTurn } from './use-turn.ts';

const useStyles = makeStyles({
  // What is told at a bar may be higher than the card.
  card: {
    ...cardFrame,
    ...cardRoom,
    minWidth: 0,
    gap: tokens.spacingVerticalM,
    overflow: 'visible',
    // Firefox leaves the words of pictures as they are when the user has chosen colors.
    '@media (forced-colors: active)': { '& svg text': { fill: 'CanvasText' } },
  },
  actions: { display: 'flex' },
  scroll: { overflow: 'auto', maxHeight: '380px', minWidth: 0 },
  table: { borderCollapse: 'collapse', width: '100%', fontVariantNumeric: 'tabular-nums' },
  cell: { padding: '6px 12px 6px 0', textAlign: 'start', borderBottom: `1px solid ${tokens.colorNeutralStroke2}` },
  empty: { padding: tokens.spacingVerticalXXL, textAlign: 'center', color: tokens.colorNeutralForeground3 },
});

interface ChartCardProps {
  title: string;
  /** The same figures as rows, the first cell naming the row. */
  columns: string[];
  rows: { key: string; cells: ReactNode[] }[];
  /** The rows of a CSV file under the same columns, with plain numbers; without them nothing is offered to download. */
  file?: (string | number)[][];
  isEmpty: boolean;
  children: ReactNode;
}

/** A chart, and the same as a table for those who want figures or cannot see the picture. */
export function ChartCard({ title, columns, rows, file, isEmpty, children }: ChartCardProps) {
  const { t } = useTranslation('detail');
  const styles = useStyles();
  const [isTable, setTable] = useState(false);
  return (
    <Card className={styles.card} role="group" aria-label={title}>
      <CardHeader
        header={
          <Text as="h2" size={400} weight="semibold" style={{ margin: 0 }}>
            {title}
          </Text>
        }
        action={
          <div className={styles.actions}>
            {file && !isEmpty && (
              <IconButton
                label={t('download', { title })}
                icon={<ArrowDownload20Regular />}
                onClick={() => downloadCsv(`${title}.csv`, [columns, ...file])}
              />
            )}
            <Tooltip content={t('asTable', { title })} relationship="label">
              <ToggleButton
                appearance="subtle"
                icon={<Table20Regular />}
                checked={isTable}
                onClick={() => setTable(!isTable)}
              />
            </Tooltip>
          </div>
        }
      />
      {isEmpty && <Text className={styles.empty}>{t('empty')}</Text>}
      {!isEmpty && !isTable && <InTurn>{children}</InTurn>}
      {!isEmpty && isTable && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section className={styles.scroll} aria-label={title} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col" className={styles.cell}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, cells: [name, ...cells] }) => (
                <tr key={key}>
                  <th scope="row" className={styles.cell}>
                    {name}
                  </th>
                  {cells.map((cell, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
                    <td key={index} className={styles.cell}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  );
}

/** A chart once it is its turn; its place until then, so that nothing moves. */
function InTurn({ children }: { children: ReactNode }) {
  const { t } = useTranslation('detail');
  const place = (
    <Skeleton aria-label={t('shell:state.loading')} appearance="translucent">
      <SkeletonItem style={{ height: '284px' }} />
    </Skeleton>
  );
  return useTurn() ? <Suspense fallback={place}>{children}</Suspense> : place;
}
