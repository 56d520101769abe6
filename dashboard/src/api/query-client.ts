import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      // A refusal stays a refusal; only what never arrived is worth a second try.
      retry: (count, error) => count < 1 && error instanceof ApiError && error.status === 0,
      retryDelay: 500,
    },
    mutations: { networkMode: 'always' },
  },
});
