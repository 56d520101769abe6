/** What has been read of a number so far (RFC 8259, section 6). */
const part = { minus: 0, zero: 1, digits: 2, point: 3, fraction: 4, exponent: 5, sign: 6, power: 7 } as const;
const invalid = -1;

/** Reads one number, true, false or null, cut anywhere. */
export class JsonScalarScan {
  #part: number = part.minus;
  #literal = '';
  #matched = 0;

  /** False when no scalar begins with this byte. */
  start(byte: number): boolean {
    this.#matched = 1;
    this.#literal = byte === 0x74 ? 'true' : byte === 0x66 ? 'false' : byte === 0x6e ? 'null' : '';
    if (this.#literal !== '') return true;
    this.#part = byte === 0x2d ? part.minus : byte === 0x30 ? part.zero : part.digits;
    return byte === 0x2d || isDigit(byte);
  }

  /** Reads on; returns the first byte that does not belong to the scalar, or the chunk's length when more may follow. */
  read(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#literal !== '') {
      while (at < chunk.length && chunk[at] === this.#literal.charCodeAt(this.#matched)) {
        this.#matched += 1;
        at += 1;
      }
      return at;
    }
    for (; at < chunk.length; at += 1) {
      const next = nextPart(this.#part, chunk[at] ?? 0);
      if (next === invalid) return at;
      this.#part = next;
    }
    return at;
  }

  /** Whether what was read is a complete scalar. */
  get isWhole(): boolean {
    if (this.#literal !== '') return this.#matched === this.#literal.length;
    return (
      this.#part === part.zero ||
      this.#part === part.digits ||
      this.#part === part.fraction ||
      this.#part === part.power
    );
  }
}

function nextPart(current: number, byte: number): number {
  const digit = isDigit(byte);
  switch (current) {
    case part.minus:
      return byte === 0x30 ? part.zero : digit ? part.digits : invalid;
    case part.zero:
    case part.digits:
      if (digit) return current === part.digits ? part.digits : invalid;
      return byte === 0x2e ? part.point : isExponent(byte) ? part.exponent : invalid;
    case part.point:
      return digit ? part.fraction : invalid;
    case part.fraction:
      return digit ? part.fraction : isExponent(byte) ? part.exponent : invalid;
    case part.exponent:
      return digit ? part.power : byte === 0x2b || byte === 0x2d ? part.sign : invalid;
    default:
      return digit ? part.power : invalid;
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isExponent(byte: number): boolean {
  return byte === 0x65 || byte === 0x45;
}
