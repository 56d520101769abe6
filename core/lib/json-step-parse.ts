import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeString, JsonStringScan, wholeLength } from './json-string-scan.ts';
import { RawJson } from './raw-json.ts';

/** Bytes between two turns of the event loop: a few milliseconds of work when they are dense. */
const bytesPerTurn = 256 * 1024;

type Container = { list: unknown[] } | { object: Record<string, unknown>; key: string };

/**
 * JSON.parse, with every digit of whole numbers in the arguments of calls that are an object (arguments that are text stay it): an id of
 * 19 digits that is rounded is another id. Such a number is a `RawJson`.
 */
export function parseJsonExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const mayHaveCalls = text.includes('"args"') || text.includes('"tool_use"') || /"arguments"\s*:\s*\{/.test(text);
  if (!mayHaveCalls || !/\d{16}/.test(text)) return value;
  const parser = new StepParser();
  parser.push(Buffer.from(text));
  return parser.end();
}

/**
 * `parseJsonExactly` for large bodies: the same result, without holding up other calls. A worker would not do: what it parsed has to
 * be rebuilt on this thread at once, which takes as long as parsing. The bytes must have passed `TopLevelScanner`. Those of a file
 * come in pieces, cut anywhere, and never stand in memory as a whole.
 */
export async function parseJsonInSteps(source: Buffer | AsyncIterable<Buffer>): Promise<unknown> {
  const parser = new StepParser();
  for await (const piece of Buffer.isBuffer(source) ? piecesOf(source) : source) {
    parser.push(piece);
    await nextTurn();
  }
  return parser.end();
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += bytesPerTurn) yield bytes.subarray(at, at + bytesPerTurn);
}

class StepParser {
  #result: unknown;
  readonly #string = new JsonStringScan();
  readonly #stack: Container[] = [];
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #isKey = false;
  #isInString = false;
  /** What has been decoded of a string that is cut. */
  #text = '';
  /** A number or a literal whose end may still come. */
  #scalar = '';

  /** All but the end of a string's piece, where an escape or a character may be cut. */
  push(piece: Buffer): void {
    const rest = this.#bytes.subarray(this.#at);
    this.#bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    this.#at = 0;
    while (this.#at < this.#bytes.length) {
      if (!this.#isInString) this.#readNext(this.#bytes[this.#at] ?? 0);
      else if (!this.#readString()) return;
    }
  }

  end(): unknown {
    this.#endScalar();
    return this.#result;
  }

  #readNext(byte: number): void {
    if (isDelimiter(byte)) this.#endScalar();
    switch (byte) {
      case 0x22:
        this.#text = '';
        this.#isInString = true;
        this.#at += 1;
        return;
      case 0x7b:
        this.#isKey = true;
        this.#at += 1;
        this.#stack.push({ object: {}, key: '' });
        return;
      case 0x5b:
        this.#isKey = false;
        this.#at += 1;
        this.#stack.push({ list: [] });
        return;
      case 0x7d:
      case 0x5d: {
        const done = this.#stack.pop();
        this.#at += 1;
        if (done) this.#place('list' in done ? done.list : done.object);
        return;
      }
      case 0x2c: {
        const parent = this.#stack.at(-1);
        this.#isKey = parent !== undefined && 'object' in parent;
        this.#at += 1;
        return;
      }
      case 0x3a:
        this.#isKey = false;
        this.#at += 1;
        return;
      default:
        if (byte <= 0x20) this.#at += 1;
        else this.#readScalar();
    }
  }

  /** False when its end has not come. */
  #readString(): boolean {
    this.#string.start();
    const from = this.#at;
    const quote = this.#string.read(this.#bytes, from, 0);
    const end = quote < 0 ? from + wholeLength(this.#bytes.subarray(from), this.#string.isInEscape) : quote;
    const piece = decodeString(this.#bytes.subarray(from, end), this.#string.hasEscape);
    // The whole string is one piece nearly always; joining costs only the long ones.
    this.#text = this.#text === '' ? piece : this.#text + piece;
    this.#at = end;
    if (quote < 0) return false;
    this.#at += 1;
    this.#isInString = false;
    const parent = this.#stack.at(-1);
    if (this.#isKey && parent && 'key' in parent) parent.key = this.#text;
    else this.#place(this.#text);
    return true;
  }

  #readScalar(): void {
    const start = this.#at;
    while (this.#at < this.#bytes.length && !isDelimiter(this.#bytes[this.#at] ?? 0)) this.#at += 1;
    this.#scalar += this.#bytes.toString('latin1', start, this.#at);
  }

  #endScalar(): void {
    if (this.#scalar === '') return;
    const value: unknown = JSON.parse(this.#scalar);
    const isRounded = typeof value === 'number' && /^-?\d{16,}$/.test(this.#scalar) && !Number.isSafeInteger(value);
    this.#place(isRounded && this.#isInArguments() ? new RawJson(this.#scalar) : value);
    this.#scalar = '';
  }

  #isInArguments(): boolean {
    return this.#stack.some((container, at) => {
      if (!('key' in container)) return false;
      const inner = this.#stack[at + 1];
      if (container.key === 'functionCall' || container.key === 'function_call')
        return inner !== undefined && 'key' in inner && inner.key === 'args';
      // Some vendors of OpenAI's protocol send the object itself.
      if (container.key === 'function') return inner !== undefined && 'key' in inner && inner.key === 'arguments';
      return (
        container.key === 'input' && inner !== undefined && 'key' in inner && this.#isToolUse(container.object, at)
      );
    });
  }

  /** A block in the content of a message, or the one that begins in a stream; its type may still come. */
  #isToolUse({ type }: Record<string, unknown>, at: number): boolean {
    const [outer, list] = [this.#stack[at - 2], this.#stack[at - 1]];
    const holder = list !== undefined && 'list' in list ? outer : list;
    const isBlock = holder !== undefined && 'key' in holder && /^content(_block)?$/.test(holder.key);
    return isBlock && (type === 'tool_use' || type === undefined);
  }

  #place(value: unknown): void {
    const parent = this.#stack.at(-1);
    if (!parent) this.#result = value;
    else if ('list' in parent) parent.list.push(value);
    else if (parent.key !== '__proto__') parent.object[parent.key] = value;
    // Assignment would change the prototype; JSON.parse makes a plain member of it.
    else
      Object.defineProperty(parent.object, parent.key, { value, writable: true, enumerable: true, configurable: true });
  }
}

function isDelimiter(byte: number): boolean {
  return byte <= 0x20 || byte === 0x2c || byte === 0x5d || byte === 0x7d;
}
