const rates = [0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
interface FlacFrame {
  seconds: number;
  headBytes: number;
}

/** The longest head. */
const flacHeadBytes = 16;
/** Of the mark, the block with the general facts: where in the file the rate stands. */
const rateAt = 18;
const checksums = Buffer.from(Array.from({ length: 256 }, (_, byte) => checksumOf(byte)));

/** Adds up the frames of a FLAC file, each known by the checksum of its head. The total in the file's head is not looked at. */
export class FlacFrameCounter {
  seconds = 0;
  #rate = 0;
  #rest: Buffer = Buffer.alloc(0);
  #isStart = true;

  push(chunk: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    if (this.#isStart) {
      if (bytes.length < rateAt + 3) {
        this.#rest = Buffer.from(bytes);
        return;
      }
      this.#isStart = false;
      this.#rate = flacRate(bytes);
    }
    let at = bytes.indexOf(0xff);
    while (at >= 0 && at + flacHeadBytes <= bytes.length) {
      const length = this.#readFrame(bytes, at);
      at = bytes.indexOf(0xff, at + length);
    }
    this.#rest = at < 0 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at));
  }

  /** A frame behind which less than the longest head is left. */
  end(): void {
    this.push(Buffer.alloc(flacHeadBytes));
  }

  /** Bytes of the header; 1 without a header. */
  #readFrame(bytes: Buffer, at: number): number {
    // Told apart at once: in any file there are many bytes that begin like a frame.
    if (((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) return 1;
    const frame = readFlacFrame(bytes, this.#rate, at);
    this.seconds += frame?.seconds ?? 0;
    return frame?.headBytes ?? 1;
  }
}

/** The rate that frames have which do not state their own, from the first block of facts (RFC 9639, 8.2) behind the mark. */
export function flacRate(facts: Buffer): number {
  return facts.length < rateAt + 3 ? 0 : facts.readUIntBE(rateAt, 3) >> 4;
}

/** A frame by its head, of which `flacHeadBytes` are given (RFC 9639, 9.1); undefined when its checksum is not right. */
export function readFlacFrame(bytes: Buffer, streamRate: number, at = 0): FlacFrame | undefined {
  if (at + flacHeadBytes > bytes.length || bytes[at] !== 0xff) return undefined;
  const third = bytes[at + 2] ?? 0;
  const blockCode = third >> 4;
  const rateCode = third & 15;
  const isMarked = ((bytes[at + 1] ?? 0) & 0xfe) === 0xf8;
  if (!isMarked || blockCode === 0 || rateCode === 15 || ((bytes[at + 3] ?? 0) & 1) !== 0) return undefined;
  let end = at + 4 + Math.max(1, leadingOnes(bytes[at + 4] ?? 0));
  const block = blockCode === 6 ? (bytes[end] ?? 0) + 1 : blockCode === 7 ? bytes.readUInt16BE(end) + 1 : 0;
  end += blockCode === 6 ? 1 : blockCode === 7 ? 2 : 0;
  const word = bytes.readUInt16BE(end);
  const stated = rateCode === 12 ? (word >> 8) * 1000 : rateCode === 13 ? word : word * 10;
  const rate = rateCode === 0 ? streamRate : rateCode < 12 ? (rates[rateCode] ?? 0) : stated;
  end += rateCode < 12 ? 0 : rateCode === 12 ? 1 : 2;
  let sum = 0;
  for (let place = at; place < end; place += 1) sum = checksums[sum ^ (bytes[place] ?? 0)] ?? 0;
  if (sum !== bytes[end] || rate < 1000) return undefined;
  return { seconds: (block || blockSamples(blockCode)) / rate, headBytes: end + 1 - at };
}

function blockSamples(code: number): number {
  if (code === 1) return 192;
  return code < 6 ? 576 << (code - 2) : 256 << (code - 8);
}

function leadingOnes(byte: number): number {
  return Math.clz32(~(byte << 24));
}

/** CRC-8 with the polynomial 7. */
function checksumOf(byte: number): number {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ (sum & 0x80 ? 7 : 0)) & 0xff;
  return sum;
}
