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
import { type CSSProperties, type MouseEvent, type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsNarrow } from '../../state/media.ts';
import type { Column, RowAction } from './column.ts';
import { defaultMinWidth, growthOf } from './growth.ts';
import { RowActions } from './row-actions.tsx';
import { DetailButton, DetailRow, OpeningRow } from './row-detail.tsx';
import { useFirstRows } from './use-first-rows.ts';
import { useRowKeys } from './use-row-keys.ts';

interface ListGridProps<Row extends { id: number }> {
  title: string;
  rows: Row[];
  columns: Column<Row>[];
  rowName: (row: Row) => string;
  rowActions?: (row: Row) => RowAction[];
  bulkActions?: unknown[];
  rowDetail?: (row: Row) => ReactNode;
  isOpenAtFirst?: boolean;
  marked: ReadonlySet<number>;
  onMark: (marked: ReadonlySet<number>) => void;
  /** The order the rows come in. */
  sort?: string;
  onSort?: (sort: string) => void;
  isDense?: boolean;
}

const actionsKey = 'row-actions';
const actionsWidth = 124;
/** Of the menu alone, where there is no room for more. */
const menuWidth = 60;
const detailKey = 'row-detail';
const detailWidth = 40;
const markWidth = 44;
/** At the left and the right of every cell but the mark; it comes on top of the widths of columns. */
const cellPadding = 16;
const narrowPadding = 8;
/** Below the cells of a row. */
const lineHeight = 18;

