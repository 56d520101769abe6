import { makeStyles, ProgressBar, tokens } from '@fluentui/react-components';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OptionCard } from '../../../../core/schemas/option/card.ts';
import { LoadError } from '../feedback/load-error.tsx';
import { Page } from '../page.tsx';
import type { BulkAction, Column, RowAction, RowCard } from './column.ts';
import { ListCards } from './list-cards.tsx';
import { ListGrid } from './list-grid.tsx';
import { ListPager } from './list-pager.tsx';
import { ListSkeleton } from './list-skeleton.tsx';
import { EmptyList, NoHit } from './list-state.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { useColumnChoice } from './use-column-choice.ts';
import { useHasCards } from './use-has-cards.ts';
import type { List } from './use-list.ts';

export interface ListPageProps<Row extends { id: number }, Filters extends Record<string, string>> {
  title: string;
  purpose: string;
  /** The settings that decide what the list shows. */
  sections?: readonly OptionCard[];
  /** The page's main button. */
  action?: ReactNode;
  /** Between title and list: what people have to know first. */
  notice?: ReactNode;
  list: List<Row, Filters>;
  /** What is drawn in place of the list's own rows: groups that open. */
  rows?: Row[] | undefined;
  columns: Column<Row>[];
  rowName: (row: Row) => string;
  rowActions?: (row: Row) => RowAction[];
  bulkActions?: BulkAction<Row>[];
  card?: RowCard<Row>;
  /** What a row contains beyond its columns; it is opened below the row. */
  rowDetail?: (row: Row) => ReactNode;
  /** Rows that come now are open: a link leads to them. */
  isOpenAtFirst?: boolean;
  /** Many short rows, to be looked through. */
  isDense?: boolean;
  /** `<SearchFilter>` and `<SelectFilter>`. */
  filters?: ReactNode;
  /** What stands here before there is anything, and what changes that. */
  empty: { icon: ReactElement; text: string; action?: ReactNode };
  /** A part of another page, which has a title of its own. */
  isPart?: boolean;
}

const useStyles = makeStyles({
  card: {
    position: 'relative',
    display: 'flex',
    flexDirection: 'column',
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow2,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    minWidth: 0,
  },
  progress: { position: 'absolute', top: 0, left: 0, right: 0 },
  above: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalM,
  },
  padded: { padding: tokens.spacingHorizontalL },
});

/** Every list of the console: toolbar, rows (cards on a phone), pager, and what is there when there are no rows. */
export function ListPage<Row extends { id: number }, Filters extends Record<string, string>>(
  props: ListPageProps<Row, Filters>,
) {
  const { title, list, columns, bulkActions = [], filters, empty } = props;
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const hasCards = useHasCards();
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const { shown, choice, setChoice } = useColumnChoice(list.name, columns);
  const rows = props.rows ?? list.rows ?? [];
  const markedRows = rows.filter((row) => marked.has(row.id));
  const isEmpty = list.rows?.length === 0;
  const hasRows = list.rows !== undefined && !isEmpty;

  return (
    <ListFrame {...props}>
      <section className={styles.card} aria-label={title} aria-busy={list.isReloading}>
        {list.isReloading && (
          <ProgressBar className={styles.progress} thickness="medium" aria-label={t('state.loading')} />
        )}
        <ListToolbar
          {...{ list, columns, choice, filters, bulkActions, markedRows }}
          onChoice={setChoice}
          hasColumns={!hasCards}
          rowCount={rows.length}
          onMarkAll={
            hasCards && bulkActions.length > 0
              ? (isMarked) => setMarked(new Set(isMarked ? rows.map(({ id }) => id) : []))
              : undefined
          }
        />
        {list.error && (
          <div className={styles.padded}>
            <LoadError error={list.error} onRetry={list.refresh} />
          </div>
        )}
        {!list.error && list.rows === undefined && <ListSkeleton columns={hasCards ? 1 : shown.length} />}
        {isEmpty && (list.isFiltered ? <NoHit onClear={list.clearFilters} /> : <EmptyList {...empty} />)}
        {hasRows &&
          (hasCards ? (
            <ListCards {...props} rows={rows} marked={marked} onMark={setMarked} />
          ) : (
            <ListGrid
              {...props}
              columns={shown}
              rows={rows}
              marked={marked}
              onMark={setMarked}
              sort={list.sort}
              onSort={list.setSort}
            />
          ))}
        {(hasRows || list.page > 1) && <ListPager list={list} />}
      </section>
    </ListFrame>
  );
}

function ListFrame<Row extends { id: number }, Filters extends Record<string, string>>(
  props: ListPageProps<Row, Filters> & { children: ReactNode },
) {
  const { title, purpose, sections, action, notice, list, isPart = false, children } = props;
  const styles = useStyles();
  if (!isPart) {
    return (
      <Page {...{ title, purpose, sections, action }} isReady={list.rows !== undefined || list.error !== null}>
        {notice}
        {children}
      </Page>
    );
  }
  return (
    <>
      {(notice || action) && (
        <div className={styles.above}>
          <div>{notice}</div>
          {action}
        </div>
      )}
      {children}
    </>
  );
}
