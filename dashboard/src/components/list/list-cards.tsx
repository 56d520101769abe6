import { Checkbox, makeStyles, Text, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TextLink } from '../text-link.tsx';
import type { RowAction, RowCard } from './column.ts';
import { RowActions } from './row-actions.tsx';
import { DetailButton, OpeningRow } from './row-detail.tsx';

interface ListCardsProps<Row extends { id: number }> {
  rows: Row[];
  rowName: (row: Row) => string;
  rowActions?: (row: Row) => RowAction[];
  bulkActions?: unknown[];
  card?: RowCard<Row>;
  rowDetail?: (row: Row) => ReactNode;
  isOpenAtFirst?: boolean;
  marked: ReadonlySet<number>;
  onMark: (marked: ReadonlySet<number>) => void;
}

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  card: {
    display: 'flex',
    alignItems: 'flex-start',
    gap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}`,
  },
  item: { borderBottom: `1px solid ${tokens.colorNeutralStroke2}` },
  detail: { padding: `0 ${tokens.spacingHorizontalM} ${tokens.spacingVerticalM}` },
  words: { flex: '1 1 0', minWidth: 0, display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  head: { display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  name: { overflowWrap: 'anywhere' },
  // A name or a provider's words without a space would widen the whole page.
  figure: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere' },
});

/** The rows on a phone. */
export function ListCards<Row extends { id: number }>(props: ListCardsProps<Row>) {
  const {
    rows,
    rowName,
    rowActions,
    bulkActions = [],
    card = {},
    rowDetail,
    isOpenAtFirst = false,
    marked,
    onMark,
  } = props;
  const { t } = useTranslation('shell');
  const styles = useStyles();

  function mark(id: number, isMarked: boolean): void {
    const after = new Set(marked);
    if (isMarked) after.add(id);
    else after.delete(id);
    onMark(after);
  }

  return (
    <ul className={styles.list}>
      {rows.map((row) => (
        <li key={row.id} className={styles.item}>
          <OpeningRow
            isOpenAtFirst={isOpenAtFirst}
            detail={() => <div className={styles.detail}>{rowDetail?.(row)}</div>}
          >
            <div className={styles.card}>
              {bulkActions.length > 0 && (
                <Checkbox
                  checked={marked.has(row.id)}
                  aria-label={t('list.mark', { name: rowName(row) })}
                  onChange={(_event, { checked }) => mark(row.id, checked === true)}
                />
              )}
              <div className={styles.words}>
                <div className={styles.head}>
                  <Text weight="semibold" className={styles.name}>
                    <CardName name={rowName(row)} to={card.to?.(row)} />
                  </Text>
                  {card.status?.(row)}
                </div>
                {card.figure && <div className={styles.figure}>{card.figure(row)}</div>}
              </div>
              {rowDetail && <DetailButton name={rowName(row)} />}
              {rowActions && <RowActions name={rowName(row)} actions={rowActions(row)} hasMenuOnly />}
            </div>
          </OpeningRow>
        </li>
      ))}
    </ul>
  );
}

const CardName = ({ name, to }: { name: string; to: string | undefined }) =>
  to === undefined ? name : <TextLink to={to}>{name}</TextLink>;
