import { coded } from '../text/coded.ts';
import { JsonScalarScan } from './json-scalar-scan.ts';
import { JsonScanError } from './json-scan-error.ts';
import { JsonStringScan } from './json-string-scan.ts';

/** Where one member of the top-level object stands, in bytes from the start of what was pushed. */
export interface JsonMember {
  key: string;
  keyStart: number;
  valueStart: number;
  valueEnd: number;
  /** Elements of an array value; undefined for everything else. */
  count: number | undefined;
  /** The value's text, when it was to be kept and is small enough. */
  raw: string | undefined;
}

export interface JsonScan {
  members: Map<string, JsonMember>;
  /** Offsets of the opening and the closing brace. */
  open: number;
  close: number;
  /** Decoded bytes of the strings in members whose rule counts them. */
  textBytes: number;
  /** Strings that are data: URLs or long base64, and addresses where media is named. */
  mediaParts: number;
  /** Objects, arrays, strings and keys; of numbers and literals, which cost far less, four are one. */
  values: number;
}

export interface JsonKeyRule {
  isForbidden: boolean;
  countsStrings: boolean;
  /** Also the keys of objects inside, as a schema's property names are read by the model. */
  countsKeys: boolean;
  /** Elements an array value may have. */
  maxCount: number;
}

export interface JsonScanOptions {
  ruleFor(key: string): JsonKeyRule;
  /** Keep the text of values of up to this many bytes; 0 keeps none. */
  keepBytes?: number;
  /** Values the whole may have, 100,000 when left out. */
  maxValues?: number;
  strings?: JsonStringSink;
}

/** Is told the strings and keys of members whose rule counts strings, in their order. */
export interface JsonStringSink {
  /** One string comes in several pieces when it is cut. The bytes are as they stand, escapes included, without the quotes. */
  piece(bytes: Buffer, piece: JsonStringPiece): void;
}

export interface JsonStringPiece {
  isKey: boolean;
  /** Also names of a schema's properties are what a model reads. */
  countsKeys: boolean;
  hasEscape: boolean;
  /** The piece ends inside an escape. */
  isInEscape: boolean;
  isLast: boolean;
}

const jsonScanLimits = {
  depth: 200,
  keys: 1000,
  keyBytes: 1024,
  /** What a parsed body costs is its values: a million empty objects are 3 MB as text and 100 MB in memory. */
  values: 100_000,
  /** All kept values together, so that many small ones cannot hold the whole body in memory. */
  keptBytes: 1 << 20,
} as const;

const expect = { start: 0, value: 1, valueOrEnd: 2, key: 3, keyOrEnd: 4, colon: 5, commaOrEnd: 6, nothing: 7 } as const;
/** In quarters of a value: embeddings take lists of 300,000 token numbers. */
const weight = { scalar: 1, value: 4 } as const;
const token = { none: 0, string: 1, scalar: 2 } as const;
const container = { object: 0, array: 1 } as const;

/**
 * Reads the bytes of one JSON object, cut anywhere, and notes where its members stand. Accepts what JSON.parse accepts (that
 * the bytes are valid UTF-8 is the caller's check) less repeated top-level keys, forbidden keys, deep nesting and too many
 * elements. No recursion; each byte is looked at once.
 */
export class TopLevelScanner {
  readonly #options: JsonScanOptions;
  readonly #keepBytes: number;
  readonly #maxValues: number;
  readonly #string = new JsonStringScan();
  readonly #scalar = new JsonScalarScan();
  readonly #members = new Map<string, JsonMember>();
  /** The kind of each open container; grows as deep as the text does. */
  readonly #stack: number[] = [0];
  #base = 0;
  #depth = 0;
  #expect: number = expect.start;
  #token: number = token.none;
  #isKey = false;
  #tokenStart = 0;
  #open = 0;
  #close = 0;
  #textBytes = 0;
  #mediaParts = 0;
  #weight = 0;
  /** The last key below the top level is one by which media is named. */
  #namesMedia = false;
  #member: JsonMember | undefined;
  #rule: JsonKeyRule | undefined;
  #keptBytes = 0;
  /** Earlier chunks of the top-level key or kept value that is being read. */
  #pieces: Buffer[] = [];

  constructor(options: JsonScanOptions) {
    this.#options = options;
    this.#keepBytes = options.keepBytes ?? 0;
    this.#maxValues = options.maxValues ?? jsonScanLimits.values;
  }

