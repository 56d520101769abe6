import { QueryClient } from '@tanstack/react-query';
import { sessionUser } from '../state/session.ts';
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

let owner = sessionUser.get()?.id;

/** Removes all data of the previous user, for the one who comes next. */
export function forgetResponses(next: number | undefined): void {
  owner = next;
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'status' });
}

// Another tab signed in or out. Heard here before the pages hear it, which then read what is their user's.
window.addEventListener('storage', () => {
  const id = sessionUser.get()?.id;
  if (id !== owner) forgetResponses(id);
});

// A page that Back brings out of the browser's memory has missed what others have stored since: who is signed in, for one.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) window.dispatchEvent(new StorageEvent('storage'));
});
