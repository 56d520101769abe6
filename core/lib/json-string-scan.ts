import { coded } from '../text/coded.ts';
import { JsonScanError } from './json-scan-error.ts';

/** Media is told from text by the beginning of a string, so that a picture of megabytes costs one look at 256 bytes. */
const headBytes = 256;
/** Shorter base64 is a hash or an id, not a picture. */
const mediaBytes = 2048;
const dataPrefix = Buffer.from('data:');
const addressPrefix = Buffer.from('http');

const stop = 4; // quote, backslash, or a control character, which JSON forbids inside a string
const notBase64 = 1;
const notUrl = 2;
const classOf = byteClasses();

/** Stops this near are found byte by byte: a view of words costs as much as 100 bytes. */
const wordsFrom = 32;

const escapeNone = 0;
const escapeBegun = 1; // after the backslash; 2 to 5 are before the first to the fourth digit of \uXXXX
const escapeDigit = 2;

/** Reads one JSON string, cut anywhere, from behind its opening quote. */
export class JsonStringScan {
  /** Bytes between the quotes as they stand. */
  bytes = 0;
  hasEscape = false;
  #savings = 0;
  #headClasses = 0;
  #prefixMatched = 0;
  #addressMatched = 0;
  #escape = escapeNone;
  #codeUnit = 0;

  start(): void {
    this.bytes = 0;
    this.hasEscape = false;
    this.#savings = 0;
    this.#headClasses = 0;
    this.#prefixMatched = 0;
    this.#addressMatched = 0;
    this.#escape = escapeNone;
  }

  /** Length of the decoded string in UTF-8. */
  get textBytes(): number {
    return this.bytes - this.#savings;
  }