const useStyles = makeStyles({
  scroll: { overflowX: 'auto', '@media print': { overflowX: 'visible' } },
  header: { fontWeight: tokens.fontWeightSemibold },
  // Stays in sight while a wide table is scrolled.
  kept: { position: 'sticky', right: 0, backgroundColor: tokens.colorNeutralBackground1 },
  // What is sticky is opaque: it follows the colors of its row.
  row: {
    ':focus-within': { backgroundColor: tokens.colorSubtleBackgroundHover },
    ':focus-within > .kept': { backgroundColor: tokens.colorSubtleBackgroundHover },
    ':hover > .kept': { backgroundColor: tokens.colorSubtleBackgroundHover },
    '&[aria-selected="true"] > .kept': { backgroundColor: tokens.colorBrandBackground2 },
  },
  detail: {
    display: 'block',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  // A name that is written from right to left is cut at its end, too.
  cell: { overflow: 'hidden', minWidth: 0, '& .fui-Text, & a': { unicodeBidi: 'plaintext' } },
  words: { '& .fui-Text, & a': { textAlign: 'left' } },
  close: { paddingLeft: `${narrowPadding / 2}px`, paddingRight: `${narrowPadding / 2}px` },
  hasLine: { position: 'relative', paddingBottom: `${lineHeight}px` },
  // The line begins where its cell does, and ends with the row.
  linesCell: { position: 'static', '& a': { display: 'inline-block', lineHeight: '24px' } },
  line: {
    position: 'absolute',
    bottom: '4px',
    paddingRight: tokens.spacingHorizontalM,
    display: '-webkit-box',
    WebkitLineClamp: 1,
    WebkitBoxOrient: 'vertical',
    overflow: 'hidden',
    // The cut is at the end of the row, not at the end of a word before it.
    wordBreak: 'break-all',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    color: tokens.colorNeutralForeground3,
  },
  runsOn: { overflow: 'visible', whiteSpace: 'nowrap' },
  hidden: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  // A figure without its first digits is another figure: one that is too wide goes on below.
  number: {
    justifyContent: 'flex-end',
    textAlign: 'end',
    fontVariantNumeric: 'tabular-nums',
    '&[role="gridcell"]': { overflowWrap: 'anywhere' },
  },
});

export function ListGrid<Row extends { id: number }>(props: ListGridProps<Row>) {
  const { title, rows, columns, rowName, rowActions, bulkActions = [], rowDetail, marked, onMark } = props;
  const { sort = '', onSort, isDense = false, isOpenAtFirst = false } = props;
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const isNarrow = useIsNarrow();
  const rowWidth = isNarrow ? menuWidth : actionsWidth;
  const isClose = isDense && isNarrow;
  const padding = isClose ? narrowPadding : cellPadding;
  const shownRows = useFirstRows(rows);
  useRowKeys(rowDetail !== undefined);
  const layouts = useMemo(() => new Map(columns.map((column) => [column.key, column])), [columns]);
  const growths = useMemo(
    () => new Map(columns.map((column) => [column.key, growthOf(column, rows)])),
    [columns, rows],
  );
  const definitions = useMemo<TableColumnDefinition<Row>[]>(
    () => [
      ...(rowDetail
        ? [
            createTableColumn<Row>({
              columnId: detailKey,
              renderHeaderCell: () => <span className={styles.hidden}>{t('list.detailsColumn')}</span>,
              renderCell: (row) => <DetailButton name={rowName(row)} />,
            }),
          ]
        : []),
      ...columns.map(({ key, title: name, cell, sort: order }) =>
        createTableColumn<Row>({
          columnId: key,
          renderHeaderCell: () => name,
          renderCell: cell,
          ...(order && { compare: asReceived }),
        }),
      ),
      ...(rowActions
        ? [
            createTableColumn<Row>({
              columnId: actionsKey,
              renderHeaderCell: () => t('list.actions'),
              renderCell: (row) => <RowActions name={rowName(row)} actions={rowActions(row)} hasMenuOnly={isNarrow} />,
            }),
          ]
        : []),
    ],
    [columns, rowActions, rowDetail, rowName, isNarrow, styles, t],
  );
  const beside =
    (rowActions ? rowWidth + padding : 0) +
    (rowDetail ? detailWidth + padding : 0) +
    (bulkActions.length > 0 ? markWidth : 0);
  const width = columns.reduce((sum, { minWidth = defaultMinWidth }) => sum + minWidth + padding, beside);

  /** Nothing to mark rows for: no boxes either. */
  const markCell = (label: string) =>
    bulkActions.length > 0 && { selectionCell: { checkboxIndicator: { 'aria-label': label } } };
  const styleOf = (columnId: unknown): CSSProperties => {
    if (columnId === detailKey) return { flex: `0 0 ${detailWidth}px` };
    if (columnId === actionsKey) return { flex: `0 0 ${rowWidth}px`, justifyContent: 'flex-end' };
    const { minWidth = defaultMinWidth } = layouts.get(String(columnId)) ?? {};
    return { flex: `${growths.get(String(columnId)) ?? 1} 1 ${minWidth}px`, minWidth };
  };
  /** Contains something to press. */
  const isActive = (columnId: unknown) =>
    columnId === actionsKey || columnId === detailKey || layouts.get(String(columnId))?.isInteractive === true;
  /** A cell that is entered by Enter keeps Tab until Escape; the button that opens a row stands for its cell. */
  const focusModeOf = (columnId: unknown) => {
    if (columnId === detailKey) return 'none';
    return isActive(columnId) ? 'group' : 'cell';
  };
  const isKept = (columnId: unknown) => columnId === actionsKey || layouts.get(String(columnId))?.isKept === true;
  const classOf = (columnId: unknown) =>
    mergeClasses(
      columnId !== actionsKey && styles.cell,
      isClose && styles.close,
      layouts.get(String(columnId))?.isNumber ? styles.number : styles.words,
      isKept(columnId) && styles.kept,
      isKept(columnId) && 'kept',
    );

  const lined = columns.find(({ line }) => line);

  const sortFieldOf = (columnId: unknown) => layouts.get(String(columnId))?.sort ?? '';
  const sortState = {
    sortColumn: columns.find((column) => column.sort !== undefined && column.sort === fieldOf(sort))?.key,
    sortDirection: sort.startsWith('-') ? ('descending' as const) : ('ascending' as const),
  };

  return (
    <div className={styles.scroll}>
      <DataGrid
        aria-label={title}
        items={shownRows}
        columns={definitions}
        getRowId={(row: Row) => row.id}
        focusMode="composite"
        size={isDense ? 'small' : 'medium'}
        style={{ minWidth: width }}
        sortable
        sortState={sortState}
        onSortChange={(_event, { sortColumn }) => onSort?.(nextSort(sortFieldOf(sortColumn), sort))}
        {...(bulkActions.length > 0 && {
          selectionMode: 'multiselect',
          selectedItems: marked,
          onSelectionChange: (_event, { selectedItems }) => onMark(new Set([...selectedItems].map(Number))),
        })}
      >
        <DataGridHeader>
          <DataGridRow {...markCell(t('list.markAll'))}>
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
          {({ item, rowId }) => {
            const line = lined?.line?.(item);
            const hasLine = Boolean(line);
            return (
              <OpeningRow
                key={rowId}
                isOpenAtFirst={isOpenAtFirst}
                detail={() => <DetailRow className={styles.detail}>{rowDetail?.(item)}</DetailRow>}
              >
                <DataGridRow<Row>
                  className={mergeClasses(styles.row, hasLine && styles.hasLine)}
                  {...markCell(t('list.mark', { name: rowName(item) }))}
                >
                  {({ renderCell, columnId }) => (
                    <DataGridCell
                      className={mergeClasses(
                        classOf(columnId),
                        layouts.get(String(columnId))?.canRunOn?.(item) && styles.runsOn,
                        hasLine && columnId === lined?.key && styles.linesCell,
                      )}
                      style={styleOf(columnId)}
                      focusMode={focusModeOf(columnId)}
                      onClick={isActive(columnId) ? keepFromRow : undefined}
                    >
                      {renderCell(item)}
                      {hasLine && columnId === lined?.key && <div className={styles.line}>{line}</div>}
                    </DataGridCell>
                  )}
                </DataGridRow>
              </OpeningRow>
            );
          }}
        </DataGridBody>
      </DataGrid>
    </div>
  );
}

/** A click on a row marks it; one on what is in it, its menu too, does not. */
const keepFromRow = (event: MouseEvent) => event.stopPropagation();

/** The server has put the rows in order; Fluent makes a header a button where a comparison takes rows. */
const asReceived = (_row: unknown) => 0;

const fieldOf = (sort: string) => sort.replace(/^-/, '');

/** A column's header in turn: upwards, downwards, and back to the list's own order. */
function nextSort(field: string, sort: string): string {
  if (fieldOf(sort) !== field) return field;
  return sort === field ? `-${field}` : '';
}
