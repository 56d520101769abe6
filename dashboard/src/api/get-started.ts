import { useQuery } from '@tanstack/react-query';
import { logType } from '../../../core/schemas/log.ts';
import { api } from './client.ts';

export interface FirstSteps {
  hasChannel: boolean;
  hasToken: boolean;
  hasCall: boolean;
}

/** How far a fresh installation has come. */
export const useFirstSteps = (isWanted: boolean) =>
  useQuery({
    queryKey: ['first-steps'],
    enabled: isWanted,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<FirstSteps> => {
      const [channels, tokens, calls] = await Promise.all([
        api.get<unknown[]>('/api/channel/', { query: { p: 0, page_size: 1 }, signal }),
        api.get<unknown[]>('/api/token/', { query: { p: 0, size: 1 }, signal }),
        api.get<{ items: unknown[] }>('/api/log/', { query: { p: 1, page_size: 1, type: logType.consume }, signal }),
      ]);
      return { hasChannel: channels.length > 0, hasToken: tokens.length > 0, hasCall: calls.items.length > 0 };
    },
  });
