import { randomUUID } from 'node:crypto';
import type { MediaSource } from '../canonical/chat-request.ts';
import { AppError } from '../errors/app-error.ts';
import type { CancelSignal } from '../lib/cancellation.ts';
import type { RelayBody } from './call.ts';
import type { ClientWriter } from './client-writer.ts';
import type { MediaAllowance } from './media-allowance.ts';

/** Reads what an address of a client's names. Throws AppError (`request.media...`) when it may not be fetched or is none. */
export type MediaFetcher = (url: string, intake: MediaIntake) => Promise<FetchedMedia>;

interface MediaIntake {
  /** Told of bytes before they are kept; throws when there are too many. */
  take(bytes: number): void;
  signal: CancelSignal;
}

interface FetchedMedia {
  mime: string;
  /** Base64: its bytes outside the heap, or a text for what writers look into. */
  base64: Buffer[] | string;
}

/** What is fetched for one call, how much of it there may be, and who pays. */
interface CallMediaRules {
  fetchMedia: MediaFetcher;
  /** All of a call together. */
  maximumBytes: number;
  /** Throws `relay.overloaded` when memory is short. */
  room: Pick<RelayBody, 'reserve'>;
  allowance: Pick<MediaAllowance, 'check' | 'unpaid'>;
  userId: number;
  client: Pick<ClientWriter, 'onGone'>;
}

const maximumCount = 20;
const atOnce = 6;
/** Base64 of so many bytes. */
const base64Factor = 4 / 3;

/**
 * The pictures and files that a call names by their addresses: fetched once, however many channels are tried, within bounds of
 * number, size and time. In a request they are short marks, which become bytes when it is sent.
 */
export class CallMedia {
  readonly #rules: CallMediaRules;
  readonly #fetched = new Map<string, FetchedMedia>();
  /** Cannot be guessed, so no text of a client's is taken for one. */
  #mark = '';
  readonly #marked: Buffer[][] = [];
  readonly #sources = new Map<string, MediaSource>();
  #failure: unknown;
  #bytes = 0;
  #count = 0;

  constructor(rules: CallMediaRules) {
    this.#rules = rules;
  }

  async fetch(urls: readonly string[]): Promise<void> {
    const missing = urls.filter((url) => !this.#fetched.has(url));
    if (missing.length === 0) return;
    // Another channel would meet with the same.
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#fetched.size + missing.length > maximumCount) {
      throw new AppError('request.mediaTooMany', { maximum: maximumCount });
    }
    this.#rules.allowance.check(this.#rules.userId);
    const stop = new AbortController();
    this.#rules.client.onGone(() => stop.abort());
    const next = missing.values();
    const work = async () => {
      for (const url of next) {
        if (stop.signal.aborted) throw new AppError('relay.clientGone');
        this.#count += 1;
        this.#fetched.set(
          url,
          await this.#rules.fetchMedia(url, { take: (bytes) => this.#take(bytes), signal: stop.signal }),
        );
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(atOnce, missing.length) }, work));
    } catch (error) {
      // One that cannot be read makes the call fail, so the others are not wanted any more.
      stop.abort();
      this.#failure = error;
      throw error;
    }
    for (const url of missing) this.#sources.set(url, this.#sourceOf(this.#fetched.get(url)));
  }

  sourceOf(url: string): MediaSource | undefined {
    return this.#sources.get(url);
  }

  /** The bytes that stand for a text with marks in it; undefined for a text without. */
  get embed(): ((text: string) => Buffer[] | undefined) | undefined {
    return this.#mark === '' ? undefined : (text) => this.#embedded(text);
  }

  /** The call is over; what it fetched was for nothing unless it was charged. */
  end(isCharged: boolean): void {
    if (this.#count > 0 && !isCharged) this.#rules.allowance.unpaid(this.#rules.userId, this.#count);
  }

  #take(bytes: number): void {
    this.#bytes += bytes;
    const { maximumBytes, room } = this.#rules;
    if (this.#bytes > maximumBytes) {
      throw new AppError('request.mediaTooLarge', { limit: `${Math.floor(maximumBytes / (1024 * 1024))} MiB` });
    }
    room.reserve(Math.ceil(bytes * base64Factor));
  }

  #sourceOf(media: FetchedMedia | undefined): MediaSource {
    if (!media) throw new Error('media is asked for before it was fetched');
    const { mime, base64 } = media;
    if (typeof base64 === 'string') return { type: 'data', mime, data: base64 };
    this.#mark ||= `tollgate-media-${randomUUID()}-`;
    this.#marked.push(base64);
    return { type: 'data', mime, data: `${this.#mark}${this.#marked.length - 1}.` };
  }

  /** A mark may stand alone, or at the end of a data: URL. */
  #embedded(text: string): Buffer[] | undefined {
    const start = text.indexOf(this.#mark);
    if (start < 0) return undefined;
    const end = text.indexOf('.', start + this.#mark.length);
    const media = this.#marked[Number(text.slice(start + this.#mark.length, end))] ?? [];
    const [before, after] = [text.slice(0, start), text.slice(end + 1)].map((rest) =>
      Buffer.from(JSON.stringify(rest).slice(1, -1)),
    );
    return [before ?? Buffer.alloc(0), ...media, after ?? Buffer.alloc(0)].filter(({ length }) => length > 0);
  }
}
