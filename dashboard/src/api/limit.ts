import { useMutation, useQuery } from '@tanstack/react-query';
import type { Limit, LimitCreate, LimitSubjectKind, LimitUpdate, OwnLimit } from '../../../core/schemas/limit.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';

export const readLimit = (id: number) => api.get<Limit>(`/api/limit/${id}`);

export type LimitFilters = { subject_kind: string; subject: string; measure: string };

export async function listLimits(query: ListQuery<LimitFilters>): Promise<ListResult<Limit>> {
  const { page, pageSize, filters, sort, signal } = query;
  const { subject_kind, subject, measure } = filters;
  // Of one, with those for each of its kind that apply to it.
  const of = subject_kind && subject ? { applies_to: subject_kind, subject } : { subject_kind };
  return api.get('/api/limit/', {
    query: { ...of, measure, ...(sort && { sort }), p: page, page_size: pageSize },
    signal,
  });
}

/** Whose limits are looked at: the id of a token or user, the name of a group or model. */
export interface LimitSubject {
  kind: LimitSubjectKind;
  subject: string;
}

/** Of one and of each of its kind there are fewer. */
const maxApplied = 100;

/** What limits one subject, with those for each of its kind. For admins. */
export const useLimitsOf = ({ kind, subject }: LimitSubject) =>
  useQuery({
    queryKey: ['limit', 'of', kind, subject],
    queryFn: async ({ signal }) => {
      const query = { applies_to: kind, subject, page_size: maxApplied };
      return (await api.get<ListResult<Limit>>('/api/limit/', { query, signal })).items;
    },
  });

/** What limits the calls of the account that is signed in. */
export const useOwnLimits = () =>
  useQuery({
    queryKey: ['limit', 'own'],
    queryFn: ({ signal }) => api.get<OwnLimit[]>('/api/limit/self', { signal }),
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
