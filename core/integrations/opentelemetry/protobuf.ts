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
      if (value === undefined || !field) continue;
      const [number, kind] = field;
      if (typeof kind === 'object') {
        for (const one of Array.isArray(value) ? value : [value])
          this.#delimited(number, () => this.message(one as Message, kind));
      } else if (Array.isArray(value)) {
        // Repeated numbers are packed.
        this.#delimited(number, () => {
          for (const one of value) this.#scalar(kind, one);
        });
      } else if (kind === 'string' || kind === 'hex') this.#delimited(number, () => this.#scalar(kind, value));
      else {
        this.#varint((number << 3) | wireTypes[kind]);
        this.#scalar(kind, value);
      }
    }
  }

  /** The length stands before what it measures: one byte is left for it, and what follows makes room where it needs more. */
  #delimited(number: number, write: () => void): void {
    this.#varint((number << 3) | lengthDelimited);
    const at = this.#length;
    this.#length += 1;
    write();
    const length = this.#length - at - 1;
    const more = bytesOf(length) - 1;
    this.#reserve(more);
    if (more > 0) this.#buffer.copyWithin(at + 1 + more, at + 1, this.#length);
    this.#length = at;
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
    this.#length += this.#buffer.write(text, this.#length, encoding);
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

function bytesOf(length: number): number {
  let bytes = 1;
  for (let rest = length; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes += 1;
  return bytes;
}
