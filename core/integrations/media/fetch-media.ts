import { AppError } from '../../errors/app-error.ts';
import type { FetchedBytes, Outbound } from '../outbound/outbound.ts';

export interface MediaFetcherDependencies {
  outbound: Pick<Outbound, 'fetchBytes'>;
  /** Options WorkerUrl and WorkerValidKey: a proxy that fetches in our place; undefined when none is set. */
  worker(): { url: string; key: string } | undefined;
}

const timeoutMs = 15_000;
const mostBytes = 32 * 1024 * 1024;
const mostRedirects = 3;
/** What models read; anything else under such an address is a mistake, or somebody looking around in a network. */
const readable =
  /^(image\/(png|jpeg|gif|webp|heic|heif|bmp|avif)|application\/pdf|audio\/|video\/|text\/(plain|csv|markdown))/;
const magics: readonly [mime: string, at: number, bytes: string][] = [
  ['image/png', 0, '\x89PNG'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['application/pdf', 0, '%PDF-'],
];

/**
 * Reads the picture or file that a client names by its address, for upstreams that do not. Whatever goes wrong looks the same from
 * outside: a client must not learn from us what answers in a network it cannot reach.
 */
export function createMediaFetcher({ outbound, worker }: MediaFetcherDependencies) {
  return async function fetchMedia(url: string): Promise<{ mime: string; data: string }> {
    try {
      const proxy = worker();
      const { headers, body } = proxy ? await throughWorker(proxy, url) : await following(url);
      const mime = mimeOf(body, String(headers['content-type'] ?? ''));
      if (mime) return { mime, data: body.toString('base64') };
    } catch (cause) {
      throw unfetchable(url, cause);
    }
    throw unfetchable(url);
  };

  async function following(first: string): Promise<FetchedBytes> {
    let url = first;
    for (let left = mostRedirects; left >= 0; left -= 1) {
      const answer = await outbound.fetchBytes(url, { profile: 'user', timeoutMs, maxBytes: mostBytes });
      const { location } = answer.headers;
      if (answer.status >= 200 && answer.status <= 299) return answer;
      if (answer.status < 300 || answer.status > 399 || typeof location !== 'string') break;
      // Each address on the way is judged like the first.
      url = new URL(location, url).href;
    }
    throw new Error('no answer that can be used');
  }

  /** The worker's wire is `{ url, key }`, and it takes https only (options reference, 2.6). */
  async function throughWorker(
    { url: address, key }: { url: string; key: string },
    url: string,
  ): Promise<FetchedBytes> {
    if (!/^https:/i.test(url)) throw new Error('a worker fetches https addresses only');
    const answer = await outbound.fetchBytes(address, {
      profile: 'operator',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url, key }),
      timeoutMs,
      maxBytes: mostBytes,
    });
    if (answer.status < 200 || answer.status > 299) throw new Error(`the worker answered ${answer.status}`);
    return answer;
  }
}

/** What the bytes are counts more than what the server calls them. */
function mimeOf(body: Buffer, contentType: string): string | undefined {
  const start = body.toString('latin1', 0, 16);
  const magic = magics.find(([, at, bytes]) => start.startsWith(bytes, at));
  if (magic) return magic[0];
  const named = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  // These have a magic of their own, so what lacks it is something else.
  if (magics.some(([mime]) => mime === named)) return undefined;
  return readable.test(named) ? named : undefined;
}

function unfetchable(url: string, cause?: unknown): AppError {
  return new AppError('request.mediaUnfetchable', { url: url.slice(0, 200) }, { cause });
}
