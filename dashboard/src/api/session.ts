import type { SignIn } from '../../../core/schemas/session.ts';
import type { User } from '../../../core/schemas/user.ts';
import { session } from '../state/session.ts';
import { api } from './client.ts';
import { queryClient } from './query-client.ts';

export const signIn = (credentials: SignIn, turnstile: string) =>
  api.post<User>('/api/user/login', credentials, { query: { turnstile } });

/** Takes over what an answer says of who is signed in now. */
export function beginSession(user: User): void {
  forgetAnswers();
  session.begin(user);
}

export function endSession(): void {
  session.end();
  forgetAnswers();
}

/** Nothing of whoever was here before stays. */
function forgetAnswers(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'status' });
}
