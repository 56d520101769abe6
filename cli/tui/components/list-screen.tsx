import { useIsScreenReaderEnabled } from 'ink';
import { type ReactNode, useState } from 'react';
import { type Environment, useEnvironment } from '../environment.ts';
import { type Filter, parseFilter } from '../filter.ts';
import { grouped } from '../grouped.ts';
import type { Hint } from '../hint.ts';
import { keyLayer, onKeys, useKeys } from '../hooks/use-keys.tsx';
import { type List, type ListPage, type PageQuery, useList } from '../hooks/use-list.ts';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { useBodySize } from '../hooks/use-size.ts';
import { useStatus } from '../hooks/use-status.tsx';
import { Beside, paneWidth } from './beside.tsx';
import type { Detail } from './details.tsx';
import { LoadState } from './load-state.tsx';
import { frameLines, ScreenFrame } from './screen-frame.tsx';
import { type ListColumn, Table } from './table.tsx';
import { TextInput } from './text-input.tsx';

export type { ListColumn } from './table.tsx';

/** What a list is asked for. */
export interface ListRequest extends PageQuery {
  keyword: string;
  /** By the names in `filters`. */
  values: Record<string, string>;
  sort: string;
}

export interface ListAction<T> {
  key: string;
  label: string;
  /** The marked rows, else the one under the cursor; not called without any. */
  run?(rows: T[], list: ListControl): void;
  /** For what needs no row. */
  start?(list: ListControl): void;
}

export interface ListControl {
  reload(): void;
  /** Puts the cursor on a row that was just made; awaited before its form is left, so that no key hits another row. */
  showNew(id: string | number): Promise<void>;
  clearMarks(): void;
  clearFilter(): void;
}

export interface ListScreenProps<T> {
  title: string;
  /** The things that this list is of, outermost first. */
  trail?: readonly string[];
  columns: ListColumn<T>[];
  load(request: ListRequest): Promise<ListPage<T>>;
  idOf(row: T): string | number;
  /** Words before the colon that narrow the list. */
  filters?: readonly string[];
  /** Orders that `s` goes through; the first one holds at the beginning. */
  sorts?: readonly string[];
  /** What the status line says of the chosen row. */
  detail?(row: T): string;
  /** All of the chosen row, shown beside the list where there is room. */
  beside?(row: T): Detail[];
  /** `d`: all of the chosen row on a screen of its own. Enter too, where the row leads to nothing else. */
  details?(row: T): ReactNode;
  /** Enter: what belongs to the chosen row. An action of the same label is its other key. */
  enter?: { label: string; run(row: T, list: ListControl): void };
  actions?: ListAction<T>[];
  /** False for rows nothing is done with. */
  hasMarks?: boolean;
  /** Why there is nothing, and what fills it; made when the list is there, for what only the load tells. */
  empty: string | (() => string);
  /** Before the hint of how often it is read again. */
  aside?: string;
  everyMs?: number | undefined;
  isFollowing?: boolean;
}

const defaultPauseMs = 5000;
const linesForReader = 20;
const noNames: readonly string[] = [];

/** A list as all screens have it: cursor, marks, pages, filter, sort, and what is done with rows. */
export function ListScreen<T>(props: ListScreenProps<T>) {
  const { load, idOf, filters = noNames, sorts = noNames, actions = [], everyMs = defaultPauseMs } = props;
  const { hasMarks = true } = props;
  const environment = useEnvironment();
  const { height, width } = useBodySize();
  const isRead = useIsScreenReaderEnabled();
  const status = useStatus();
  const { push } = useNavigation();
  const [filterText, setFilterText] = useState('');
  const [written, setWritten] = useState<string>();
  const [sortIndex, setSortIndex] = useState(0);
  const sort = sorts[sortIndex] ?? '';
  const filter = parseFilter(filterText, filters);
  const list = useList({
    load: (query) => load({ ...query, keyword: filter.keyword, values: filter.values, sort }),
    idOf,
    key: JSON.stringify([filterText, sort]),
    pageSize: isRead ? linesForReader : Math.max(1, height - frameLines - 1),
    everyMs,
    isFollowing: props.isFollowing ?? false,
  });
  const clearFilter = () => setFilterText('');
  const control: ListControl = {
    reload: list.reload,
    showNew: list.goTo,
    clearMarks: list.clearMarks,
    clearFilter,
  };

  const act = (action: ListAction<T>) => () => {
    if (action.start) return action.start(control);
    const rows = list.marks.size > 0 ? [...list.marks.values()] : list.row === undefined ? [] : [list.row];
    if (rows.length > 0) action.run?.(rows, control);
  };
  const { row } = list;
  const { details, enter } = props;
  const showDetails = details && row !== undefined ? () => push(details(row)) : undefined;
  const open = enter && row !== undefined ? () => enter.run(row, control) : showDetails;
  useKeys(
    onKeys({
      ...movement(list, Math.max(1, list.items.length)),
      ' ': hasMarks ? list.toggleMark : undefined,
      a: hasMarks ? () => void status.act(() => list.markAll().then(() => undefined)) : undefined,
      '/': () => setWritten(filterText),
      s: sorts.length > 1 ? () => setSortIndex((sortIndex + 1) % sorts.length) : undefined,
      r: list.reload,
      enter: open,
      d: showDetails,
      escape: list.marks.size > 0 ? list.clearMarks : filterText ? clearFilter : undefined,
      ...Object.fromEntries(actions.map((action) => [action.key, act(action)])),
    }),
    { layer: keyLayer.screen, isActive: written === undefined },
  );

  const applyFilter = () => {
    const text = written?.trim() ?? '';
    setWritten(undefined);
    const unknown = wrongFilter(parseFilter(text, filters), filters, environment);
    if (unknown) status.say(unknown);
    else setFilterText(text);
  };

  const reason = typeof props.empty === 'function' ? props.empty() : props.empty;
  const table = <Table {...props} list={list} empty={filterText ? environment.speak('tui.noHit') : reason} />;
  const isBeside = props.beside !== undefined && list.items.length > 0 && !isRead && paneWidth(width) > 0;
  return (
    <ScreenFrame
      title={titleOf(pathOf(props, environment), list, { filterText, sort: sorts.length > 1 ? sort : '' }, environment)}
      aside={asideOf(list, everyMs, props.aside ?? '', environment)}
      detail={
        written === undefined
          ? row === undefined
            ? ''
            : (props.detail?.(row) ?? '')
          : filterHint(filters, environment)
      }
      hints={written === undefined ? hintsOf(props, environment) : writingHints(environment)}
      isTyped={written !== undefined}
      input={
        written !== undefined && (
          <TextInput
            label=" /"
            value={written}
            onChange={setWritten}
            onEnter={applyFilter}
            onEscape={() => setWritten(undefined)}
          />
        )
      }
    >
      <LoadState error={list.error} isSlow={list.isSlow} hasData={list.hasData} />
      {list.hasData &&
        (isBeside ? <Beside details={row === undefined ? [] : (props.beside?.(row) ?? [])}>{table}</Beside> : table)}
    </ScreenFrame>
  );
}

