const carriageReturn = 0x0d;
const lineFeed = 0x0a;
/** More blanks than that are no padding. */
const maxBlanks = 256;

/**
 * Takes the blanks out that may stand behind a boundary (RFC 2046, 5.1.1: transport padding), which the parser of forms takes for a
 * broken part. The form comes in pieces, cut anywhere; of each a few bytes are kept back, in which a boundary may begin.
 */
export class BoundaryPadding {
  readonly #delimiter: Buffer;
  #rest: Buffer = Buffer.from('\r\n');
  /** The line break in front of the first boundary, which need not be there. */
  #toSkip = this.#rest.length;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  push(piece: Buffer): Buffer {
    const bytes = Buffer.concat([this.#rest, piece]);
    const kept: Buffer[] = [];
    let from = 0;
    let search = 0;
    for (;;) {
      const at = bytes.indexOf(this.#delimiter, search);
      if (at < 0) {
        const end = Math.max(from, bytes.length - this.#delimiter.length + 1);
        kept.push(bytes.subarray(from, end));
        this.#rest = bytes.subarray(end);
        break;
      }
      const start = at + this.#delimiter.length;
      const line = lineAfterBlanks(bytes, start);
      if (line === undefined) {
        kept.push(bytes.subarray(from, at));
        this.#rest = bytes.subarray(at);
        break;
      }
      kept.push(bytes.subarray(from, start));
      from = line;
      search = line;
    }
    return this.#withoutStart(Buffer.concat(kept));
  }

  /** What was kept back. */
  end(): Buffer {
    return this.#withoutStart(this.#rest);
  }

  #withoutStart(bytes: Buffer): Buffer {
    const skipped = Math.min(this.#toSkip, bytes.length);
    this.#toSkip -= skipped;
    return bytes.subarray(skipped);
  }
}

/** Where the line goes on without its blanks: behind them when the line ends there. Undefined while that has not come. */
function lineAfterBlanks(bytes: Buffer, start: number): number | undefined {
  let at = start;
  while (isBlank(bytes[at]) && at - start < maxBlanks) at += 1;
  if (at === bytes.length) return undefined;
  if (bytes[at] !== carriageReturn) return start;
  if (at + 1 === bytes.length) return undefined;
  return bytes[at + 1] === lineFeed ? at : start;
}

const isBlank = (byte: number | undefined) => byte === 0x20 || byte === 0x09;

/** As a header of a form names it; undefined when it does not. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(contentType) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? plain;
}
