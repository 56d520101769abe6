import { parse, serialize } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import type { Actor } from '../schemas/actor.ts';
import type { SessionService } from '../services/session.ts';

const name = 'session';
const longestSeconds = 30 * 24 * 3600;
const userIdHeader = 'new-api-user';

/** Only over https where the public address says so; a console on loopback has no https. */
export function setSessionCookie(reply: FastifyReply, id: string, secure: boolean): void {
  reply.header('set-cookie', serialize(name, id, { ...attributes, secure, maxAge: longestSeconds }));
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', serialize(name, '', { ...attributes, maxAge: 0 }));
}

export function sessionIdOf(request: FastifyRequest): string | undefined {
  const header = request.headers.cookie;
  return header ? parse(header)[name] : undefined;
}

/**
 * Who is signed in. Calls of a browser must come from our own pages (reliability S6), and every call names its user in a header,
 * so that two accounts in one browser cannot be mixed up.
 */
export async function signedIn(request: FastifyRequest, sessions: SessionService, address: string): Promise<Actor> {
  refuseForeignPage(request);
  const id = sessionIdOf(request);
  if (!id) throw new AppError('session.missing');
  const claimed = request.headers[userIdHeader];
  return sessions.authenticate(id, typeof claimed === 'string' ? claimed : '', address);
}

const attributes = { httpOnly: true, sameSite: 'strict', path: '/' } as const;

function refuseForeignPage(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new AppError('session.foreignPage');
  const { origin, host } = request.headers;
  if (origin !== undefined && (origin === 'null' || !URL.canParse(origin) || new URL(origin).host !== host)) {
    throw new AppError('session.foreignPage');
  }
}
