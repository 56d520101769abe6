import type { IncomingHttpHeaders } from 'node:http';
import { parse, serialize } from 'cookie';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../errors/app-error.ts';
import type { OptionService } from '../../services/option/option.ts';

const name = 'session';
const maxSeconds = 30 * 24 * 3600;

/** Only over https where the public address says so; a console on loopback has no https. */
export function setSessionCookie(reply: FastifyReply, id: string, secure: boolean): void {
  reply.header('set-cookie', serialize(name, id, { ...attributes, secure, maxAge: maxSeconds }));
}

/** Whether the public address says https: then no cookie of ours goes over anything else. */
export function isHttps(options: Pick<OptionService, 'get'>): boolean {
  return options.get('ServerAddress').startsWith('https:');
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', serialize(name, '', { ...attributes, maxAge: 0 }));
}

/** Of two cookies with this name one was planted, and nothing says which: both are ignored. */
export function sessionIdOf({ cookie }: IncomingHttpHeaders): string | undefined {
  if (!cookie) return undefined;
  const count = cookie.split(';').filter((pair) => pair.split('=')[0]?.trim() === name).length;
  return count > 1 ? 'ambiguous' : parse(cookie)[name];
}

const attributes = { httpOnly: true, sameSite: 'strict', path: '/' } as const;

/**
 * Calls of a browser with a cookie must come from our own pages (S6). What the browser says of itself decides; only
 * where it says nothing is Origin compared with Host, which a reverse proxy may have replaced by a name of its own.
 */
export function refuseForeignPage({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): void {
  const isOurs = site === undefined ? isSameHost(origin, host) : site === 'same-origin' || site === 'none';
  if (!isOurs || origin === 'null') throw new AppError('session.foreignPage');
}

function isSameHost(origin: string | undefined, host: string | undefined): boolean {
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
