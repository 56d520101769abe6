import type { IncomingHttpHeaders } from 'node:http';
import { parse, serialize } from 'cookie';
import type { FastifyReply } from 'fastify';
import type { User } from '../../schemas/user.ts';
import { SecondStep, type SignedIn, secondStepSeconds } from '../../services/sign-in/sign-in.ts';
import { setDeviceCookie } from '../cookie/device-cookie.ts';
import { setSessionCookie } from '../cookie/session-cookie.ts';

const name = 'second_step';
const attributes = { httpOnly: true, sameSite: 'strict', path: '/api/user/login' } as const;

/** What the first step left in the browser, '' when there was none. */
export function pendingSignInOf({ cookie }: IncomingHttpHeaders): string {
  return cookie ? (parse(cookie)[name] ?? '') : '';
}

/** Ends a sign-in with nothing where an account was bound instead, with the session's cookie, or with that of its first half when a code is asked for as well. */
export async function admit(
  reply: FastifyReply,
  secure: boolean,
  signIn: () => Promise<SignedIn | undefined>,
): Promise<User | { require_2fa: true } | undefined> {
  try {
    const signedIn = await signIn();
    if (signedIn) {
      setSessionCookie(reply, signedIn.sessionId, secure);
      setDeviceCookie(reply, signedIn.device, secure);
    }
    return signedIn?.user;
  } catch (error) {
    if (!(error instanceof SecondStep)) throw error;
    reply.header('set-cookie', serialize(name, error.pending, { ...attributes, secure, maxAge: secondStepSeconds }));
    return { require_2fa: true };
  }
}

export function clearPendingSignIn(reply: FastifyReply): void {
  reply.header('set-cookie', serialize(name, '', { ...attributes, maxAge: 0 }));
}
