import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { takesGzip } from './compress.ts';

/** A response that is the same for as long as the process runs. */
export interface PackedResponse {
  plain: Buffer;
  packed: Buffer;
  tag: string;
}

/** Written and packed once, so that a call costs what sending the bytes costs. */
export function keepResponse(value: unknown): PackedResponse {
  const plain = Buffer.from(JSON.stringify(value));
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  // Weak: the packed form and the plain one are one response.
  return { plain, packed: gzipSync(plain, { level: 9 }), tag: `W/"${hash}"` };
}

export function sendKept({ plain, packed, tag }: PackedResponse, headers: IncomingHttpHeaders, reply: FastifyReply) {
  reply.headers({ etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
  const known = headers['if-none-match']?.split(',').map((one) => one.trim());
  if (known?.some((one) => one === '*' || one === tag || `W/${one}` === tag)) return reply.code(304).send();
  const isPacked = takesGzip(headers['accept-encoding']);
  if (isPacked) reply.header('content-encoding', 'gzip');
  return reply.type('application/json; charset=utf-8').send(isPacked ? packed : plain);
}