function pathOf<T>({ trail = noNames, title }: ListScreenProps<T>, { symbols }: Environment): string {
  return [...trail, title].join(` ${symbols.into} `);
}

function movement<T>({ move, total }: List<T>, page: number): Record<string, () => void> {
  const by = (step: number) => () => move(step);
  return {
    j: by(1),
    down: by(1),
    k: by(-1),
    up: by(-1),
    pagedown: by(page),
    pageup: by(-page),
    g: by(-total),
    home: by(-total),
    G: by(total),
    end: by(total),
  };
}

/** A misspelled filter would look like a list without rows. */
function wrongFilter({ unknown }: Filter, keys: readonly string[], { speak }: Environment): string | undefined {
  const [word] = unknown;
  if (word === undefined) return undefined;
  const some = wordsOf(keys);
  return some ? speak('tui.unknownFilter', { word, some }) : speak('tui.noFilters', { word });
}

function titleOf<T>(
  title: string,
  { total, isCapped, marks, hasData }: List<T>,
  { filterText, sort }: { filterText: string; sort: string },
  { speak }: Environment,
): string {
  const parts = [hasData ? ` ${title} (${grouped(total)}${isCapped ? '+' : ''})` : ` ${title}`];
  if (marks.size > 0) parts.push(speak('tui.marked', { count: marks.size }));
  if (filterText) parts.push(`/${filterText}`);
  if (sort) parts.push(`${speak('tui.sort')}:${sort}`);
  return parts.join('  ');
}

function asideOf<T>(
  { first, items, total }: List<T>,
  everyMs: number | undefined,
  aside: string,
  { symbols }: Environment,
): string {
  const range = items.length > 0 && items.length < total ? grouped(`${first + 1}-${first + items.length}`) : '';
  const pulse = everyMs ? `${symbols.refresh} ${everyMs / 1000}s` : '';
  return [aside, range, pulse].filter(Boolean).join('  ');
}

function hintsOf<T>(props: ListScreenProps<T>, environment: Environment): Hint[] {
  const { actions = [], sorts = noNames, hasMarks = true } = props;
  const { speak, symbols } = environment;
  const opening = openingHints(props, environment);
  const keys = actions
    .filter(({ label }) => !opening.some((hint) => hint.label === label))
    .map(({ key, label }) => ({ key: key === ' ' ? 'space' : key, label }));
  return [
    ...keys.slice(0, 2),
    ...opening,
    ...keys.slice(2),
    { key: '/', label: speak('tui.keyFilter'), more: wordsOf(props.filters ?? noNames) },
    ...(hasMarks
      ? [
          { key: 'space', label: speak('tui.keyMark') },
          { key: 'a', label: speak('tui.keyMarkAll') },
        ]
      : []),
    ...(sorts.length > 1 ? [{ key: 's', label: speak('tui.keySort') }] : []),
    { key: 'r', label: speak('tui.keyRefresh') },
    { key: `${symbols.upDown} j k`, label: speak('tui.keyMove') },
    { key: 'PgUp PgDn', label: speak('tui.keyPage') },
    { key: 'g G', label: speak('tui.keyEnds') },
  ];
}

/** While a filter is written every key writes, so only these are said. */
const writingHints = ({ speak, symbols }: Environment): Hint[] => [
  { key: symbols.enter, label: speak('tui.keyApply') },
  { key: 'Esc', label: speak('tui.keyCancel') },
];

/** What can be written. */
const filterHint = (filters: readonly string[], { speak }: Environment) =>
  filters.length > 0 ? ` ${speak('tui.filterWords', { some: wordsOf(filters) })}` : '';

const wordsOf = (filters: readonly string[]) => filters.map((name) => `${name}:`).join(' ');

/** Enter and `d`, each with the other key that does the same. */
function openingHints<T>(
  { actions = [], details, enter }: ListScreenProps<T>,
  { speak, symbols }: Environment,
): Hint[] {
  const shown = { key: 'd', label: speak('tui.keyDetails') };
  if (!enter) return details ? [{ ...shown, key: `${symbols.enter} d` }] : [];
  const { label } = enter;
  const twin = actions.find((action) => action.label === label)?.key;
  return [{ key: [symbols.enter, twin].filter(Boolean).join(' '), label }, ...(details ? [shown] : [])];
}
