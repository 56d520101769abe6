import { queryOptions } from '@tanstack/react-query';
import type { Page } from '../../../core/schemas/paging.ts';
import type { RehearsalReport } from '../../../core/schemas/price-rehearsal.ts';
import type {
  DiffScope,
  ListedPrice,
  PriceDiff,
  PriceDiffRow,
  PriceHistoryRow,
  PriceOffer,
  SeenChange,
} from '../../../core/schemas/price-sync.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';

/** A list by its name or address, or the text of a file with what it is called. */
export interface PriceSource {
  source: string;
  content?: string;
}

export const previewPrices = (source: PriceSource, scope: DiffScope): Promise<PriceDiff> =>
  api.post('/api/pricing/sync/preview', { ...source, scope });

export async function applyPrices(source: PriceSource, rows: PriceDiffRow[]): Promise<{ models: string[] }> {
  const applied = await api.post<{ models: string[] }>('/api/pricing/sync/apply', { ...source, changes: seen(rows) });
  refreshPrices();
  return applied;
}

export const rehearseRows = (rows: PriceDiffRow[], days: number): Promise<RehearsalReport> =>
  api.post('/api/pricing/sync/rehearse', { changes: seen(rows), days });

const seen = (rows: PriceDiffRow[]): SeenChange[] => rows.map(({ model, old, next }) => ({ model, old, next }));

/** Of these models those without a price, with the list price of each. */
export const priceOfferOptions = (models: string[], mapping: Record<string, string>) =>
  queryOptions({
    queryKey: ['price-offer', models, mapping],
    queryFn: ({ signal }) =>
      api.post<PriceOffer[]>('/api/pricing/offer', { models, model_mapping: mapping }, { signal }),
    enabled: models.length > 0,
    // A hint beside a form, which works without it.
    retry: false,
  });

export async function acceptOffers(offers: (PriceOffer & { price: ListedPrice })[]): Promise<{ models: string[] }> {
  const changes = offers.map(({ model, price }) => ({ model, old: null, next: price }));
  const accepted = await api.post<{ models: string[] }>('/api/pricing/offer/accept', { changes });
  refreshPrices();
  return accepted;
}

interface HistoryChoice {
  /** Every model without it. */
  model: string;
  page: number;
}

export const historyPageSize = 20;

/** Changes of prices, newest first; for admins. */
export const priceHistoryOptions = ({ model, page }: HistoryChoice) =>
  queryOptions({
    queryKey: ['price-history', model, page],
    queryFn: ({ signal }) =>
      api.get<Page<PriceHistoryRow>>('/api/pricing/history', {
        query: { ...(model && { model }), p: page, page_size: historyPageSize },
        signal,
      }),
  });

function refreshPrices(): void {
  for (const name of ['price-list', 'price-history', 'price-offer', 'rehearsal', 'completion-ratio'])
    void queryClient.invalidateQueries({ queryKey: [name] });
}
