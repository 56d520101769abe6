import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Deferred } from '../deferred.tsx';
import { lazyPart } from '../lazy-part.tsx';
import type { BulkAction, Column } from './column.ts';
import type { List } from './use-list.ts';

const ListTools = lazyPart(async () => (await import('./list-tools.tsx')).ListTools);

interface ListToolbarProps<Row, Filters extends Record<string, string>> {
  list: List<Row, Filters>;
  filters: ReactNode;
  bulkActions: BulkAction<Row>[];
  markedRows: Row[];
  rowCount: number;
  onMarkAll: ((isMarked: boolean) => void) | undefined;
  columns: Column<Row>[];
  choice: string[];
  onChoice: (keys: string[]) => void;
  hasColumns: boolean;
}

const useStyles = makeStyles({
  toolbar: {
    display: 'flex',
    flexWrap: 'wrap',
    // What is done with the list stands beside the first line of filters, however many there are.
    alignItems: 'flex-start',
    gap: tokens.spacingHorizontalS,
    padding: tokens.spacingHorizontalM,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  filters: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    flex: '1 1 0',
    minWidth: 'min(260px, 100%)',
  },
});

export function ListToolbar<Row, Filters extends Record<string, string>>(props: ListToolbarProps<Row, Filters>) {
  const { list, filters, bulkActions, markedRows, ...tools } = props;
  const { t } = useTranslation('shell');
  const styles = useStyles();
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={t('list.tools')}>
      <div className={styles.filters}>{filters}</div>
      <Deferred>
        <ListTools
          {...tools}
          bulkActions={bulkActions.map((action) => ({ ...action, onSelect: () => action.onSelect(markedRows) }))}
          markedCount={markedRows.length}
          onRefresh={list.refresh}
        />
      </Deferred>
    </div>
  );
}
