/** kbit/s by the bitrate index (ISO/IEC 11172-3, 2.4.2.3, and 13818-3); index 0 is free format, which is not used in practice. */
const bitrates = {
  v1l1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  v1l2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  v1l3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2l1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  v2l23: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const sampleRates = [44_100, 48_000, 32_000] as const;
const headBytes = 10; // of an ID3 tag; a frame needs 4

interface Frame {
  bytes: number;
  seconds: number;
}

/** Adds up the length of the frames of an MPEG sound, whatever its bitrates, from chunks cut anywhere. */
export class Mp3FrameCounter {
  seconds = 0;
  /** Whether the file begins as an MP3 does. */
  isMp3 = false;
  #rest: Buffer = Buffer.alloc(0);
  #skip = 0;
  #isStart = true;

  push(chunk: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = Math.min(this.#skip, bytes.length);
    this.#skip -= at;
    while (at + headBytes <= bytes.length) {
      const length = this.#readUnit(bytes, at);
      this.#skip = Math.max(0, at + length - bytes.length);
      at = Math.min(bytes.length, at + length);
    }
    this.#rest = Buffer.from(bytes.subarray(at));
  }

  /** Bytes to go on by: a tag, a frame, or one byte of neither. */
  #readUnit(bytes: Buffer, at: number): number {
    const isStart = this.#isStart;
    this.#isStart = false;
    if (isStart && bytes.toString('latin1', at, at + 3) === 'ID3') {
      this.isMp3 = true;
      return headBytes + sevenBitNumber(bytes.subarray(at + 6, at + headBytes));
    }
    const frame = readFrame(bytes, at);
    if (!frame) return 1;
    if (isStart) this.isMp3 = true;
    this.seconds += frame.seconds;
    return frame.bytes;
  }
}

function readFrame(bytes: Buffer, at: number): Frame | undefined {
  const head = bytes.readUInt32BE(at);
  if (head >>> 21 !== 0x7ff) return undefined;
  const version = (head >>> 19) & 3; // 3 is MPEG 1, 2 is MPEG 2, 0 is MPEG 2.5
  const layer = 4 - ((head >>> 17) & 3);
  const base = sampleRates[(head >>> 10) & 3];
  const kilobits = tableOf(version, layer)?.[(head >>> 12) & 15];
  if (!kilobits || !base) return undefined;
  const sampleRate = version === 3 ? base : version === 2 ? base / 2 : base / 4;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152;
  const padding = ((head >>> 9) & 1) * (layer === 1 ? 4 : 1);
  const unpadded = Math.floor(((samples / 8) * kilobits * 1000) / sampleRate);
  return { bytes: (layer === 1 ? unpadded - (unpadded % 4) : unpadded) + padding, seconds: samples / sampleRate };
}

function tableOf(version: number, layer: number): readonly number[] | undefined {
  if (version === 1 || layer === 4) return undefined;
  if (version !== 3) return layer === 1 ? bitrates.v2l1 : bitrates.v2l23;
  return layer === 1 ? bitrates.v1l1 : layer === 2 ? bitrates.v1l2 : bitrates.v1l3;
}

/** Sizes in ID3 use seven bits of each byte. */
function sevenBitNumber(bytes: Buffer): number {
  return bytes.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
}
