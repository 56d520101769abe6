import { useMutation, useQuery } from '@tanstack/react-query';
import type { User, UserBatch, UserCreate, UserCredit, UserManage, UserUpdate } from '../../../core/schemas/user.ts';
import type { ListQuery, ListResult } from '../components/list/use-list.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';
import { refreshInspection } from './user-inspection.ts';

export type UserFilters = { keyword: string; group: string };

export async function listUsers(query: ListQuery<UserFilters>): Promise<ListResult<User>> {
  const { page, pageSize, filters, sort, signal } = query;
  const isSearch = filters.keyword !== '' || filters.group !== '';
  return api.get(isSearch ? '/api/user/search' : '/api/user/', {
    query: { ...filters, sort, p: page, page_size: pageSize },
    signal,
  });
}

const lists = ['user', 'list'];
const refresh = () => {
  void refreshInspection();
  return queryClient.invalidateQueries({ queryKey: lists });
};

/** The response to an action contains the row, so nothing is read again. */
function showRow(user: User): void {
  void refreshInspection();
  queryClient.setQueriesData<ListResult<User>>(
    { queryKey: lists },
    (before) => before && { ...before, items: before.items.map((row) => (row.id === user.id ? user : row)) },
  );
}

/** Everything that is done to accounts of others; the list follows. */
export function useUserActions() {
  const create = useMutation({
    mutationFn: (user: Omit<UserCreate, 'role'>) => api.post('/api/user/', user),
    onSettled: refresh,
  });
  const update = useMutation({ mutationFn: (user: UserUpdate) => api.put('/api/user/', user), onSettled: refresh });
  const manage = useMutation({
    mutationFn: (order: UserManage) => api.post<User>('/api/user/manage', order),
    onSuccess: showRow,
    onError: refresh,
  });
  const manageMany = useMutation({
    mutationFn: (order: UserBatch) => api.post<number>('/api/user/batch', order),
    onSettled: refresh,
  });
  const addCredit = useMutation({
    mutationFn: ({ id, ...credit }: UserCredit & { id: number }) => api.post<User>(`/api/user/${id}/credit`, credit),
    onSuccess: showRow,
    onError: refresh,
  });
  const removeSecondStep = useMutation({ mutationFn: (id: number) => api.delete(`/api/user/${id}/2fa`) });
  return {
    create: create.mutateAsync,
    update: update.mutateAsync,
    manage: manage.mutateAsync,
    manageMany: manageMany.mutateAsync,
    addCredit: addCredit.mutateAsync,
    removeSecondStep: removeSecondStep.mutateAsync,
  };
}

export const readUser = (id: number, signal?: AbortSignal) =>
  api.get<User>(`/api/user/${id}`, signal ? { signal } : {});

/** As it is stored now; only admins may ask. A form starts from it. */
export const useUser = (id: number) =>
  useQuery({
    queryKey: ['user', 'one', id],
    queryFn: ({ signal }) => readUser(id, signal),
    staleTime: 0,
    gcTime: 0,
  });
