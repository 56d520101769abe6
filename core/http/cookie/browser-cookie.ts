import type { IncomingHttpHeaders } from 'node:http';
import { parse, serialize } from 'cookie';
import type { FastifyReply } from 'fastify';
import { randomSessionId } from '../../lib/random-key.ts';
import { stateSeconds } from '../../schemas/outside-sign-in.ts';

const name = 'oauth';
const form = /^[\w-]{43}$/;

/** The secret that ties a sign-in at a provider to the browser it began in, '' when there is none. */
export function browserSecretOf({ cookie }: IncomingHttpHeaders): string {
  const secret = cookie ? (parse(cookie)[name] ?? '') : '';
  return form.test(secret) ? secret : '';
}

/** The browser's secret, made when it has none: sign-ins in two windows share it. Lives as long as the newest of them may take. */
export function ensureBrowserSecret(headers: IncomingHttpHeaders, reply: FastifyReply, secure: boolean): string {
  const secret = browserSecretOf(headers) || randomSessionId();
  // Lax: some installations let the provider send the browser straight to the API.
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/api/oauth', secure, maxAge: stateSeconds } as const;
  reply.header('set-cookie', serialize(name, secret, attributes));
  return secret;
}
