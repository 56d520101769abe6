import { useState } from 'react';
import type { SearchKind } from '../../../../core/schemas/search.ts';
import { useGroupNames } from '../../api/group.ts';
import { useSearch } from '../../api/search.ts';
import type { Filtered } from '../../components/list/filtered.ts';
import { SearchFilter } from '../../components/list/search-filter.tsx';
import { useSettled } from '../../state/use-settled.ts';

interface FilterProps {
  list: Filtered;
  name: string;
  label: string;
}

/** Suggests names while one is typed; a channel is kept by its ID. */
export function ObjectFilter({ kind, ...filter }: FilterProps & { kind: SearchKind }) {
  const [typed, setTyped] = useState<string>();
  const settled = useSettled(typed ?? '');
  const { data: hits = [] } = useSearch(settled, typed === undefined ? undefined : kind);
  const names = new Map(
    hits.map(({ kind: found, id, name }) => (found === 'channel' ? [String(id), name] : [name, ''])),
  );
  const choices = [...names].map(([value, text]) => ({ value, text }));
  return <SearchFilter {...filter} choices={choices} onTyping={setTyped} />;
}

/** Only admins may read the names of all groups. */
export function GroupFilter(filter: FilterProps) {
  const { data: names = [] } = useGroupNames();
  return <SearchFilter {...filter} choices={names.map((value) => ({ value, text: '' }))} />;
}
