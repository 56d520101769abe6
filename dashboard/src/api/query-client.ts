import { QueryClient } from '@tanstack/react-query';
import { retryPolicy } from './retry.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      ...retryPolicy,
    },
    mutations: { networkMode: 'always' },
  },
});
