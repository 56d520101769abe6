/** Small files of each audio format, written byte by byte, with sound of a known length and heads that claim another. */

/** `OggS`, a position that is a claim, and packets of less than 255 bytes each. */
export function oggPage(
  packets: Buffer[],
  { serial = 1, isFirst = false, isContinued = false, lengths = [] as number[] } = {},
) {
  const laced = lengths.length > 0 ? lengths : packets.map(({ length }) => length);
  const head = Buffer.alloc(27);
  head.write('OggS');
  head[5] = (isFirst ? 2 : 0) + (isContinued ? 1 : 0);
  head.writeBigInt64LE(1n, 6);
  head.writeUInt32LE(serial, 14);
  head[26] = laced.length;
  return Buffer.concat([head, Buffer.from(laced), ...packets]);
}

/** Of 20 ms by default: speech in one frame. */
export function opusPacket(bytes = 40, first = 0x08): Buffer {
  const packet = Buffer.alloc(bytes, 0x55);
  packet[0] = first;
  return packet;
}

export function oggOpus(packets: Buffer[], serial = 1): Buffer {
  const head = Buffer.from('OpusHead\u0001\u0001\u0000\u0000\u0080\u00bb\u0000\u0000\u0000\u0000\u0000', 'latin1');
  const pages = [oggPage([head], { serial, isFirst: true }), oggPage([Buffer.from('OpusTags        ')], { serial })];
  for (let at = 0; at < packets.length; at += 50) pages.push(oggPage(packets.slice(at, at + 50), { serial }));
  return Buffer.concat(pages);
}

/** Blocks of 256 and 2048 samples; two modes, the second with long blocks. */
export const vorbisHeads = (): Buffer[] => {
  const identification = Buffer.alloc(30);
  identification.write('\u0001vorbis', 'latin1');
  identification[11] = 1;
  identification.writeUInt32LE(44_100, 12);
  identification[28] = 0xb8;
  identification[29] = 1;
  const bits = [...Array.from({ length: 31 }, (_, at) => at % 2)];
  const put = (value: number, count: number) => {
    for (let at = 0; at < count; at += 1) bits.push((value >> at) & 1);
  };
  put(1, 6);
  for (const isLong of [0, 1]) {
    put(isLong, 1);
    put(0, 16);
    put(0, 16);
    put(0, 8);
  }
  put(1, 1);
  const setup = Buffer.alloc(7 + Math.ceil(bits.length / 8));
  setup.write('\u0005vorbis', 'latin1');
  for (const [at, bit] of bits.entries()) setup[7 + (at >> 3)] = (setup[7 + (at >> 3)] ?? 0) | (bit << (at & 7));
  return [identification, Buffer.from('\u0003vorbis', 'latin1'), setup];
};

export const vorbisPacket = (isLong: boolean): Buffer => Buffer.alloc(60, isLong ? 2 : 0);

export function oggVorbis(packets: Buffer[]): Buffer {
  const [identification = Buffer.alloc(0), ...others] = vorbisHeads();
  const pages = [oggPage([identification], { isFirst: true }), oggPage(others)];
  for (let at = 0; at < packets.length; at += 50) pages.push(oggPage(packets.slice(at, at + 50)));
  return Buffer.concat(pages);
}

/** An element with a length of two bytes, or of unknown length. */
export function element(id: string, content: Buffer | 'unknown'): Buffer {
  const name = Buffer.from(id, 'hex');
  if (content === 'unknown') return Buffer.concat([name, Buffer.from('01ffffffffffffff', 'hex')]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x10000000 + content.length);
  return Buffer.concat([name, size, content]);
}

export function webmTrack(codec: string, { number = 1, type = 2, config = Buffer.alloc(0) } = {}): Buffer {
  const fields = [
    element('d7', Buffer.from([number])),
    element('83', Buffer.from([type])),
    element('86', Buffer.from(codec)),
    element('63a2', config),
  ];
  return element('ae', Buffer.concat(fields));
}

export function webmBlock(payload: Buffer, { number = 1, lacing = 0 } = {}): Buffer {
  return element('a3', Buffer.concat([Buffer.from([0x80 + number, 0, 0, 0x80 + lacing * 2]), payload]));
}

/** As a browser records it: without lengths. One that is written is a claim of ten hours. */
export function webm(tracks: Buffer[], blocks: Buffer[]): Buffer {
  const info = element('1549a966', element('4489', Buffer.from('4181940000000000', 'hex')));
  return Buffer.concat([
    element('1a45dfa3', Buffer.alloc(20)),
    element('18538067', 'unknown'),
    info,
    element('1654ae6b', Buffer.concat(tracks)),
    element('1f43b675', 'unknown'),
    ...blocks,
  ]);
}

