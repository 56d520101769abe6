import { useMutation } from '@tanstack/react-query';
import type {
  Redemption,
  RedemptionCreate,
  RedemptionStatusBatch,
  RedemptionUpdate,
} from '../../../core/schemas/redemption.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';

export type RedemptionFilters = { keyword: string };

export async function listRedemptions(query: ListQuery<RedemptionFilters>): Promise<ListResult<Redemption>> {
  const { page, pageSize, filters, sort, signal } = query;
  return api.get(filters.keyword === '' ? '/api/redemption/' : '/api/redemption/search', {
    query: { ...filters, sort, p: page, page_size: pageSize },
    signal,
  });
}

/** As it is stored now. */
export const readRedemption = (id: number) => api.get<Redemption>(`/api/redemption/${id}`);

const refresh = () => queryClient.invalidateQueries({ queryKey: ['redemption'] });

/** Everything that is done to codes; the list follows. */
export function useRedemptionActions() {
  const create = useMutation({
    mutationFn: (order: RedemptionCreate) => api.post<string[]>('/api/redemption/', order),
    onSettled: refresh,
  });
  const update = useMutation({
    mutationFn: (fields: RedemptionUpdate) => api.put('/api/redemption/', fields),
    onSettled: refresh,
  });
  const setStatus = useMutation({
    mutationFn: (fields: { id: number; status: number }) =>
      api.put('/api/redemption/', fields, { query: { status_only: true } }),
    onSettled: refresh,
  });
  const remove = useMutation({ mutationFn: (id: number) => api.delete(`/api/redemption/${id}`), onSettled: refresh });
  const setStatusOf = useMutation({
    mutationFn: (fields: RedemptionStatusBatch) => api.post<number>('/api/redemption/batch/status', fields),
    onSettled: refresh,
  });
  const removeMany = useMutation({
    mutationFn: (ids: number[]) => api.post<number>('/api/redemption/batch', { ids }),
    onSettled: refresh,
  });
  const removeInvalid = useMutation({
    mutationFn: () => api.delete<number>('/api/redemption/invalid'),
    onSettled: refresh,
  });
  return {
    create: create.mutateAsync,
    update: update.mutateAsync,
    setStatus: setStatus.mutateAsync,
    remove: remove.mutateAsync,
    setStatusOf: setStatusOf.mutateAsync,
    removeMany: removeMany.mutateAsync,
    removeInvalid: removeInvalid.mutateAsync,
  };
}
