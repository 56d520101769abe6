import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Page } from '../../../core/schemas/paging.ts';
import { useLoad } from './use-load.ts';

export interface PageQuery {
  page: number;
  page_size: number;
}

export interface ListPage<T> extends Page<T> {
  /** There are more than `total`: counting all would take longer than reading the page. */
  total_capped?: boolean;
}

export interface ListSource<T> {
  load(query: PageQuery): Promise<ListPage<T>>;
  idOf(row: T): string | number;
  /** Reloads from the top when this changes. */
  key: string;
  pageSize: number;
  everyMs: number | undefined;
  /** The cursor keeps its place instead of its row: new rows push the old ones down. */
  isFollowing: boolean;
}

const readAtOnce = 100;
/** More are too many to look through. */
const maxRead = 1000;

/** Rows page by page, a cursor that stays with its row, and marks that stay while pages are turned. */
export function useList<T>({ load, idOf, key, pageSize, everyMs, isFollowing }: ListSource<T>) {
  const [cursor, setCursor] = useState(0);
  /** Counts the rows that were made here. */
  const [edition, setEdition] = useState(0);
  const [marks, setMarks] = useState<ReadonlyMap<string | number, T>>(new Map());
  const page = Math.floor(cursor / pageSize) + 1;
  const first = (page - 1) * pageSize;
  const pageKey = [key, page, pageSize, edition].join(' ');
  const loaded = useLoad(() => load({ page, page_size: pageSize }), { key: pageKey, everyMs });
  const { data } = loaded;
  // While another page is on its way no row is chosen: a key must not hit one that is not shown under the cursor.
  const isCurrent = loaded.key === pageKey;
  const items = data?.items ?? [];
  const total = data?.total ?? 0;
  const row = isCurrent ? items[cursor - first] : undefined;

  // In the moment it is drawn: a key that comes just then must not hit the row that has moved under the cursor.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top.
  useLayoutEffect(() => {
    setCursor(0);
    setMarks(new Map());
  }, [key]);

  /** What was shown before: it tells on which row the cursor was, wherever a key has just moved it. */
  const former = useRef<{ key: string; items: T[] }>({ key: '', items: [] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new data moves rows.
  useLayoutEffect(() => {
    if (!data || !isCurrent) return;
    // The row of the cursor, and those behind it: the next one takes its place when it is gone.
    const before = former.current.key === pageKey ? former.current.items.slice(cursor - first) : [];
    former.current = { key: pageKey, items };
    const places = new Map(isFollowing ? [] : items.map((item, index) => [idOf(item), index]));
    const at = before.map((row) => places.get(idOf(row))).find((place) => place !== undefined);
    if (at !== undefined) setCursor(first + at);
    else if (total > 0 && cursor >= total) setCursor(total - 1);
    setMarks((marked) => refreshed(marked, items, idOf));
  }, [data]);

  const move = useCallback(
    (step: number) => setCursor((at) => Math.max(0, Math.min(Math.max(0, total - 1), at + step))),
    [total],
  );

  /** Reads the list again with the cursor on a row that was just made, if it contains that one. */
  async function goTo(id: string | number): Promise<void> {
    const at = await placeOf(id).catch(() => undefined);
    if (at !== undefined) setCursor(at);
    // No row is chosen until the new one is there.
    setEdition((number) => number + 1);
  }

  async function placeOf(id: string | number): Promise<number | undefined> {
    for (let number = 1; number * readAtOnce <= maxRead; number++) {
      const { items: some, total: count } = await load({ page: number, page_size: readAtOnce });
      const index = some.findIndex((item) => idOf(item) === id);
      if (index >= 0) return (number - 1) * readAtOnce + index;
      if (some.length === 0 || number * readAtOnce >= count) break;
    }
    return undefined;
  }

  function toggleMark(): void {
    if (row === undefined) return;
    setMarks((former) => {
      const next = new Map(former);
      if (!next.delete(idOf(row))) next.set(idOf(row), row);
      return next;
    });
    move(1);
  }

  async function markAll(): Promise<void> {
    const all = new Map<string | number, T>();
    for (let number = 1; all.size < maxRead; number++) {
      const { items: more, total: count } = await load({ page: number, page_size: readAtOnce });
      for (const item of more) all.set(idOf(item), item);
      if (more.length === 0 || number * readAtOnce >= count) break;
    }
    setMarks(all);
  }

  return {
    items,
    total,
    isCapped: data?.total_capped ?? false,
    row,
    first,
    page,
    isCurrent,
    cursorRow: cursor - first,
    marks,
    hasData: data !== undefined,
    error: loaded.error,
    isSlow: loaded.isSlow,
    reload: loaded.reload,
    goTo,
    move,
    toggleMark,
    markAll,
    clearMarks: () => setMarks(new Map()),
  };
}

export type List<T> = ReturnType<typeof useList<T>>;

/** Marked rows as they are now. */
function refreshed<T>(
  marks: ReadonlyMap<string | number, T>,
  items: T[],
  idOf: (row: T) => string | number,
): ReadonlyMap<string | number, T> {
  if (marks.size === 0) return marks;
  const now = new Map(items.map((item) => [idOf(item), item]));
  return new Map([...marks].map(([id, row]) => [id, now.get(id) ?? row]));
}
