import { Button, makeStyles, Select, Text, tokens } from '@fluentui/react-components';
import { ChevronDoubleLeft20Regular } from '@fluentui/react-icons/svg/chevron-double-left';
import { ChevronLeft20Regular } from '@fluentui/react-icons/svg/chevron-left';
import { ChevronRight20Regular } from '@fluentui/react-icons/svg/chevron-right';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../state/format.ts';
import { pageSizes } from '../../state/preference.ts';
import type { List } from './use-list.ts';

const useStyles = makeStyles({
  pager: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'flex-end',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
  },
  range: { color: tokens.colorNeutralForeground3, fontVariantNumeric: 'tabular-nums' },
  size: { minWidth: '110px' },
  steps: { display: 'flex', gap: tokens.spacingHorizontalXS },
});

export function PagerBar<Row, Filters extends Record<string, string>>({ list }: { list: List<Row, Filters> }) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const { number } = useFormat();
  const { page, pageSize, total, isCapped = false, rows = [], hasNext } = list;
  const first = (page - 1) * pageSize + 1;
  const range = { first: number(first), last: number(first + rows.length - 1), total: number(total ?? 0) };
  const kind = isCapped ? 'rangeOfMore' : 'rangeOf';
  return (
    <nav className={styles.pager} aria-label={t('list.pages')}>
      <Text size={200} className={styles.range}>
        {isCapped && !hasNext && `${t('list.lastOfMore')} `}
        {rows.length > 0 && t(total === undefined ? 'list.range' : `list.${kind}`, range)}
      </Text>
      <Select
        size="small"
        className={styles.size}
        aria-label={t('list.pageSizeLabel')}
        value={pageSize}
        onChange={(_event, { value }) => list.setPageSize(Number(value))}
      >
        {pageSizes.map((size) => (
          <option key={size} value={size}>
            {t('list.pageSize', { size })}
          </option>
        ))}
      </Select>
      <div className={styles.steps}>
        <Button
          size="small"
          icon={<ChevronDoubleLeft20Regular />}
          aria-label={t('list.firstPage')}
          disabledFocusable={page <= 1}
          onClick={() => list.setPage(1)}
        />
        <Button
          size="small"
          icon={<ChevronLeft20Regular />}
          aria-label={t('list.previous')}
          disabledFocusable={page <= 1}
          onClick={() => list.setPage(page - 1)}
        />
        <Button
          size="small"
          icon={<ChevronRight20Regular />}
          aria-label={t('list.next')}
          disabledFocusable={!hasNext}
          onClick={() => list.setPage(page + 1)}
        />
      </div>
    </nav>
  );
}
