import { setImmediate as nextTurn } from 'node:timers/promises';
import { JsonStringScan } from './json-string-scan.ts';

/** Bytes between two turns of the event loop: a few milliseconds of work when they are dense. */
const bytesPerTurn = 256 * 1024;

type Container = { list: unknown[] } | { object: Record<string, unknown>; key: string };

/**
 * JSON.parse for large bodies: the same result, without holding up other calls. A worker would not do: what it parsed has to
 * be rebuilt on this thread at once, which takes as long as parsing. The bytes must have passed `TopLevelScanner`.
 */
export async function parseJsonInSteps(bytes: Buffer): Promise<unknown> {
  const parser = new StepParser(bytes);
  while (!parser.run(bytesPerTurn)) await nextTurn();
  return parser.result;
}

class StepParser {
  result: unknown;
  readonly #bytes: Buffer;
  readonly #string = new JsonStringScan();
  readonly #stack: Container[] = [];
  #at = 0;
  #isKey = false;
  #isInString = false;
  /** What has been decoded of a string that is longer than one turn. */
  #text = '';

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads about `budget` bytes; true when everything is read. */
  run(budget: number): boolean {
    const end = Math.min(this.#bytes.length, this.#at + budget);
    while (this.#at < end) {
      if (this.#isInString) this.#readString(end);
      else this.#readNext(this.#bytes[this.#at] ?? 0);
    }
    return this.#at >= this.#bytes.length;
  }

  #readNext(byte: number): void {
    switch (byte) {
      case 0x22:
        this.#string.start();
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

  #readString(turnEnd: number): void {
    const from = this.#at;
    const quote = this.#string.read(this.#bytes, from, 0, turnEnd);
    const end = quote < 0 ? this.#endOfCharacter(turnEnd) : quote;
    // The whole string is one piece nearly always; joining costs only the long ones.
    const piece = this.#string.hasEscape
      ? (JSON.parse(`"${this.#bytes.toString('utf8', from, end)}"`) as string)
      : this.#bytes.toString('utf8', from, end);
    this.#text = this.#text === '' ? piece : this.#text + piece;
    this.#at = end;
    if (quote < 0) return;
    this.#at += 1;
    this.#isInString = false;
    const parent = this.#stack.at(-1);
    if (this.#isKey && parent && 'key' in parent) parent.key = this.#text;
    else this.#place(this.#text);
  }

  /** A string may be cut only where neither an escape nor a character is. */
  #endOfCharacter(turnEnd: number): number {
    let end = turnEnd;
    while (this.#string.isInEscape || ((this.#bytes[end] ?? 0) & 0xc0) === 0x80) {
      this.#string.read(this.#bytes, end, 0, end + 1);
      end += 1;
    }
    return end;
  }

  #readScalar(): void {
    const start = this.#at;
    while (this.#at < this.#bytes.length && !isDelimiter(this.#bytes[this.#at] ?? 0)) this.#at += 1;
    this.#place(JSON.parse(this.#bytes.toString('latin1', start, this.#at)));
  }

  #place(value: unknown): void {
    const parent = this.#stack.at(-1);
    if (!parent) this.result = value;
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
