import { AppError } from '../../errors/app-error.ts';
import type { OutboundProfile } from '../../integrations/outbound/address-rules.ts';
import type { UpstreamClient, UpstreamResponse } from '../../integrations/outbound/upstream-client.ts';
import type { ClientWriter } from '../deliver/client-writer.ts';
import { passOn } from '../deliver/pass-on.ts';

const limits = { headersMs: 30_000, idleMs: 30_000, totalMs: 600_000 };
const maxRedirects = 3;

/** A file that a vendor made, and the way to it. */
export interface MadeFile {
  url: string;
  headers: Record<string, string>;
  /** `user` where the address came from outside: public hosts only, judged at every step of the way. */
  profile: Extract<OutboundProfile, 'user' | 'operator' | 'operatorPrivate'>;
  proxy?: string | undefined;
  /** What may be passed on. */
  types: RegExp;
  defaultType: string;
  maxBytes: number;
  cacheSeconds: number;
  /** The part that a player asked for, as its client wrote it. */
  range?: string | undefined;
}

const oneRange = /^bytes=\d{1,15}-\d{0,15}$/;
/** Nothing in a file runs, and one browser that two people use asks again for the second. */
const fixedHeaders = [
  'content-security-policy',
  "default-src 'none'; sandbox",
  'x-content-type-options',
  'nosniff',
  'vary',
  'cookie',
];

/** Shows what lies at a vendor's. Throws `task.fileUnreadable` while nothing has been sent. */
export function createMadeFiles(upstream: Pick<UpstreamClient, 'sendAs'>) {
  async function open({ url: first, headers, profile: given, proxy, range = '' }: MadeFile): Promise<UpstreamResponse> {
    const part = oneRange.test(range) ? { range } : undefined;
    let url = first;
    for (let left = maxRedirects; left >= 0; left -= 1) {
      // A key is for the host that it was given for.
      const isOwn = new URL(url).origin === new URL(first).origin;
      // So are its private addresses: what a redirect names is judged like any address from outside.
      const profile = isOwn ? given : 'user';
      const response = await upstream.sendAs(profile, {
        url,
        method: 'GET',
        headers: { ...(isOwn && headers), ...part },
        body: null,
        limits,
        proxy,
        privateAllowed: profile === 'operatorPrivate',
      });
      const { location } = response.headers;
      if (response.status < 300 || response.status > 399 || typeof location !== 'string') return response;
      response.abort();
      url = new URL(location, url).href;
    }
    throw new AppError('task.fileUnreadable');
  }

  async function show(file: MadeFile, client: ClientWriter): Promise<void> {
    const response = await open(file).catch((cause: unknown) => {
      throw new AppError('task.fileUnreadable', {}, { cause });
    });
    const type = String(response.headers['content-type'] ?? file.defaultType);
    const isGood = response.status === 200 || (response.status === 206 && file.range !== undefined);
    if (!isGood || !file.types.test(type) || Number(response.headers['content-length']) > file.maxBytes) {
      response.abort();
      throw new AppError('task.fileUnreadable');
    }
    const cache = file.cacheSeconds > 0 ? `private, max-age=${file.cacheSeconds}` : 'no-store';
    client.commit(response.status, [
      'content-type',
      type,
      'cache-control',
      cache,
      ...fixedHeaders,
      ...lengthsOf(response),
    ]);
    await passOn(response, client, file.maxBytes);
  }

  return { show };
}

/** What a player seeks by; of a body that was packed on its way the lengths say nothing. */
function lengthsOf({ headers }: UpstreamResponse): string[] {
  if (headers['content-encoding'] !== undefined) return [];
  return ['content-length', 'content-range', 'accept-ranges'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [name, value] : [];
  });
}

export type MadeFiles = ReturnType<typeof createMadeFiles>;
