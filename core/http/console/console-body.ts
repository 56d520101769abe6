import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors/app-error.ts';
import { coded } from '../../text/coded.ts';
import { abandonBody } from '../body/body-error.ts';
import { type BodyLimits, receiveBody } from '../body/receive-body.ts';

/** Of a console body (reliability, section 3). */
const maxDepth = 20;
const maxKeys = 1000;

export type ConsoleBodyLimits = Pick<BodyLimits, 'bytes' | 'timeMs'>;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** The bytes of a console call, within their limits of size and time. Throws a `body.*` error. */
export async function readConsoleBody(request: IncomingMessage, limits: ConsoleBodyLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    await receiveBody({ request, limits, sink: (chunk) => void chunks.push(chunk) });
  } catch (error) {
    throw abandonBody(request, error);
  }
  return Buffer.concat(chunks);
}

/** The JSON of a console call; undefined for no bytes. Throws a `body.*` error for bytes that are not UTF-8, deep, crowded or not JSON. */
export function parseConsoleBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new AppError('body.notJson', { reason: coded('body.notUtf8') });
  checkShape(bytes);
  return readJson(bytes.toString('utf8'));
}

/** One pass without recursion, before anything is built from the bytes. */
function checkShape(bytes: Buffer): void {
  let depth = 0;
  let keys = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === colon) keys++;
    else if (opening.has(byte)) depth++;
    else if (closing.has(byte)) depth--;
    if (depth > maxDepth) throw new AppError('body.tooDeep', { limit: maxDepth });
    if (keys > maxKeys) throw new AppError('body.tooMany', { what: coded('noun.keys'), limit: maxKeys });
  }
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++;
    else if (bytes[at] === quote) return at;
  }
  return bytes.length;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text, refuseTrick);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('body.notJson', { reason: coded('body.unreadable') });
  }
}

function refuseTrick(key: string, value: unknown): unknown {
  // Names that reach an object's prototype when copied carelessly.
  if (key === '__proto__' || (key === 'constructor' && Object.hasOwn(Object(value), 'prototype')))
    throw new AppError('body.forbiddenKey', { key });
  // A lone half of a surrogate pair has no UTF-8, and NUL ends a text for PostgreSQL.
  if (typeof value === 'string' && (value.includes('\0') || /\p{Cs}/u.test(value)))
    throw new AppError('body.notJson', { reason: coded('body.character') });
  return value;
}
