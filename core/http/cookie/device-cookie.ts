import type { IncomingHttpHeaders } from 'node:http';
import { parse, serialize } from 'cookie';
import type { FastifyReply } from 'fastify';

const name = 'device';
/** The longest that browsers keep one. */
const maxSeconds = 400 * 24 * 3600;
const attributes = { httpOnly: true, sameSite: 'strict', path: '/api', maxAge: maxSeconds } as const;

/** The mark of an earlier sign-in in this browser. */
export function deviceOf({ cookie }: IncomingHttpHeaders): string | undefined {
  return cookie ? parse(cookie)[name] : undefined;
}

export function setDeviceCookie(reply: FastifyReply, device: string, secure: boolean): void {
  reply.header('set-cookie', serialize(name, device, { ...attributes, secure }));
}
