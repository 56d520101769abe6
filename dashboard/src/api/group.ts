import { useQuery } from '@tanstack/react-query';
import { api } from './client.ts';

/** Names of all groups, for admins. */
export const useGroupNames = () =>
  useQuery({
    queryKey: ['group'],
    queryFn: ({ signal }) => api.get<string[]>('/api/group/', { signal }),
    staleTime: 60_000,
  });
