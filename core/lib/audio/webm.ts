import { aacFrameSeconds } from './aac-config.ts';
import { type ByteReader, peek, skip, take } from './byte-feed.ts';
import { flacRate, readFlacFrame } from './flac-frame-counter.ts';
import { opusRate, opusSamples } from './opus-packet.ts';
import { VorbisBlocks } from './vorbis-block.ts';

/** Elements that are looked into, and those that are read (RFC 9559, section 5); others are passed over. */
const id = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  tracks: 0x1654ae6b,
  track: 0xae,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
  number: 0xd7,
  type: 0x83,
  codec: 0x86,
  config: 0x63a2,
  encodings: 0x6d80,
} as const;
const parents = new Set<number>([id.segment, id.cluster, id.tracks, id.blockGroup]);
const audioType = 2;
/** The head of an element, that of a block, and as much of a packet as is needed. */
const headBytes = 48;
const maxTracks = 100;

interface Track {
  seconds: number;
  /** Seconds of a packet that begins with these bytes; undefined for a sound that is not read. */
  read: ((head: Buffer) => number) | undefined;
}

/** Counts the packets of a WebM or Matroska file; recorders in browsers write no length, and one that is written is a claim. */
export class WebmCounter {
  readonly #tracks = new Map<number, Track>();

  /** That of the longest sound: only one is heard. Undefined when there is one that is not read. */
  get seconds(): number | undefined {
    const tracks = [...this.#tracks.values()];
    if (tracks.length === 0 || tracks.some(({ read }) => !read)) return undefined;
    return Math.max(...tracks.map(({ seconds }) => seconds));
  }

  *reader(): ByteReader {
    for (;;) {
      const bytes = yield* peek(headBytes);
      const element = readNumber(bytes, 0, true);
      const size = element && readNumber(bytes, element.bytes, false);
      if (!size) return;
      const start = element.bytes + size.bytes;
      const isUnknown = size.value === 2 ** (7 * size.bytes) - 1;
      if (parents.has(element.value)) yield* skip(start);
      // Only what is looked into may be of unknown length.
      else if (isUnknown) return;
      else if (element.value === id.track) {
        yield* skip(start);
        this.#addTrack(yield* take(size.value));
      } else if (element.value === id.block || element.value === id.simpleBlock) {
        yield* this.#readBlock(bytes.subarray(start, start + size.value), start, size.value);
      } else yield* skip(start + size.value);
    }
  }

  #addTrack(bytes: Buffer): void {
    const fields = fieldsOf(bytes);
    if (numberOf(fields.get(id.type)) !== audioType || this.#tracks.size >= maxTracks) return;
    const isPlain = !fields.has(id.encodings);
    const codec = fields.get(id.codec)?.toString('latin1') ?? '';
    const read = isPlain ? packetReader(codec, fields.get(id.config) ?? Buffer.alloc(0)) : undefined;
    this.#tracks.set(numberOf(fields.get(id.number)), { seconds: 0, read });
  }

  *#readBlock(head: Buffer, before: number, size: number): ByteReader {
    const number = readNumber(head, 0, false);
    // Behind the number a time and the flags.
    const start = (number?.bytes ?? 0) + 3;
    const track = this.#tracks.get(number?.value ?? -1);
    const lacing = ((head[start - 1] ?? 0) >> 1) & 3;
    if (track?.read && lacing !== 0) {
      yield* skip(before);
      const block = yield* take(size);
      for (const packet of lacedPackets(block.subarray(start), lacing)) track.seconds += track.read(packet);
      return;
    }
    if (track?.read) track.seconds += track.read(head.subarray(start));
    yield* skip(before + size);
  }
}

function packetReader(codec: string, config: Buffer): Track['read'] {
  if (codec === 'A_OPUS') return (head) => opusSamples(head) / opusRate;
  if (codec === 'A_AAC') {
    const seconds = aacFrameSeconds(config);
    return seconds === undefined ? undefined : () => seconds;
  }
  if (codec === 'A_FLAC') {
    const rate = flacRate(config);
    return (head) => readFlacFrame(head, rate)?.seconds ?? 0;
  }
  if (codec !== 'A_VORBIS') return undefined;
  // The three heads of the stream, laced as Xiph does: the last one takes what is left.
  const [identification, , setup] = lacedPackets(config, 1);
  const blocks = identification && setup && VorbisBlocks.of(identification, setup);
  return blocks && ((head) => blocks.samples(head) / blocks.sampleRate);
}

/** Packets that share a block: their number less one, their lengths but the last, and then they themselves. */
function lacedPackets(bytes: Buffer, lacing: number): Buffer[] {
  const count = (bytes[0] ?? 0) + 1;
  let at = 1;
  const lengths: number[] = [];
  for (let packet = 0; packet < count - 1 && at < bytes.length; packet += 1) {
    if (lacing === 1) {
      let length = 0;
      for (; bytes[at] === 255; at += 1) length += 255;
      lengths.push(length + (bytes[at] ?? 0));
      at += 1;
    } else if (lacing === 3) {
      const number = readNumber(bytes, at, false);
      if (!number) return [];
      at += number.bytes;
      // After the first they are differences, of which half are negative.
      const bias = 2 ** (7 * number.bytes - 1) - 1;
      lengths.push(packet === 0 ? number.value : (lengths[packet - 1] ?? 0) + number.value - bias);
    } else lengths.push(Math.floor((bytes.length - 1) / count));
  }
  const packets: Buffer[] = [];
  for (const length of lengths) {
    packets.push(bytes.subarray(at, at + Math.max(0, length)));
    at += Math.max(0, length);
  }
  return [...packets, bytes.subarray(at)];
}

/** The elements in a parent, the last of a kind. */
function fieldsOf(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const element = readNumber(bytes, at, true);
    const size = element && readNumber(bytes, at + element.bytes, false);
    if (!size) break;
    const start = at + element.bytes + size.bytes;
    fields.set(element.value, bytes.subarray(start, start + size.value));
    at = start + size.value;
  }
  return fields;
}

function numberOf(bytes: Buffer | undefined): number {
  return bytes && bytes.length > 0 && bytes.length <= 6 ? bytes.readUIntBE(0, bytes.length) : 0;
}

/** A number whose zero bits in front tell how many bytes it has; that of an element keeps the bit that marks them. */
function readNumber(bytes: Buffer, at: number, withMark: boolean): { value: number; bytes: number } | undefined {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || at + length > bytes.length) return undefined;
  let value = withMark ? first : first & (0xff >> length);
  for (const byte of bytes.subarray(at + 1, at + length)) value = value * 256 + byte;
  return { value, bytes: length };
}
