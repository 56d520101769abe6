import { randomUUID } from 'node:crypto';
import type { MediaSource } from '../../canonical/chat-request.ts';
import { AppError } from '../../errors/app-error.ts';
import type { CancelSignal } from '../../lib/cancellation.ts';
import type { ClientWriter } from '../deliver/client-writer.ts';
import type { MediaAllowance } from '../limit/media-allowance.ts';
import type { CallRoom } from '../limit/memory-budget.ts';
import { overloadedError } from '../limit/memory-budget.ts';

/** Reads what an address of a client's names. Throws AppError (`request.media...`) when it may not be fetched or is not media. */
export type MediaFetcher = (url: string, intake: MediaIntake) => Promise<FetchedMedia>;

interface MediaIntake {
  /** Told of the size that a response names, before its body is read; resolves when there is room for it. */
  begin(length: number | undefined): Promise<void>;
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
  maxBytes: number;
  room: CallRoom;
  allowance: Pick<MediaAllowance, 'check' | 'unpaid'>;
  userId: number;
  client: Pick<ClientWriter, 'onGone'>;
}

const maxCount = 20;
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
  /** Made with the first fetch: hardly any call names a picture, and an abort costs as much as five of these objects. */
  #stop: AbortController | undefined;
  #isOver = false;
  #failure: unknown;
  #isInLine = false;
  #bytes = 0;
  #count = 0;
  /** Of the memory, for the bytes there are and for those expected. */
  #room = 0;
  #claiming: Promise<void> | undefined;

  constructor(rules: CallMediaRules) {
    this.#rules = rules;
  }

  async fetch(urls: readonly string[]): Promise<void> {
    const missing = urls.filter((url) => !this.#fetched.has(url));
    if (missing.length === 0) return;
    // Another channel would meet with the same.
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#fetched.size + missing.length > maxCount) {
      throw new AppError('request.mediaTooMany', { maximum: maxCount });
    }
    this.#rules.allowance.check(this.#rules.userId);
    // A step that was left to itself may get here after its call has ended.
    if (this.#isOver) throw new AppError('relay.clientGone');
    this.#stop ??= new AbortController();
    const stop = this.#stop;
    const { signal } = stop;
    this.#rules.client.onGone(() => stop.abort());
    const intake: MediaIntake = {
      begin: (length) => this.#begin(length, missing.length, signal),
      take: (bytes) => this.#take(bytes),
      signal,
    };
    const next = missing.values();
    const work = async () => {
      for (const url of next) {
        if (signal.aborted) throw new AppError('relay.clientGone');
        this.#count += 1;
        this.#fetched.set(url, await this.#rules.fetchMedia(url, intake));
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(atOnce, missing.length) }, work));
    } catch (error) {
      // One that cannot be read makes the call fail, so the others are not wanted any more.
      stop.abort();
      // A picture whose time ran out while it waited for memory is no worse than the others.
      this.#failure = this.#isInLine && isUnfetchable(error) ? overloadedError() : error;
      throw this.#failure;
    }
    this.#claiming = undefined;
    this.#rules.room.giveBack(this.#room - this.#needed());
    this.#room = this.#needed();
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
    this.#isOver = true;
    this.#stop?.abort();
    if (this.#count > 0 && !isCharged) this.#rules.allowance.unpaid(this.#rules.userId, this.#count);
  }

  /**
   * The pictures of a call are mostly alike, so room for all is claimed by the size of the first: a call that does not fit waits with
   * empty hands, and those that wait never hold what the others need.
   */
  #begin(length: number | undefined, count: number, signal: CancelSignal): Promise<void> {
    const { maxBytes } = this.#rules;
    this.#check(this.#bytes + (length ?? 0));
    const expected = Math.min(maxBytes, this.#bytes + (length ?? maxBytes / maxCount) * count);
    this.#claiming ??= this.#claim(Math.ceil(expected * base64Factor) - this.#room, signal);
    return this.#claiming;
  }

  async #claim(bytes: number, signal: CancelSignal): Promise<void> {
    if (bytes <= 0) return;
    this.#isInLine = true;
    try {
      await this.#rules.room.claim(bytes, signal);
    } finally {
      this.#isInLine = false;
    }
    this.#room += bytes;
  }

  #take(bytes: number): void {
    this.#bytes += bytes;
    this.#check(this.#bytes);
    const more = this.#needed() - this.#room;
    if (more <= 0) return;
    this.#rules.room.take(more);
    this.#room += more;
  }

  #needed(): number {
    return Math.ceil(this.#bytes * base64Factor);
  }

  #check(bytes: number): void {
    const { maxBytes } = this.#rules;
    if (bytes <= maxBytes) return;
    throw new AppError('request.mediaTooLarge', { limit: `${Math.floor(maxBytes / (1024 * 1024))} MiB` });
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

function isUnfetchable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'request.mediaUnfetchable';
}
