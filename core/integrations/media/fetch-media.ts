import { AppError } from '../../errors/app-error.ts';
import type { CancelSignal } from '../../lib/cancellation.ts';
import type { FetchedHead, FetchOptions, Outbound } from '../outbound/outbound.ts';
import { Base64Intake } from './base64-intake.ts';

export interface MediaFetcherDependencies {
  outbound: Pick<Outbound, 'fetchBytes'>;
  /** Options WorkerUrl and WorkerValidKey: a proxy that fetches in our place; undefined when none is set. */
  worker(): { url: string; key: string } | undefined;
}

interface Intake {
  /** Told of the size that a response names, before its body is read; resolves when there is room for it. */
  begin(length: number | undefined): Promise<void>;
  /** Told of bytes before they are kept; throws when there are too many. */
  take(bytes: number): void;
  signal: CancelSignal;
}

interface Media {
  mime: string;
  /** Base64: as bytes, or as a text for what writers look into. */
  base64: Buffer[] | string;
}

const timeoutMs = 15_000;
const maxBytes = 32 * 1024 * 1024;
const maxRedirects = 3;
const magicBytes = 16;
/** What models read; anything else under such an address is a mistake, or an attempt to explore a network. */
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
 * Reads the picture or file that a client names by its address, for upstreams that do not. Whatever goes wrong there looks the same
 * from outside: a client must not learn from us what responds in a network it cannot reach.
 */
export function createMediaFetcher({ outbound, worker }: MediaFetcherDependencies) {
  return async function fetchMedia(url: string, intake: Intake): Promise<Media> {
    try {
      const proxy = worker();
      return proxy ? await throughWorker(proxy, url, intake) : await following(url, intake);
    } catch (cause) {
      // Of our own limits it is told.
      if (cause instanceof AppError && !cause.code.startsWith('outbound.')) throw cause;
      throw new AppError('request.mediaUnfetchable', { url: url.slice(0, 200) }, { cause });
    }
  };

  async function following(first: string, intake: Intake): Promise<Media> {
    let url = first;
    for (let left = maxRedirects; left >= 0; left -= 1) {
      const reader = new MediaReader(intake);
      const { status, headers } = await outbound.fetchBytes(url, { profile: 'user', ...optionsFor(reader, intake) });
      const { location } = headers;
      if (status >= 200 && status <= 299) return reader.end();
      if (status < 300 || status > 399 || typeof location !== 'string') break;
      // Each address on the way is judged like the first.
      url = new URL(location, url).href;
    }
    throw new Error('no response that can be used');
  }

  /** The worker's wire is `{ url, key }`, and it takes https only (options reference, 2.6). */
  async function throughWorker(
    { url: address, key }: { url: string; key: string },
    url: string,
    intake: Intake,
  ): Promise<Media> {
    if (!/^https:/i.test(url)) throw new Error('a worker fetches https addresses only');
    const reader = new MediaReader(intake);
    const { status } = await outbound.fetchBytes(address, {
      profile: 'operator',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url, key }),
      ...optionsFor(reader, intake),
    });
    if (status < 200 || status > 299) throw new Error(`the worker responded with ${status}`);
    return reader.end();
  }
}

function optionsFor(
  reader: MediaReader,
  { signal }: Intake,
): Pick<FetchOptions, 'timeoutMs' | 'maxBytes' | 'onHead' | 'onChunk' | 'signal'> {
  return {
    timeoutMs,
    maxBytes: maxBytes,
    signal,
    onHead: (head) => reader.begin(head),
    onChunk: (chunk, head) => reader.push(chunk, head),
  };
}

/** Looks at the first bytes before it takes the rest: what is not media is not downloaded. */
class MediaReader {
  readonly #intake: Intake;
  readonly #base64 = new Base64Intake();
  #start: Buffer = Buffer.alloc(0);
  #contentType = '';
  #mime: string | undefined;

  constructor(intake: Intake) {
    this.#intake = intake;
  }

  async begin({ status, headers }: FetchedHead): Promise<void> {
    if (!isMedia(status)) return;
    const length = Number(headers['content-length'] ?? Number.NaN);
    await this.#intake.begin(Number.isSafeInteger(length) ? length : undefined);
  }

  push(chunk: Buffer, { status, headers }: FetchedHead): void {
    if (!isMedia(status)) return;
    this.#contentType = String(headers['content-type'] ?? '');
    this.#intake.take(chunk.length);
    if (this.#mime !== undefined) {
      this.#base64.push(chunk);
      return;
    }
    this.#start = Buffer.concat([this.#start, chunk]);
    if (this.#start.length >= magicBytes) this.#recognize();
  }

  end(): Media {
    if (this.#mime === undefined) this.#recognize();
    const pieces = this.#base64.end();
    const mime = this.#mime ?? '';
    return { mime, base64: mime.startsWith('text/') ? Buffer.concat(pieces).toString('latin1') : pieces };
  }

  #recognize(): void {
    this.#mime = mimeOf(this.#start, this.#contentType);
    if (this.#mime === undefined) throw new Error('what it names is no media');
    this.#base64.push(this.#start);
  }
}

/** Of a redirect only the address counts. */
function isMedia(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** What the bytes are counts more than what the server calls them. */
function mimeOf(body: Buffer, contentType: string): string | undefined {
  const start = body.toString('latin1', 0, magicBytes);
  const magic = magics.find(([, at, bytes]) => start.startsWith(bytes, at));
  if (magic) return magic[0];
  const named = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  // These have a magic of their own, so what lacks it is something else.
  if (magics.some(([mime]) => mime === named)) return undefined;
  return readable.test(named) ? named : undefined;
}
