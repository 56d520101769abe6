import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.ts';

export const maxHeaders = 100;
const maxLineLength = 8 * 1024;
const maxQueryLength = 4 * 1024;

export function refuseUnfit(request: IncomingMessage): void {
  if (isLineTooLong(request)) throw new AppError('route.lineTooLong');
  if (hasNul(request)) throw new AppError('query.nul');
  if (isUnfit(request)) throw new AppError('route.tooManyHeaders', { limit: maxHeaders });
}

export function isUnfit(request: IncomingMessage): boolean {
  return request.rawHeaders.length > 2 * maxHeaders || isLineTooLong(request) || hasNul(request);
}

/** No text of ours contains one: PostgreSQL does not take it, and SQLite ends the text there. */
function hasNul({ url = '' }: IncomingMessage): boolean {
  return url.includes('%00');
}

function isLineTooLong({ url = '' }: IncomingMessage): boolean {
  const question = url.indexOf('?');
  return url.length > maxLineLength || (question >= 0 && url.length - question > maxQueryLength);
}