export function box(type: string, ...content: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...content]);
}

export function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

/** The description of AAC LC by default, with 44,100 samples a second. */
export function aacDescription(config = Buffer.from('1210', 'hex'), objectType = 0x40): Buffer {
  const decoder = Buffer.concat([Buffer.from([objectType]), Buffer.alloc(12), Buffer.from([5, config.length]), config]);
  const stream = Buffer.concat([Buffer.alloc(3), Buffer.from([4, 0x80, 0x80, 0x80, decoder.length]), decoder]);
  const esds = box('esds', words(0), Buffer.from([3, stream.length]), stream);
  return box('stsd', words(0, 1), box('mp4a', Buffer.alloc(28), esds));
}

export function alacDescription(frame: number, rate: number): Buffer {
  const cookie = Buffer.concat([words(0, frame), Buffer.alloc(16), words(rate)]);
  return box('stsd', words(0, 1), box('alac', Buffer.alloc(28), box('alac', cookie)));
}

interface Mp4Track {
  description?: Buffer;
  samples: number;
  /** Entries in the table; as many as there are samples when left out. */
  entries?: number;
  handler?: string;
  id?: number;
}

/** A track whose head claims ten hours. */
export function mp4Track({
  description = aacDescription(),
  samples,
  entries = samples,
  handler = 'soun',
  id = 1,
}: Mp4Track) {
  const claim = box('mdhd', words(0, 0, 0, 1000, 36_000_000, 0));
  const kind = box('hdlr', words(0, 0), Buffer.from(handler), Buffer.alloc(12));
  const sizes = box('stsz', words(0, 0, samples), Buffer.alloc(entries * 4));
  const table = box('stbl', description, box('stts', words(0, 1, samples, 1)), sizes);
  return box('trak', box('tkhd', words(0, 0, 0, id), Buffer.alloc(68)), box('mdia', claim, kind, box('minf', table)));
}

export function mp4(tracks: Buffer[], { content = 10_000, isIndexLast = false } = {}): Buffer {
  const mark = box('ftyp', Buffer.from('M4A \u0000\u0000\u0000\u0000isom', 'latin1'));
  const [index, sound] = [box('moov', box('mvhd', Buffer.alloc(100)), ...tracks), box('mdat', Buffer.alloc(content))];
  return Buffer.concat(isIndexLast ? [mark, sound, index] : [mark, index, sound]);
}

export function mp4Fragment(samples: number, id = 1): Buffer {
  const run = box('trun', words(0x200, samples), Buffer.alloc(samples * 4));
  return Buffer.concat([
    box('moof', box('traf', box('tfhd', words(0, id)), run)),
    box('mdat', Buffer.alloc(samples * 100)),
  ]);
}

/** Frames of 4096 samples, 44,100 a second; the head claims ten hours. */
export function flac(frames: number, { bytesPerFrame = 3000, last }: { bytesPerFrame?: number; last?: number } = {}) {
  const facts = Buffer.alloc(34);
  facts.writeUInt16BE(4096);
  facts.writeUInt16BE(4096, 2);
  facts.writeUIntBE(44_100 * 16, 10, 3);
  facts.writeUInt32BE(1_587_600_000, 14);
  const head = Buffer.concat([Buffer.from('fLaC\u0080\u0000\u0000\u0022', 'latin1'), facts]);
  const sound = Array.from({ length: frames }, (_, at) => {
    // The mark stands in the sound, too, where it is none.
    const frame = Buffer.alloc(bytesPerFrame, 'ÿø', 'latin1');
    const isShort = last !== undefined && at === frames - 1;
    const number = at < 128 ? [at] : [0xc0 + (at >> 6), 0x80 + (at & 63)];
    const fields = [0xff, 0xf8, (isShort ? 0x70 : 0xc0) + 9, 0x18, ...number];
    if (isShort) fields.push((last - 1) >> 8, (last - 1) & 255);
    Buffer.from([...fields, checksum(fields)]).copy(frame);
    return frame;
  });
  return Buffer.concat([head, ...sound]);
}

/** CRC-8 bit by bit. */
function checksum(bytes: number[]): number {
  let sum = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const isOdd = ((sum >> 7) ^ (byte >> bit)) & 1;
      sum = ((sum << 1) & 0xff) ^ (isOdd ? 7 : 0);
    }
  }
  return sum;
}