  push(chunk: Buffer): void {
    const length = chunk.length;
    let at = 0;
    while (at < length) {
      if (this.#token === token.string) {
        at = this.#readString(chunk, at);
      } else if (this.#token === token.scalar) {
        at = this.#readScalar(chunk, at);
      } else {
        const byte = chunk[at] ?? 0;
        if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) this.#readStructure(chunk, at, byte);
        at += 1;
      }
    }
    this.#keepUnfinished(chunk);
    this.#base += length;
  }

  end(): JsonScan {
    if (this.#expect !== expect.nothing) throw new JsonScanError('notJson', { reason: coded('body.endsEarly') });
    return {
      members: this.#members,
      open: this.#open,
      close: this.#close,
      textBytes: this.#textBytes,
      mediaParts: this.#mediaParts,
      values: Math.ceil(this.#weight / weight.value),
    };
  }

  /** Elements of an array member that are whole, while it is read and afterward. */
  wholeElements(key: string): number {
    const member = this.#members.get(key);
    const isInElement = member === this.#member && (this.#depth > 2 || this.#token !== token.none);
    return Math.max(0, (member?.count ?? 0) - (isInElement ? 1 : 0));
  }

  #readStructure(chunk: Buffer, at: number, byte: number): void {
    switch (byte) {
      case 0x22:
        this.#startString(at);
        return;
      case 0x7b:
        this.#openContainer(at, container.object);
        return;
      case 0x5b:
        this.#openContainer(at, container.array);
        return;
      case 0x7d:
        this.#closeContainer(chunk, at, container.object);
        return;
      case 0x5d:
        this.#closeContainer(chunk, at, container.array);
        return;
      case 0x3a:
        if (this.#expect !== expect.colon) this.#fail(at);
        this.#expect = expect.value;
        return;
      case 0x2c:
        if (this.#expect !== expect.commaOrEnd) this.#fail(at);
        this.#expect = this.#stack[this.#depth] === container.object ? expect.key : expect.value;
        return;
      default:
        this.#beginValue(at);
        this.#weigh(weight.scalar);
        if (!this.#scalar.start(byte)) this.#fail(at);
        this.#token = token.scalar;
    }
  }

  #openContainer(at: number, kind: number): void {
    if (this.#expect === expect.start && kind === container.object) this.#open = this.#base + at;
    else this.#beginValue(at);
    this.#weigh(weight.value);
    this.#depth += 1;
    if (this.#depth > jsonScanLimits.depth) throw new JsonScanError('tooDeep', { limit: jsonScanLimits.depth });
    this.#stack[this.#depth] = kind;
    if (this.#depth === 2 && kind === container.array && this.#member) this.#member.count = 0;
    this.#expect = kind === container.object ? expect.keyOrEnd : expect.valueOrEnd;
  }

  #closeContainer(chunk: Buffer, at: number, kind: number): void {
    const isEmpty = this.#expect === (kind === container.object ? expect.keyOrEnd : expect.valueOrEnd);
    if (this.#stack[this.#depth] !== kind || !(isEmpty || this.#expect === expect.commaOrEnd)) this.#fail(at);
    this.#depth -= 1;
    if (this.#depth > 0) {
      this.#endValue(chunk, at + 1);
      return;
    }
    this.#close = this.#base + at;
    this.#expect = expect.nothing;
  }

  #startString(at: number): void {
    this.#isKey = this.#expect === expect.key || this.#expect === expect.keyOrEnd;
    if (!this.#isKey) this.#beginValue(at);
    this.#weigh(weight.value);
    this.#token = token.string;
    this.#tokenStart = this.#base + at;
    this.#string.start();
  }

  #readString(chunk: Buffer, from: number): number {
    const at = this.#string.read(chunk, from, this.#base);
    if (this.#options.strings) this.#tellString(chunk, from, at);
    if (at < 0) return chunk.length;
    this.#token = token.none;
    if (this.#isKey) {
      if (this.#depth === 1) this.#startMember(chunk, at);
      else {
        if (this.#rule?.countsKeys) this.#textBytes += this.#string.textBytes;
        this.#namesMedia = namesMedia(chunk, this.#tokenStart - this.#base + 1, at);
      }
      this.#expect = expect.colon;
      return at + 1;
    }
    if (this.#string.isMedia || (this.#namesMedia && this.#string.isAddress)) this.#mediaParts += 1;
    else if (this.#rule?.countsStrings) this.#textBytes += this.#string.textBytes;
    this.#endValue(chunk, at + 1);
    return at + 1;
  }

  #tellString(chunk: Buffer, from: number, quote: number): void {
    if (!this.#rule?.countsStrings) return;
    const isLast = quote >= 0;
    this.#options.strings?.piece(chunk.subarray(from, isLast ? quote : undefined), {
      isKey: this.#isKey,
      countsKeys: this.#rule.countsKeys,
      hasEscape: this.#string.hasEscape,
      isInEscape: this.#string.isInEscape,
      isLast,
    });
  }

  #weigh(more: number): void {
    this.#weight += more;
    if (this.#weight > this.#maxValues * weight.value) {
      throw new JsonScanError('tooMany', { what: coded('noun.values'), limit: this.#maxValues });
    }
  }

  #readScalar(chunk: Buffer, from: number): number {
    const at = this.#scalar.read(chunk, from);
    if (at === chunk.length) return at;
    if (!this.#scalar.isWhole) this.#fail(at);
    this.#token = token.none;
    this.#endValue(chunk, at);
    return at;
  }

  #startMember(chunk: Buffer, quote: number): void {
    if (this.#string.bytes > jsonScanLimits.keyBytes) failLongKey();
    const key = this.#keyText(chunk, quote);
    const shown = key.slice(0, 64);
    if (this.#members.has(key)) throw new JsonScanError('duplicateKey', { key: shown });
    const rule = this.#options.ruleFor(key);
    if (rule.isForbidden) throw new JsonScanError('forbiddenKey', { key: shown });
    if (this.#members.size === jsonScanLimits.keys) {
      throw new JsonScanError('tooMany', { what: coded('noun.keys'), limit: jsonScanLimits.keys });
    }
    this.#rule = rule;
    this.#namesMedia = false;
    this.#member = { key, keyStart: this.#tokenStart, valueStart: -1, valueEnd: -1, count: undefined, raw: undefined };
    this.#members.set(key, this.#member);
  }

  #keyText(chunk: Buffer, quote: number): string {
    const start = this.#tokenStart - this.#base;
    if (start >= 0 && !this.#string.hasEscape) return chunk.toString('utf8', start + 1, quote);
    const quoted = this.#takePieces(chunk, start, quote + 1);
    return this.#string.hasEscape ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  }

  #beginValue(at: number): void {
    if (this.#expect !== expect.value && this.#expect !== expect.valueOrEnd) this.#fail(at);
    const member = this.#member;
    if (!member) return;
    if (this.#depth === 1) {
      member.valueStart = this.#base + at;
    } else if (this.#depth === 2 && member.count !== undefined) {
      member.count += 1;
      const limit = this.#rule?.maxCount ?? 0;
      if (member.count > limit) throw new JsonScanError('tooMany', { what: member.key, limit });
    }
  }

  #endValue(chunk: Buffer, end: number): void {
    this.#expect = expect.commaOrEnd;
    const member = this.#member;
    if (this.#depth !== 1 || !member) return;
    member.valueEnd = this.#base + end;
    const length = member.valueEnd - member.valueStart;
    if (length <= this.#keepBytes && this.#keptBytes + length <= jsonScanLimits.keptBytes) {
      member.raw = this.#takePieces(chunk, member.valueStart - this.#base, end);
      this.#keptBytes += length;
    }
    this.#pieces = [];
    this.#member = undefined;
    this.#rule = undefined;
  }

  #keepUnfinished(chunk: Buffer): void {
    if (this.#token === token.string && this.#isKey && this.#depth === 1) {
      if (this.#string.bytes > jsonScanLimits.keyBytes) failLongKey();
      this.#keepPiece(chunk, this.#tokenStart);
      return;
    }
    const start = this.#member?.valueStart ?? -1;
    if (start < 0 || this.#keepBytes === 0) return;
    if (this.#base + chunk.length - start > this.#keepBytes) this.#pieces = [];
    else this.#keepPiece(chunk, start);
  }

  #keepPiece(chunk: Buffer, start: number): void {
    // A copy, so that a few bytes do not hold on to the whole chunk.
    this.#pieces.push(Buffer.from(chunk.subarray(Math.max(0, start - this.#base))));
  }

  #takePieces(chunk: Buffer, start: number, end: number): string {
    if (this.#pieces.length === 0) return chunk.toString('utf8', start, end);
    const text = Buffer.concat([...this.#pieces, chunk.subarray(0, end)]).toString('utf8');
    this.#pieces = [];
    return text;
  }

  #fail(at: number): never {
    const offset = this.#base + at;
    if (this.#expect === expect.start) {
      throw new JsonScanError('notJson', { reason: coded('body.notObject') });
    }
    const key = this.#expect === expect.nothing ? 'body.follows' : 'body.unexpected';
    throw new JsonScanError('notJson', { reason: coded(key, { offset }) });
  }
}

/** `url`, `image_url`, `file_uri`, `fileUri` and the like: a key that is cut by the end of a chunk counts as one. */
function namesMedia(chunk: Buffer, start: number, end: number): boolean {
  if (start < 0) return true;
  const length = end - start;
  if (length < 3 || length > 9) return false;
  const middle = (chunk[end - 2] ?? 0) | 0x20;
  const isUrl = middle === 0x72 && ((chunk[end - 1] ?? 0) | 0x20) === 0x6c;
  const isUri = middle === 0x72 && ((chunk[end - 1] ?? 0) | 0x20) === 0x69;
  return (isUrl || isUri) && ((chunk[end - 3] ?? 0) | 0x20) === 0x75;
}

function failLongKey(): never {
  throw new JsonScanError('notJson', { reason: coded('body.longKey', { limit: jsonScanLimits.keyBytes }) });
}
