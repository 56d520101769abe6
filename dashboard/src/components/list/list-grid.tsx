import {
  createTableColumn,
  DataGrid,
  DataGridBody,
  DataGridCell,
  DataGridHeader,
  DataGridHeaderCell,
  DataGridRow,
  makeStyles,
  mergeClasses,
  type TableColumnDefinition,
  tokens,
} from '@fluentui/react-components';
import { type CSSProperties, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column, RowAction } from './column.ts';
import { RowActions } from './row-actions.tsx';

interface ListGridProps<Row extends { id: number }> {
  title: string;
  rows: Row[];
  columns: Column<Row>[];
  rowName: (row: Row) => string;
  rowActions?: (row: Row) => RowAction[];
  bulkActions?: unknown[];
  marked: ReadonlySet<number>;
  onMark: (marked: ReadonlySet<number>) => void;
}

const actionsKey = 'row-actions';
const actionsWidth = 124;
const usualMinWidth = 100;

const useStyles = makeStyles({
  scroll: { overflowX: 'auto' },
  header: { fontWeight: tokens.fontWeightSemibold },
  // Stays in sight while a wide table is scrolled.
  actions: { position: 'sticky', right: 0, backgroundColor: tokens.colorNeutralBackground1 },
  cell: { overflow: 'hidden', minWidth: 0 },
  number: { justifyContent: 'flex-end', textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
});

export function ListGrid<Row extends { id: number }>(props: ListGridProps<Row>) {
  const { title, rows, columns, rowName, rowActions, bulkActions = [], marked, onMark } = props;
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const layouts = useMemo(() => new Map(columns.map((column) => [column.key, column])), [columns]);
  const definitions = useMemo<TableColumnDefinition<Row>[]>(
    () => [
      ...columns.map(({ key, title: name, cell }) =>
        createTableColumn<Row>({ columnId: key, renderHeaderCell: () => name, renderCell: cell }),
      ),
      ...(rowActions
        ? [
            createTableColumn<Row>({
              columnId: actionsKey,
              renderHeaderCell: () => t('list.actions'),
              renderCell: (row) => <RowActions name={rowName(row)} actions={rowActions(row)} />,
            }),
          ]
        : []),
    ],
    [columns, rowActions, rowName, t],
  );
  const width = columns.reduce((sum, { minWidth = usualMinWidth }) => sum + minWidth, actionsWidth + 44);

  const styleOf = (columnId: unknown): CSSProperties => {
    if (columnId === actionsKey) return { flex: `0 0 ${actionsWidth}px`, justifyContent: 'flex-end' };
    const { grow = 1, minWidth = usualMinWidth } = layouts.get(String(columnId)) ?? {};
    return { flex: `${grow} 1 ${minWidth}px`, minWidth };
  };
  const classOf = (columnId: unknown) =>
    columnId === actionsKey
      ? styles.actions
      : mergeClasses(styles.cell, layouts.get(String(columnId))?.isNumber && styles.number);

  return (
    <div className={styles.scroll}>
      <DataGrid
        aria-label={title}
        items={rows}
        columns={definitions}
        getRowId={(row: Row) => row.id}
        focusMode="composite"
        style={{ minWidth: width }}
        {...(bulkActions.length > 0 && {
          selectionMode: 'multiselect',
          selectedItems: marked,
          onSelectionChange: (_event, { selectedItems }) => onMark(new Set([...selectedItems].map(Number))),
        })}
      >
        <DataGridHeader>
          <DataGridRow selectionCell={{ checkboxIndicator: { 'aria-label': t('list.markAll') } }}>
            {({ renderHeaderCell, columnId }) => (
              <DataGridHeaderCell
                className={mergeClasses(styles.header, classOf(columnId))}
                style={styleOf(columnId)}
                button={{
                  style: {
                    justifyContent:
                      layouts.get(String(columnId))?.isNumber || columnId === actionsKey ? 'flex-end' : undefined,
                  },
                }}
              >
                {renderHeaderCell()}
              </DataGridHeaderCell>
            )}
          </DataGridRow>
        </DataGridHeader>
        <DataGridBody<Row>>
          {({ item, rowId }) => (
            <DataGridRow<Row>
              key={rowId}
              selectionCell={{ checkboxIndicator: { 'aria-label': t('list.mark', { name: rowName(item) }) } }}
            >
              {({ renderCell, columnId }) => (
                <DataGridCell
                  className={classOf(columnId)}
                  style={styleOf(columnId)}
                  focusMode={columnId === actionsKey ? 'group' : 'cell'}
                >
                  {renderCell(item)}
                </DataGridCell>
              )}
            </DataGridRow>
          )}
        </DataGridBody>
      </DataGrid>
    </div>
  );
}
