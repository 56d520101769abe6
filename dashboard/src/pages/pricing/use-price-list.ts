import { useQuery } from '@tanstack/react-query';
import { type PriceRow, priceListOptions } from '../../api/pricing.ts';
import { queryClient } from '../../api/query-client.ts';
import { type ListQuery, type ListResult, useList } from '../../components/list/use-list.ts';
import { sessionUser } from '../../state/session.ts';

type PriceFilters = { keyword: string; group: string; kind: string };
export type PriceLine = PriceRow & { id: number };

export interface PriceGroup {
  name: string;
  description: string;
  ratio: number;
}

/** The prices by page, and the groups they can be shown for. */
export function usePriceList() {
  const list = useList({ name: 'price', filters: noFilters, load: loadPage });
  const groups = useGroups();
  const user = sessionUser.use();
  const find = (name: string | undefined) => groups.find((group) => group.name === name);
  // By default: what one's own calls cost.
  const group = find(list.filters.group) ?? find(user?.group) ?? find('default') ?? groups[0];
  // The pages are cut from one response, which is to be a new one.
  const refresh = () =>
    void queryClient
      .invalidateQueries({ queryKey: priceListOptions.queryKey, refetchType: 'none' })
      .then(() => list.refresh());
  return { list: { ...list, refresh }, groups, group };
}

const noFilters: PriceFilters = { keyword: '', group: '', kind: '' };

function useGroups(): PriceGroup[] {
  const { data } = useQuery(priceListOptions);
  if (!data) return [];
  return Object.entries(data.usable_group).map(([name, description]) => ({
    name,
    description,
    ratio: data.group_ratio[name] ?? 1,
  }));
}

/** The route knows no pages: it returns all models at once. */
async function loadPage({ page, pageSize, filters }: ListQuery<PriceFilters>): Promise<ListResult<PriceLine>> {
  const { data } = await queryClient.fetchQuery(priceListOptions);
  const keyword = filters.keyword.toLowerCase();
  const hits = data
    .map((row, id) => ({ ...row, id }))
    .filter(
      ({ model_name: name, maker, enable_groups: open, quota_type: kind }) =>
        [name, maker].some((text) => text.toLowerCase().includes(keyword)) &&
        (filters.group === '' || open.includes(filters.group)) &&
        (filters.kind === '' || String(kind) === filters.kind),
    );
  return { items: hits.slice((page - 1) * pageSize, page * pageSize), total: hits.length };
}
