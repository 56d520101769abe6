import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { ConsoleRoute } from '../route.ts';

/** Below that the header and the table of the packed form cost as much as they save. */
const minBytes = 1024;
const textType = /^(application\/json|text\/)/;
const pack = promisify(gzip);

/**
 * Whether responses of a route may be packed (console reference, section 1). What shows a whole key or code never is: the length of a
 * packed response tells how much of a text the caller chose occurs in the secret beside it.
 */
export function isCompressible({ path, showsSecret }: ConsoleRoute): boolean {
  return path.startsWith('/api/') && !showsSecret;
}

/** Packs a response for a client that takes it, as the last step before it is sent. */
export async function compressResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (!textType.test(String(reply.getHeader('content-type') ?? '')) || reply.hasHeader('content-encoding'))
    return payload;
  const isStream = payload instanceof Readable;
  if (!isStream && (typeof payload !== 'string' || Buffer.byteLength(payload) < minBytes)) return payload;
  // Also on the plain response: a cache in between must not give the packed one to a client that cannot read it.
  reply.header('vary', 'accept-encoding');
  if (!takesGzip(request.headers['accept-encoding'])) return payload;
  reply.header('content-encoding', 'gzip').removeHeader('content-length');
  if (!isStream) return pack(payload as string);
  // A stream that breaks breaks the response with it; the framework notices by the packed one.
  return pipeline(payload, createGzip(), () => undefined);
}

export function takesGzip(accepted: string | undefined): boolean {
  // `x-gzip` is the same coding by its older name (RFC 9110, 8.4.1.3).
  const header = accepted?.replace(/x-gzip/gi, 'gzip');
  return new Negotiator({ headers: { 'accept-encoding': header } }).encoding(['gzip']) !== undefined;
}
