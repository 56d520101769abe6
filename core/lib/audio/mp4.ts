import { aacFrameSeconds } from './aac-config.ts';
import { type ByteReader, skip, take } from './byte-feed.ts';

/** Boxes that are looked into (ISO/IEC 14496-12); others are passed over. */
const parents = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']);
const maxTracks = 100;
/** A recording of ten hours in fragments of a second has fewer. */
const maxBoxes = 300_000;

interface Track {
  id: number;
  isSound: boolean;
  samples: number;
  /** Of each sample; undefined for a sound that is not read. */
  sampleSeconds: number | undefined;
}

/** Counts the samples of an MP4 file, whole or in fragments. The lengths in its heads are claims and are not looked at. */
export class Mp4Counter {
  readonly #tracks: Track[] = [];
  readonly #fileBytes: number;
  #track: Track | undefined;

  constructor(fileBytes: number) {
    this.#fileBytes = fileBytes;
  }

  /** That of the longest sound: only one is heard. Undefined when there is one that is not read. */
  get seconds(): number | undefined {
    const sounds = this.#tracks.filter(({ isSound }) => isSound);
    let seconds: number | undefined;
    for (const { samples, sampleSeconds } of sounds) {
      if (sampleSeconds === undefined) return undefined;
      seconds = Math.max(seconds ?? 0, samples * sampleSeconds);
    }
    return seconds;
  }

  *reader(): ByteReader {
    for (let boxes = 0; boxes < maxBoxes; boxes += 1) {
      const head = yield* take(8);
      const type = head.toString('latin1', 4, 8);
      let size = head.readUInt32BE(0) - 8;
      if (size === -7) size = Number((yield* take(8)).readBigUInt64BE(0)) - 16;
      // 0 = to the end of the file.
      else if (size === -8) size = this.#fileBytes;
      if (size < 0) return;
      if (type === 'trak') this.#addTrack();
      if (parents.has(type)) continue;
      if (isRead(type)) yield* this.#readBox(type, size);
      else yield* skip(size);
    }
  }

  #addTrack(): void {
    this.#track = { id: 0, isSound: false, samples: 0, sampleSeconds: undefined };
    if (this.#tracks.length < maxTracks) this.#tracks.push(this.#track);
  }

  *#readBox(type: BoxType, size: number): ByteReader {
    const bytes = yield* take(Math.min(size, maxBytes[type]));
    yield* skip(size - bytes.length);
    if (type === 'tfhd') this.#track = this.#tracks.find(({ id }) => id === wordAt(bytes, 4));
    const track = this.#track;
    if (!track) return;
    if (type === 'tkhd') track.id = wordAt(bytes, bytes[0] === 1 ? 20 : 12);
    // QuickTime has a second one, for where the bytes lie.
    else if (type === 'hdlr') track.isSound ||= bytes.toString('latin1', 8, 12) === 'soun';
    else if (type === 'stsd') track.sampleSeconds = readSampleSeconds(bytes);
    // More samples than there are entries or bytes for are a claim.
    else if (type === 'stsz') {
      const each = wordAt(bytes, 4);
      track.samples += Math.min(wordAt(bytes, 8), each === 0 ? (size - 12) / 4 : this.#fileBytes / each);
    } else if (type === 'trun') track.samples += Math.min(wordAt(bytes, 4), this.#fileBytes);
  }
}

/** As much of each as is needed. */
const maxBytes = { tkhd: 24, hdlr: 12, stsd: 65_536, stsz: 12, tfhd: 8, trun: 8 };
type BoxType = keyof typeof maxBytes;

const isRead = (type: string): type is BoxType => Object.hasOwn(maxBytes, type);

function wordAt(bytes: Buffer, at: number): number {
  return at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
}

/** From the description of the samples, of which the first counts. */
function readSampleSeconds(description: Buffer): number | undefined {
  const kind = description.toString('latin1', 12, 16);
  if (kind === 'mp4a') return readAac(description);
  if (kind !== 'alac') return undefined;
  // The box of the same name behind the fields of the sound: samples in a frame, and their rate at its end.
  const at = description.indexOf('alac', 44, 'latin1');
  const [frame, rate] = at < 0 ? [0, 0] : [wordAt(description, at + 8), wordAt(description, at + 28)];
  return frame > 0 && frame <= 65_536 && rate >= 1000 && rate <= 384_000 ? frame / rate : undefined;
}

const descriptor = { stream: 3, decoder: 4, config: 5 } as const;
/** AAC of MPEG-4 and the three of MPEG-2; MP3, which has no configuration, has numbers of its own. */
const aacTypes = new Set([0x40, 0x66, 0x67, 0x68]);

function readAac(description: Buffer): number | undefined {
  const box = description.indexOf('esds', 16, 'latin1');
  let at = box + 8;
  for (let depth = 0; box > 0 && depth < 8 && at < description.length; depth += 1) {
    const tag = description[at] ?? 0;
    // Lengths in seven bits of each byte, four at most.
    let length = 0;
    let byte = 0x80;
    for (at += 1; (byte & 0x80) !== 0 && at < description.length; at += 1) {
      byte = description[at] ?? 0;
      length = length * 128 + (byte & 0x7f);
    }
    if (tag === descriptor.stream) at += 3;
    else if (tag === descriptor.decoder) {
      if (!aacTypes.has(description[at] ?? 0)) return undefined;
      at += 13;
    } else if (tag === descriptor.config) return aacFrameSeconds(description.subarray(at, at + length));
    else at += length;
  }
  return undefined;
}
