import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useStatus } from '../../api/status.ts';
import type { UsageFilters } from '../../api/usage-data.ts';
import { currentSearch } from '../../state/current-search.ts';
import { type Unit, units } from './usage-series.ts';

/** One range rules all charts; it is in the address, so that links and Back work. */
export function useUsageFilters() {
  const [search, setSearch] = useSearchParams();
  const { data_export_default_time: defaultValue } = useStatus();
  const filters = useMemo<UsageFilters>(() => {
    const read = (name: string, fallback: string) => search.get(name) ?? fallback;
    return {
      range: read('range', 'week'),
      start: read('start', ''),
      end: read('end', ''),
      username: read('username', ''),
      unit: read('unit', ''),
    };
  }, [search]);
  const unit: Unit = units.find((one) => one === filters.unit) ?? units.find((one) => one === defaultValue) ?? 'day';

  function setFilters(changed: Partial<UsageFilters>): void {
    const after = currentSearch();
    for (const [name, value] of Object.entries(changed)) {
      if (value) after.set(name, value);
      else after.delete(name);
    }
    setSearch(after, { replace: true });
  }

  return { filters, unit, setFilters };
}
