import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { ChevronLeft20Regular } from '@fluentui/react-icons/svg/chevron-left';
import { ChevronRight20Regular } from '@fluentui/react-icons/svg/chevron-right';
import { useTranslation } from 'react-i18next';

/** Without a choice (accounts spec, section 9). */
const pageSize = 10;

const useStyles = makeStyles({
  pager: { display: 'flex', justifyContent: 'flex-end', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

/** Ten of them; a page beyond the last one is the last one. */
export function pageOf<T>(rows: readonly T[], wantedPage: number) {
  const lastPage = Math.max(1, Math.ceil(rows.length / pageSize));
  const page = Math.min(wantedPage, lastPage);
  const first = (page - 1) * pageSize;
  return { shown: rows.slice(first, first + pageSize), page, lastPage, first, total: rows.length };
}

interface PricePagerProps {
  at: ReturnType<typeof pageOf>;
  onPage: (page: number) => void;
}

export function PricePager({ at: { shown, page, lastPage, first, total }, onPage }: PricePagerProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  return (
    <nav className={styles.pager} aria-label={t('shell:list.pages')}>
      <Text size={200}>
        {t('shell:list.rangeOf', { first: Math.min(first + 1, total), last: first + shown.length, total })}
      </Text>
      <Button
        size="small"
        icon={<ChevronLeft20Regular />}
        aria-label={t('shell:list.previous')}
        disabledFocusable={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <Button
        size="small"
        icon={<ChevronRight20Regular />}
        aria-label={t('shell:list.next')}
        disabledFocusable={page >= lastPage}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  );
}
