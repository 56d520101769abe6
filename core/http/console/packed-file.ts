import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';

/** The build writes these in place of the files that gain by it; they are sent for them, never by their own names. */
export const packedFile = /\.(br|gz)$/;

const unpack = promisify(gunzip);

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Every browser does; some programs take a file only as it is. */
export function takesPacked(headers: IncomingHttpHeaders): boolean {
  return new Negotiator({ headers }).encoding(['br', 'gzip']) !== undefined;
}

/** Unpacks a file for a caller that takes no packed one. */
export async function sendUnpacked(folder: string, path: string, reply: FastifyReply): Promise<void> {
  const body = await unpack(await readFile(join(folder, `${path}.gz`)));
  reply.headers({
    'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
    'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    vary: 'accept-encoding',
  });
  reply.send(body);
}
