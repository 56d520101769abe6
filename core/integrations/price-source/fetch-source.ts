import { AppError } from '../../errors/app-error.ts';
import { coded } from '../../text/coded.ts';
import type { Outbound } from '../outbound/outbound.ts';

/** The largest lists have some two megabytes. */
export const maxSourceBytes = 8 * 1024 * 1024;
const timeoutMs = 30_000;

interface FetchDependencies {
  outbound: Pick<Outbound, 'fetchBytes'>;
  timeoutMs?: number | undefined;
}

/** The bytes at an address that root gave, so it may be a private one. Redirects are not followed. */
export async function fetchSource(address: string, { outbound, timeoutMs: limit = timeoutMs }: FetchDependencies) {
  const { status, headers, body } = await outbound.fetchBytes(address, {
    headers: { accept: 'application/json', 'user-agent': 'tollgate' },
    profile: 'operatorPrivate',
    timeoutMs: limit,
    maxBytes: maxSourceBytes,
  });
  if (status >= 200 && status < 300) return body;
  const target = status >= 300 && status < 400 ? String(headers.location ?? '').slice(0, 200) : '';
  const reason = target === '' ? coded('input.httpStatus', { status }) : coded('input.redirected', { target });
  throw new AppError('priceSource.unreadable', { source: shownAddress(address), reason });
}

/** A query may hold a key. */
export function shownAddress(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}
