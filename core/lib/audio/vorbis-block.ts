/** Blocks of a Vorbis stream: a packet gives samples by the size of its block and of the one before it (Vorbis I, 1.3.2 and 4.3). */
export class VorbisBlocks {
  readonly sampleRate: number;
  readonly #sizes: readonly number[];
  readonly #modeMask: number;
  #before: number | undefined;

  private constructor(sampleRate: number, sizes: readonly number[], modeMask: number) {
    this.sampleRate = sampleRate;
    this.#sizes = sizes;
    this.#modeMask = modeMask;
  }

  /** Undefined when the two heads are not those of a stream. */
  static of(identification: Buffer, setup: Buffer): VorbisBlocks | undefined {
    if (identification.length < 30 || !isHead(identification, 1) || !isHead(setup, 5)) return undefined;
    const sampleRate = identification.readUInt32LE(12);
    const exponents = identification[28] ?? 0;
    const isLong = readModes(setup);
    if (!isLong || sampleRate < 1000 || sampleRate > 384_000) return undefined;
    const sizes = isLong.map((long) => 1 << (long ? exponents >> 4 : exponents & 15));
    const modeBits = 32 - Math.clz32(sizes.length - 1);
    return new VorbisBlocks(sampleRate, sizes, (1 << modeBits) - 1);
  }

  /** Samples that a packet adds. */
  samples([first]: Buffer): number {
    // A set first bit marks a head.
    const size = first === undefined || (first & 1) === 1 ? undefined : this.#sizes[(first >> 1) & this.#modeMask];
    if (size === undefined) return 0;
    const before = this.#before;
    this.#before = size;
    return before === undefined ? 0 : (before + size) / 4;
  }
}

function isHead(packet: Buffer, type: number): boolean {
  return packet[0] === type && packet.toString('latin1', 1, 7) === 'vorbis';
}

const modeBits = 41; // a flag for a long block, two numbers of 16 bits that are always 0, and 8 bits
const maxModes = 64;

/**
 * The modes stand at the end of the setup, behind code books of unknown length, so they are read from the end: a last bit that is
 * set, the modes before it, and before them their number less one in six bits.
 */
function readModes(setup: Buffer): boolean[] | undefined {
  const bit = (at: number) => ((setup[at >> 3] ?? 0) >> (at & 7)) & 1;
  let end = setup.length * 8 - 1;
  while (end > 0 && bit(end) === 0) end -= 1;
  let found: boolean[] | undefined;
  for (let count = 1; count <= maxModes; count += 1) {
    const start = end - modeBits * count;
    if (start < 6 || range(start + 1, start + 33).some((at) => bit(at) === 1)) break;
    const stated = range(start - 6, start).reduce((sum, at, place) => sum + (bit(at) << place), 0);
    if (stated === count - 1) found = range(0, count).map((mode) => bit(start + mode * modeBits) === 1);
  }
  return found;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
