import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { currentSearch } from '../../state/current-search.ts';
import type { PeriodFilters } from './period.ts';

/** The chosen time stands in the address, so that links and Back work. */
export function usePeriod() {
  const [search, setSearch] = useSearchParams();
  const filters = useMemo<PeriodFilters>(() => {
    const read = (name: string, fallback = '') => search.get(name) ?? fallback;
    return {
      range: read('range', 'today'),
      start: read('start'),
      end: read('end'),
      unit: read('unit'),
      compare: read('compare'),
    };
  }, [search]);

  function setFilters(changed: Partial<PeriodFilters>): void {
    const after = currentSearch();
    for (const [name, value] of Object.entries(changed)) {
      if (value) after.set(name, value);
      else after.delete(name);
    }
    setSearch(after, { replace: true });
  }

  return { filters, setFilters };
}
