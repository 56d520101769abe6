import { queryOptions } from '@tanstack/react-query';
import type { PriceList, PriceRow } from '../../../core/schemas/price-list.ts';
import { api } from './client.ts';

export type { PriceList, PriceRow };

/** What each model costs, and the groups the reader may choose. */
export const priceListOptions = queryOptions({
  queryKey: ['price-list'],
  queryFn: async ({ signal }): Promise<PriceList> => {
    const { data, group_ratio, usable_group } = await api.whole<PriceRow[], Omit<PriceList, 'data'>>('/api/pricing', {
      signal,
    });
    return { data, group_ratio, usable_group };
  },
});
