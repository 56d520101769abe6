import type { FieldKind, MessageFields } from './otlp-fields.ts';

type Message = Readonly<Record<string, unknown>>;

const wireTypes: Record<FieldKind, number> = {
  varint: 0,
  bool: 0,
  fixed64: 1,
  double: 1,
  string: 2,
  hex: 2,
  fixed32: 5,
};
const lengthDelimited = 2;
const startBytes = 64 * 1024;
/** More than a number of any kind takes. */
const spareBytes = 16;
const longText = 64;

/** Protobuf bytes of a message in its JSON form; members that `fields` does not name are left out. */
export function writeProtobuf(message: Message, fields: MessageFields): Buffer {
  const writer = new ProtobufWriter();
  writer.message(message, fields);
  return writer.bytes();
}

/** Writes into one buffer, because a message of spans has tens of thousands of small parts. */
class ProtobufWriter {
  #buffer = Buffer.allocUnsafe(startBytes);
  #length = 0;

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  message(message: Message, fields: MessageFields): void {
    for (const name in fields) {
      const value = message[name];
      const field = fields[name];
      if (value !== undefined && field) this.#field(field[0], field[1], value);
    }
  }

  #field(number: number, kind: FieldKind | MessageFields, value: unknown): void {
    if (typeof kind === 'object') {
      if (Array.isArray(value)) for (const one of value) this.#inner(number, kind, one as Message);
      else this.#inner(number, kind, value as Message);
    } else if (Array.isArray(value)) {
      // Repeated numbers are packed.
      const at = this.#open(number);
      for (const one of value) this.#scalar(kind, one);
      this.#close(at);
    } else if (kind === 'string' || kind === 'hex') {
      const at = this.#open(number);
      this.#scalar(kind, value);
      this.#close(at);
    } else {
      this.#varint((number << 3) | wireTypes[kind]);
      this.#scalar(kind, value);
    }
  }

  #inner(number: number, fields: MessageFields, message: Message): void {
    const at = this.#open(number);
    this.message(message, fields);
    this.#close(at);
  }

  /** The length stands before what it measures: one byte is left for it. */
  #open(number: number): number {
    this.#varint((number << 3) | lengthDelimited);
    this.#length += 1;
    return this.#length;
  }

  /** Where the length needs more bytes, what follows it makes room. */
  #close(start: number): void {
    const length = this.#length - start;
    let more = 0;
    for (let rest = length; rest >= 0x80; rest = Math.floor(rest / 0x80)) more += 1;
    if (more > 0) {
      this.#reserve(more);
      this.#buffer.copyWithin(start + more, start, this.#length);
    }
    this.#length = start - 1;
    this.#varint(length);
    this.#length += length;
  }

  #scalar(kind: FieldKind, value: unknown): void {
    this.#reserve(spareBytes);
    switch (kind) {
      case 'string':
      case 'hex':
        this.#text(String(value), kind === 'hex' ? 'hex' : 'utf8');
        break;
      case 'bool':
        this.#varint(value ? 1 : 0);
        break;
      case 'varint':
        this.#varint(Number(value));
        break;
      case 'double':
        this.#length = this.#buffer.writeDoubleLE(Number(value), this.#length);
        break;
      case 'fixed32':
        this.#length = this.#buffer.writeUInt32LE(Number(value), this.#length);
        break;
      case 'fixed64':
        this.#length = this.#buffer.writeBigUInt64LE(BigInt(String(value)), this.#length);
        break;
    }
  }

  #text(text: string, encoding: 'hex' | 'utf8'): void {
    // A character of a text takes up to three bytes.
    this.#reserve(text.length * 3);
    if (encoding === 'hex' || !this.#ascii(text)) this.#length += this.#buffer.write(text, this.#length, encoding);
  }

  /** Nearly all texts are short and plain: their letters one by one are quicker than a call into the system's code. */
  #ascii(text: string): boolean {
    const { length } = text;
    if (length > longText) return false;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) return false;
      this.#buffer[this.#length + index] = code;
    }
    this.#length += length;
    return true;
  }

  /** Seven bits a byte, the lowest first; a negative number is its 64 bit complement. */
  #varint(value: number): void {
    this.#reserve(spareBytes);
    if (value < 0) {
      this.#bigVarint(BigInt.asUintN(64, BigInt(value)));
      return;
    }
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#length++] = rest;
  }

  #bigVarint(value: bigint): void {
    let rest = value;
    while (rest >= 0x80n) {
      this.#buffer[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#buffer[this.#length++] = Number(rest);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes + spareBytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes + spareBytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
