import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { ChevronLeft20Regular } from '@fluentui/react-icons/svg/chevron-left';
import { ChevronRight20Regular } from '@fluentui/react-icons/svg/chevron-right';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../state/format.ts';

const useStyles = makeStyles({
  pager: { display: 'flex', justifyContent: 'flex-end', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

interface PageTurnerProps {
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
}

/** Back and forth in a list inside a card or dialog. */
export function PageTurner({ page, pageSize, total, onPage }: PageTurnerProps) {
  const { t } = useTranslation('shell');
  const { number } = useFormat();
  const styles = useStyles();
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  const first = (page - 1) * pageSize;
  return (
    <nav className={styles.pager} aria-label={t('list.pages')}>
      <Text size={200}>
        {t('list.rangeOf', {
          first: number(Math.min(first + 1, total)),
          last: number(Math.min(first + pageSize, total)),
          total: number(total),
        })}
      </Text>
      <Button
        size="small"
        icon={<ChevronLeft20Regular />}
        aria-label={t('list.previous')}
        disabledFocusable={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <Button
        size="small"
        icon={<ChevronRight20Regular />}
        aria-label={t('list.next')}
        disabledFocusable={page >= lastPage}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  );
}
