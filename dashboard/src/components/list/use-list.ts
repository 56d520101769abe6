import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { defaultPageSize } from '../../../../core/schemas/page-size.ts';
import { currentSearch } from '../../state/current-search.ts';
import { pageSize as storedPageSize } from '../../state/preference.ts';

export interface ListQuery<Filters> {
  /** From 1, whatever the route counts from. */
  page: number;
  pageSize: number;
  filters: Filters;
  /** A column's `sort`, with `-` before it from the largest down; empty for the route's own order. */
  sort: string;
  signal?: AbortSignal;
}

export interface ListResult<Row> {
  items: Row[];
  /** Left out where the route does not count. */
  total?: number;
}

interface ListOptions<Row, Filters> {
  /** Names the list in the cache: `refresh` and mutations use it. */
  name: string;
  /** Names of the filters in the address, with what they are when they are not there. */
  filters: Filters;
  load: (query: ListQuery<Filters>) => Promise<ListResult<Row>>;
  /** Filters that the page sets, whatever the address says: the requests of one channel. */
  fixed?: Partial<Filters>;
  /** Rows on a page until the user chooses. */
  rowsPerPage?: number;
}

export interface List<Row, Filters extends Record<string, string> = Record<string, string>> {
  name: string;
  /** Undefined until the first response. */
  rows: Row[] | undefined;
  total: number | undefined;
  /** Rows are counted, and pages turned, up to `total` only. */
  isCapped?: boolean;
  hasNext: boolean;
  page: number;
  pageSize: number;
  filters: Filters;
  sort: string;
  isFiltered: boolean;
  /** A request is running while older rows are shown. */
  isReloading: boolean;
  error: Error | null;
  refresh(): void;
  setPage(page: number): void;
  setPageSize(size: number): void;
  setFilters(changed: Partial<Filters>): void;
  setSort(sort: string): void;
  clearFilters(): void;
}

const sortKey = 'sort';
/** What is in the address beside the filters, and what it is when it is not there. */
const unnamed: Record<string, string> = { p: '1', [sortKey]: '' };

/** The rows of a list page. Page, order and filters are in the address, so that links and Back work; the page size is kept locally. */
export function useList<Row, Filters extends Record<string, string>>(
  options: ListOptions<Row, Filters>,
): List<Row, Filters> {
  const { name, filters: unset, fixed, load, rowsPerPage = defaultPageSize } = options;
  const initial: Filters = useMemo(() => ({ ...unset, ...fixed }), [unset, fixed]);
  const [search, setSearch] = useSearchParams();
  const pageSize = storedPageSize.use() ?? rowsPerPage;
  const page = pageIn(search);
  const sort = search.get(sortKey) ?? '';
  const filters = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(initial).map(([key, value]) => [key, isFixed(fixed, key) ? value : (search.get(key) ?? value)]),
      ) as Filters,
    [initial, fixed, search],
  );

  const pageOptions = (wanted: number) => ({
    queryKey: [name, 'list', { page: wanted, pageSize, filters, sort }],
    queryFn: ({ signal }: { signal: AbortSignal }) => load({ page: wanted, pageSize, filters, sort, signal }),
  });
  const query = useQuery({ ...pageOptions(page), placeholderData: keepPreviousData });
  const { items, total } = query.data ?? {};
  const isFull = total === undefined && (items?.length ?? 0) >= pageSize;
  // Without a count, the next page tells whether there is one, and is there when it is asked for.
  const next = useQuery({ ...pageOptions(page + 1), enabled: isFull && !query.isPlaceholderData });
  const hasNext = total === undefined ? isFull && next.data?.items.length !== 0 : page * pageSize < total;

  function change(values: Record<string, string>, options: { replace: boolean }): void {
    const after = currentSearch();
    for (const [key, value] of Object.entries(values)) {
      if (value === (unnamed[key] ?? initial[key])) after.delete(key);
      else after.set(key, value);
    }
    setSearch(after, options);
  }

  // The last row of the last page is gone, or a link counts shorter pages: there is nothing here.
  const isPastEnd = page > 1 && items?.length === 0 && !query.isPlaceholderData;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page turns out to be empty
  useEffect(() => {
    // The address may have gone on already.
    if (isPastEnd && pageIn(currentSearch()) === page)
      change({ p: String(total === undefined ? page - 1 : Math.ceil(total / pageSize) || 1) }, { replace: true });
  }, [isPastEnd, page]);

  return {
    name,
    total,
    hasNext,
    page,
    pageSize,
    filters,
    sort,
    rows: items,
    isFiltered: Object.entries(filters).some(([key, value]) => value !== initial[key]),
    isReloading: query.isFetching && items !== undefined,
    error: query.error,
    refresh: () => void query.refetch(),
    setPage: (wanted) => change({ p: String(wanted) }, { replace: false }),
    // The row that is read stays in view.
    setPageSize(size) {
      change({ p: String(Math.floor(((page - 1) * pageSize) / size) + 1) }, { replace: true });
      storedPageSize.set(size);
    },
    setFilters: (changed) => change({ ...(changed as Record<string, string>), p: '1' }, { replace: true }),
    setSort: (wanted) => change({ [sortKey]: wanted, p: '1' }, { replace: true }),
    clearFilters: () => change({ ...initial, p: '1' }, { replace: true }),
  };
}

const pageIn = (search: URLSearchParams): number => Math.max(1, Math.trunc(Number(search.get('p'))) || 1);

const isFixed = (fixed: object | undefined, key: string) => fixed !== undefined && key in fixed;
