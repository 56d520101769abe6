/** What a reader of a format asks for next: bytes to look at, with or without going on behind them, or to pass over. */
export type ByteStep = { take: number } | { peek: number } | { skip: number };
export type ByteReader<Result = void> = Generator<ByteStep, Result, Buffer>;

/** More than any head or page of a sound: a length that a file makes up must not take memory. */
const maxTaken = 1 << 20;
const maxPeeked = 64;
/** Sound comes in pieces of more bytes than this; one who writes shorter ones wants us to count for long. */
const minBytesPerStep = 8;
const freeSteps = 4096;
const nothing = Buffer.alloc(0);

export function* take(bytes: number): ByteReader<Buffer> {
  return bytes === 0 ? nothing : yield { take: bytes };
}

export function* peek(bytes: number): ByteReader<Buffer> {
  return yield { peek: Math.min(bytes, maxPeeked) };
}

export function* skip(bytes: number): ByteReader {
  if (bytes > 0) yield { skip: bytes };
}

/** Hands the chunks of a file, cut anywhere, to a reader that is written as if it had the file before it. */
export class ByteFeed {
  readonly #reader: ByteReader;
  #step: ByteStep | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #steps = 0;
  /** Bytes the reader has taken or passed over: it ends early where it no longer understands the file. */
  read = 0;

  constructor(reader: ByteReader) {
    this.#reader = reader;
    this.#advance(this.#reader.next());
  }

  push(chunk: Buffer): void {
    if (!this.#step) return;
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    while (this.#step) {
      const left = bytes.length - at;
      if ('skip' in this.#step) {
        const passed = Math.min(this.#step.skip, left);
        at += passed;
        this.read += passed;
        if (passed < this.#step.skip) {
          this.#step = { skip: this.#step.skip - passed };
          break;
        }
        this.#advance(this.#reader.next(nothing));
      } else if ('peek' in this.#step) {
        const { peek: wanted } = this.#step;
        if (wanted > left) break;
        this.#advance(this.#reader.next(bytes.subarray(at, at + wanted)));
      } else {
        const { take: wanted } = this.#step;
        if (wanted > left) break;
        this.read += wanted;
        at += wanted;
        this.#advance(this.#reader.next(bytes.subarray(at - wanted, at)));
      }
    }
    this.#rest = this.#step ? Buffer.from(bytes.subarray(at)) : Buffer.alloc(0);
  }

  /** For a reader that looks further than the file goes. */
  end(): void {
    if (this.#rest.length > 0 && this.#step && 'peek' in this.#step) this.push(Buffer.alloc(maxPeeked));
  }

  #advance({ done, value }: IteratorResult<ByteStep, void>): void {
    this.#steps += 1;
    const isTooFine = this.#steps > freeSteps + this.read / minBytesPerStep;
    this.#step = done || isTooFine || ('take' in value && value.take > maxTaken) ? undefined : value;
  }
}
