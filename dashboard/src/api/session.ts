import type { SignIn } from '../../../core/schemas/session.ts';
import type { User } from '../../../core/schemas/user.ts';
import { session } from '../state/session.ts';
import { api } from './client.ts';
import { forgetResponses } from './query-client.ts';

/** Who is signed in now, or that a code is still asked for. */
export type SignInResponse = User | { require_2fa: true };

export const signIn = (credentials: SignIn, turnstile: string) =>
  api.post<SignInResponse>('/api/user/login', credentials, { query: { turnstile } });

/** The second step, with a code of the authenticator app or a backup code. */
export const finishSignIn = (code: string) => api.post<User>('/api/user/login/2fa', { code });

/** Takes over what a response says of who is signed in now. */
export function beginSession(user: User): void {
  forgetResponses(user.id);
  session.begin(user);
}

export function endSession(): void {
  session.end();
  forgetResponses(undefined);
}