  /** A data: URL, or long base64. Text without spaces (Chinese, also when escaped) is neither. */
  get isMedia(): boolean {
    const isBase64 = this.bytes > mediaBytes && (this.#headClasses & notBase64) === 0;
    return isBase64 || (this.#prefixMatched === dataPrefix.length && (this.#headClasses & notUrl) === 0);
  }

  /** An http: or https: URL. */
  get isAddress(): boolean {
    return this.#addressMatched === addressPrefix.length && (this.#headClasses & notUrl) === 0;
  }

  /** Whether the last byte read left an escape unfinished. */
  get isInEscape(): boolean {
    return this.#escape !== escapeNone;
  }

  /** Returns the index of the closing quote, or -1 when `end` came first. `base` is the chunk's offset, for messages. */
  read(chunk: Buffer, from: number, base: number, end = chunk.length): number {
    let at = from;
    while (at < end) {
      if (this.#escape !== escapeNone) {
        this.#readEscape(chunk[at] ?? 0, base + at);
        at += 1;
        continue;
      }
      const stopAt = this.bytes < headBytes ? this.#readHead(chunk, at, end) : findStop(chunk, at, end);
      this.bytes += stopAt - at;
      at = stopAt;
      if (at === end) return -1;
      const byte = chunk[at];
      if (byte === 0x22) return at;
      if (byte === 0x5c) {
        this.#escape = escapeBegun;
        this.hasEscape = true;
        this.bytes += 1;
        at += 1;
      } else if (byte !== undefined && byte < 0x20) {
        throw new JsonScanError('notJson', { reason: coded('body.control', { offset: base + at }) });
      }
    }
    return -1;
  }

  #readHead(chunk: Buffer, from: number, end: number): number {
    const headEnd = Math.min(end, from + headBytes - this.bytes);
    let classes = this.#headClasses;
    let at = from;
    for (; at < headEnd; at += 1) {
      const found = classOf[chunk[at] ?? 0] ?? 0;
      if (found === stop) break;
      classes |= found;
    }
    this.#headClasses = classes;
    for (let index = from; this.#prefixMatched === this.bytes + index - from && index < at; index += 1) {
      if (chunk[index] !== dataPrefix[this.#prefixMatched]) break;
      this.#prefixMatched += 1;
    }
    for (let index = from; this.#addressMatched === this.bytes + index - from && index < at; index += 1) {
      if (((chunk[index] ?? 0) | 0x20) !== addressPrefix[this.#addressMatched]) break;
      this.#addressMatched += 1;
    }
    return at;
  }

  #readEscape(byte: number, offset: number): void {
    this.bytes += 1;
    if (this.#escape >= escapeDigit) {
      this.#readDigit(byte, offset);
      return;
    }
    if (byte === 0x75) {
      this.#escape = escapeDigit;
      this.#codeUnit = 0;
      this.#noteEscape(notBase64 | notUrl);
      return;
    }
    if (!isSimpleEscape(byte)) failEscape(offset);
    // Base64 is seen with escaped slashes and with line ends; no other escape belongs to media.
    if (byte !== 0x2f) this.#noteEscape(byte === 0x6e || byte === 0x72 ? notUrl : notBase64 | notUrl);
    this.#savings += 1;
    this.#escape = escapeNone;
  }

  #readDigit(byte: number, offset: number): void {
    const digit = hexDigit(byte);
    if (digit < 0) failEscape(offset);
    this.#codeUnit = this.#codeUnit * 16 + digit;
    this.#escape += 1;
    if (this.#escape < escapeDigit + 4) return;
    this.#escape = escapeNone;
    this.#savings += 6 - utf8Length(this.#codeUnit);
  }

  #noteEscape(classes: number): void {
    if (this.bytes <= headBytes) this.#headClasses |= classes;
  }
}

/** The text of a string's piece that holds whole escapes and characters. */
export function decodeString(bytes: Buffer, hasEscape: boolean): string {
  return hasEscape ? (JSON.parse(`"${bytes.toString('utf8')}"`) as string) : bytes.toString('utf8');
}

/** Of a piece of a string that is cut: the bytes before an escape or a character that may go on in the next one. */
export function wholeLength(bytes: Buffer, isInEscape: boolean): number {
  if (isInEscape) return bytes.lastIndexOf(0x5c);
  let start = bytes.length - 1;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return (bytes[start] ?? 0) < 0x80 ? bytes.length : start;
}

/**
 * Index of the first quote, backslash or control character, or the end. Four bytes at a time: subtracting sets the top
 * bit of a byte that was too small, and exclusive-or makes the byte looked for zero, hence too small.
 */
function findStop(chunk: Buffer, from: number, end: number): number {
  let at = from;
  for (; at < end; at += 1) {
    if (classOf[chunk[at] ?? 0] === stop) return at;
    if (at - from >= wordsFrom && ((chunk.byteOffset + at) & 3) === 0) break;
  }
  if (at === end) return end;
  const words = new Int32Array(chunk.buffer, chunk.byteOffset + at, (end - at) >> 2);
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index] ?? 0;
    const quote = word ^ 0x22222222;
    const backslash = word ^ 0x5c5c5c5c;
    const tooSmall =
      ((word - 0x20202020) & ~word) | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash);
    if ((tooSmall & 0x80808080) !== 0) break;
  }
  for (at += index * 4; at < end; at += 1) {
    if (classOf[chunk[at] ?? 0] === stop) return at;
  }
  return end;
}

function byteClasses(): Uint8Array {
  const classes = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    const isUrl = byte > 0x20 && byte < 0x7f;
    const isBase64 = isUrl && /[A-Za-z0-9+/=_-]/.test(String.fromCharCode(byte));
    const isStop = byte < 0x20 || byte === 0x22 || byte === 0x5c;
    classes[byte] = isStop ? stop : (isUrl ? 0 : notUrl) | (isBase64 ? 0 : notBase64);
  }
  return classes;
}

/** One of " \ / b f n r t */
function isSimpleEscape(byte: number): boolean {
  switch (byte) {
    case 0x22:
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return true;
    default:
      return false;
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** A surrogate counts 2, so that a pair counts its 4 bytes. */
function utf8Length(codeUnit: number): number {
  if (codeUnit < 0x80) return 1;
  return codeUnit < 0x800 || (codeUnit >= 0xd800 && codeUnit <= 0xdfff) ? 2 : 3;
}

function failEscape(offset: number): never {
  throw new JsonScanError('notJson', { reason: coded('body.escape', { offset }) });
}
