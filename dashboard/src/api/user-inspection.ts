import { useMutation, useQuery } from '@tanstack/react-query';
import type { Session } from '../../../core/schemas/session.ts';
import type { Token } from '../../../core/schemas/token.ts';
import type { TokenWithOwner, UserCreditEntry, UserSummary } from '../../../core/schemas/user-inspection.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';

const inspection = ['user', 'inspection'];

/** What belongs to a user is read again after a change of the account. */
export const refreshInspection = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: inspection }),
    queryClient.invalidateQueries({ queryKey: ['user-credit'] }),
  ]);

export const useUserSummary = (id: number) =>
  useQuery({
    queryKey: [...inspection, 'summary', id],
    queryFn: ({ signal }) => api.get<UserSummary>(`/api/user/${id}/summary`, { signal }),
  });

/** `user` is the id whose rows are listed. */
export type OfUser = { user: string };

export const listTokensOf = ({
  filters,
  sort,
  page,
  pageSize,
  signal,
}: ListQuery<OfUser>): Promise<ListResult<Token>> =>
  api.get(`/api/user/${filters.user}/tokens`, { query: { sort, p: page, page_size: pageSize }, signal });

export const listCreditOf = ({
  filters,
  page,
  pageSize,
  signal,
}: ListQuery<OfUser>): Promise<ListResult<UserCreditEntry>> =>
  api.get(`/api/user/${filters.user}/credit`, { query: { p: page, page_size: pageSize }, signal });

export const useSessionsOf = (id: number) =>
  useQuery({
    queryKey: [...inspection, 'sessions', id],
    queryFn: ({ signal }) => api.get<Session[]>(`/api/user/${id}/sessions`, { signal }),
  });

export function useSessionsEnd(id: number) {
  const onSettled = refreshInspection;
  const end = useMutation({
    mutationFn: (session: string) => api.delete(`/api/user/${id}/sessions/${encodeURIComponent(session)}`),
    onSettled,
  });
  const endAll = useMutation({ mutationFn: () => api.delete<number>(`/api/user/${id}/sessions`), onSettled });
  return { end: end.mutateAsync, endAll: endAll.mutateAsync };
}

/** One token, one's own or, for admins, that of a user they may look at. */
export const useToken = (id: number) =>
  useQuery({
    queryKey: ['token', 'one', id],
    queryFn: ({ signal }) => api.get<TokenWithOwner>(`/api/user/tokens/${id}`, { signal }),
  });
