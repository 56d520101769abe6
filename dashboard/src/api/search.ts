import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SearchHit, SearchKind } from '../../../core/schemas/search.ts';
import { sessionUser } from '../state/session.ts';
import { api } from './client.ts';

/** What has such a name or ID. Without a text, only a search for one kind is asked: it offers the first few. */
export function useSearch(text: string, kind?: SearchKind) {
  const isOn = sessionUser.use() !== undefined && (text !== '' || kind !== undefined);
  return useQuery({
    queryKey: ['search', kind ?? '', text],
    queryFn: ({ signal }) => api.get<SearchHit[]>('/api/search', { query: { q: text, kind }, signal }),
    enabled: isOn,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });
}

/** The ID of the channel with this name or ID; an ID that no channel has if there is no match. */
export async function channelIdOf(text: string): Promise<string> {
  if (/^#?\d+$/.test(text)) return text.replace('#', '');
  const hits = await api.get<SearchHit[]>('/api/search', { query: { q: text, kind: 'channel' } });
  const hit = hits.find(({ name }) => name === text) ?? hits[0];
  return String(hit?.id ?? unknownId);
}

/** Larger than any: the API takes what is below 1 for no filter. */
const unknownId = 999_999_999;
