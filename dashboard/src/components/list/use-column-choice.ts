import { useMemo } from 'react';
import { useIsCompact, useIsMedium, useIsNarrow } from '../../state/media.ts';
import { createStoredValue, type StoredValue } from '../../state/stored-value.ts';
import type { Column } from './column.ts';

type Keys = string[] | undefined;

const stores = new Map<string, StoredValue<Keys>>();

/** The columns the user wants to see in a list; kept locally. */
export function useColumnChoice<Row>(listName: string, columns: Column<Row>[]) {
  const store = storeOf(listName);
  const stored = store.use();
  const isNarrow = useIsNarrow();
  const isCompact = useIsCompact();
  const isMedium = useIsMedium();
  return useMemo(() => {
    const isTight = { 0: false, 1200: isNarrow, 1330: isCompact, 1440: isMedium };
    const choice =
      stored ??
      columns.filter(({ isHidden, hiddenBelow }) => !isHidden && !isTight[hiddenBelow ?? 0]).map(({ key }) => key);
    return { choice, shown: columns.filter(({ key }) => choice.includes(key)), setChoice: store.set };
  }, [stored, columns, store, isNarrow, isCompact, isMedium]);
}

function storeOf(listName: string): StoredValue<Keys> {
  const known = stores.get(listName);
  if (known) return known;
  const store = createStoredValue<Keys>(`columns:${listName}`, (value) =>
    Array.isArray(value) && value.length > 0 ? value.map(String) : undefined,
  );
  stores.set(listName, store);
  return store;
}
