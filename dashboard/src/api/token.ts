import { useMutation, useQuery } from '@tanstack/react-query';
import type { Token, TokenCreate, TokenStatusBatch, TokenUpdate } from '../../../core/schemas/token.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';

export type TokenFilters = { keyword: string; token: string };

/** The route counts from 0 and does not count rows; a search shows what it finds a page at a time, too. */
export async function listTokens(query: ListQuery<TokenFilters>): Promise<ListResult<Token>> {
  const { page, pageSize, filters, sort, signal } = query;
  const isSearch = filters.keyword !== '' || filters.token !== '';
  return {
    items: await api.get<Token[]>(isSearch ? '/api/token/search' : '/api/token/', {
      query: { ...filters, sort, p: page - 1, size: pageSize },
      signal,
    }),
  };
}

/** As it is stored now. */
export const readToken = (id: number) => api.get<Token>(`/api/token/${id}`);

const refresh = () => queryClient.invalidateQueries({ queryKey: ['token'] });

/** Everything that is done to tokens; the list follows. */
export function useTokenActions() {
  const create = useMutation({
    mutationFn: async (tokens: TokenCreate[]) => {
      const [first, ...others] = tokens;
      if (!first) return undefined;
      await api.post('/api/token/', first);
      // Newest first: the one just made is found before others come on top of it.
      const newest = await api.get<Token[]>('/api/token/', { query: { p: 0, size: 10 } }).catch(() => []);
      for (const token of others) await api.post('/api/token/', token);
      return newest.find(({ name }) => name === first.name);
    },
    onSettled: refresh,
  });
  const update = useMutation({ mutationFn: (token: TokenUpdate) => api.put('/api/token/', token), onSettled: refresh });
  const setStatus = useMutation({
    mutationFn: ({ id, status }: { id: number; status: number }) =>
      api.put('/api/token/', { id, status }, { query: { status_only: true } }),
    onSettled: refresh,
  });
  const remove = useMutation({ mutationFn: (id: number) => api.delete(`/api/token/${id}`), onSettled: refresh });
  const setStatusOf = useMutation({
    mutationFn: (fields: TokenStatusBatch) => api.post<number>('/api/token/batch/status', fields),
    onSettled: refresh,
  });
  const removeMany = useMutation({
    mutationFn: (ids: number[]) => api.post<number>('/api/token/batch', { ids }),
    onSettled: refresh,
  });
  return {
    create: create.mutateAsync,
    update: update.mutateAsync,
    setStatus: setStatus.mutateAsync,
    remove: remove.mutateAsync,
    setStatusOf: setStatusOf.mutateAsync,
    removeMany: removeMany.mutateAsync,
  };
}

/** Groups the own tokens may use: name to ratio and description. */
export const useUsableGroups = () =>
  useQuery({
    queryKey: ['self', 'groups'],
    queryFn: ({ signal }) =>
      api.get<Record<string, { ratio: number; desc: string }>>('/api/user/self/groups', { signal }),
    staleTime: 60_000,
  });

/** Models the own tokens may call. */
export const useUsableModels = () =>
  useQuery({
    queryKey: ['self', 'models'],
    queryFn: ({ signal }) => api.get<string[]>('/api/user/models', { signal }),
    staleTime: 60_000,
  });
