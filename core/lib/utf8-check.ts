import { isUtf8 } from 'node:buffer';

/** Checks UTF-8 that arrives in chunks which may be cut inside a character. */
export class Utf8Check {
  /** The beginning of a character whose end is in the next chunk; at most 3 bytes. */
  #cut: Buffer = Buffer.alloc(0);

  /** False as soon as the bytes cannot be UTF-8. */
  push(chunk: Buffer): boolean {
    let body = chunk;
    if (this.#cut.length > 0) {
      const missing = characterLength(this.#cut[0] ?? 0) - this.#cut.length;
      const character = Buffer.concat([this.#cut, chunk.subarray(0, missing)]);
      if (chunk.length < missing) {
        this.#cut = character;
        return true;
      }
      if (!isUtf8(character)) return false;
      body = chunk.subarray(missing);
    }
    const whole = body.length - cutLength(body);
    this.#cut = Buffer.from(body.subarray(whole));
    return isUtf8(body.subarray(0, whole));
  }

  /** False when the text ends inside a character. */
  end(): boolean {
    return this.#cut.length === 0;
  }
}

/** Bytes at the end that begin a character without finishing it. */
function cutLength(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return characterLength(byte) > back ? back : 0;
  }
  return 0;
}

function characterLength(firstByte: number): number {
  if (firstByte >= 0xf0) return 4;
  if (firstByte >= 0xe0) return 3;
  return firstByte >= 0xc0 ? 2 : 1;
}
