import { queryOptions } from '@tanstack/react-query';
import type { PriceList, PriceRow } from '../../../core/schemas/price-list.ts';
import type { RehearsalReport } from '../../../core/schemas/price-rehearsal.ts';
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

let lastRehearsal: Promise<unknown> = Promise.resolve();

/**
 * What the requests of the last days would have cost; `options` are texts by name, as the settings hold them. One after the other, since
 * the server counts on when it is left: one that is not wanted any more when its turn comes is not sent.
 */
export function rehearsePrices(
  options: Record<string, string>,
  days: number,
  signal: AbortSignal,
): Promise<RehearsalReport> {
  const turn = lastRehearsal.then(() => {
    signal.throwIfAborted();
    return api.post<RehearsalReport>('/api/pricing/rehearse', { options, days });
  });
  lastRehearsal = turn.catch(() => undefined);
  return turn;
}
