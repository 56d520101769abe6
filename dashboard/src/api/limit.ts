import { useMutation, useQuery } from '@tanstack/react-query';
import type { Limit, LimitCreate, LimitSubjectKind, LimitUpdate } from '../../../core/schemas/limit.ts';
import { limitsOfSubject } from '../../../core/schemas/limit-subject.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';

export type LimitFilters = { subject_kind: string; measure: string };

export async function listLimits(query: ListQuery<LimitFilters>): Promise<ListResult<Limit>> {
  const { page, pageSize, filters, sort, signal } = query;
  return api.get('/api/limit/', {
    query: { ...filters, ...(sort && { sort }), p: page, page_size: pageSize },
    signal,
  });
}

/** Whose limits are looked at: the id of a token or user, the name of a group or model. */
export interface LimitSubject {
  kind: LimitSubjectKind;
  subject: string;
}

const pageSize = 100;
/** Further ones of the kind are seen on the page of all limits. */
const maxPages = 10;

/** What limits one subject, with those for each of its kind. For admins. */
export const useLimitsOf = ({ kind, subject }: LimitSubject) =>
  useQuery({
    queryKey: ['limit', 'of', kind, subject],
    queryFn: async ({ signal }) => {
      const found: Limit[] = [];
      for (let p = 1; p <= maxPages; p++) {
        const query = { subject_kind: kind, sort: 'id', p, page_size: pageSize };
        const { items, total = 0 } = await api.get<ListResult<Limit>>('/api/limit/', { query, signal });
        found.push(...items);
        if (items.length === 0 || found.length >= total) break;
      }
      return limitsOfSubject(found, subject);
    },
  });

/** What limits the calls of the account that is signed in. */
export const useOwnLimits = () =>
  useQuery({
    queryKey: ['limit', 'own'],
    queryFn: ({ signal }) => api.get<Limit[]>('/api/limit/self', { signal }),
  });

const refresh = () => queryClient.invalidateQueries({ queryKey: ['limit'] });

/** Everything that is done to limits; lists and cards follow. */
export function useLimitActions() {
  const create = useMutation({
    mutationFn: (limit: LimitCreate) => api.post<Limit>('/api/limit/', limit),
    onSettled: refresh,
  });
  const update = useMutation({
    mutationFn: (fields: LimitUpdate) => api.put<Limit>('/api/limit/', fields),
    onSettled: refresh,
  });
  const remove = useMutation({ mutationFn: (id: number) => api.delete(`/api/limit/${id}`), onSettled: refresh });
  return { create: create.mutateAsync, update: update.mutateAsync, remove: remove.mutateAsync };
}
