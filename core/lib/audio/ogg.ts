import { type ByteReader, take } from './byte-feed.ts';
import { flacRate, readFlacFrame } from './flac-frame-counter.ts';
import { opusRate, opusSamples } from './opus-packet.ts';
import { VorbisBlocks } from './vorbis-block.ts';

/** The setup of a Vorbis stream; of other packets a few bytes are enough. */
const maxHead = 256 * 1024;
const pageHeadBytes = 27;
/** A file may hold several one after the other. */
const maxStreams = 1000;

/** Packets of one stream of an Ogg file, whatever pages they are cut into. */
class OggStream {
  seconds = 0;
  codec: 'opus' | 'vorbis' | 'flac' | 'unread' | undefined;
  #packets = 0;
  #head: Buffer = Buffer.alloc(0);
  #identification: Buffer = Buffer.alloc(0);
  #blocks: VorbisBlocks | undefined;
  #rate = 0;

  /** A piece of a packet; `isLast` when it ends here. */
  add(piece: Buffer, isLast: boolean): void {
    const room = (this.codec === 'vorbis' && !this.#blocks ? maxHead : 64) - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, piece.subarray(0, room)]);
    if (!isLast) return;
    this.#end(this.#head);
    this.#head = Buffer.alloc(0);
    this.#packets += 1;
  }

  #end(head: Buffer): void {
    if (this.#packets === 0) this.#begin(head);
    else if (this.codec === 'opus' && this.#packets > 1) this.seconds += opusSamples(head) / opusRate;
    // Heads of this one are packets like its frames, and begin in another way.
    else if (this.codec === 'flac') this.seconds += readFlacFrame(head, this.#rate)?.seconds ?? 0;
    else if (this.codec === 'vorbis' && this.#packets === 2) {
      this.#blocks = VorbisBlocks.of(this.#identification, head);
      if (!this.#blocks) this.codec = 'unread';
    } else if (this.#blocks) this.seconds += this.#blocks.samples(head) / this.#blocks.sampleRate;
  }

  #begin(head: Buffer): void {
    const name = head.toString('latin1', 0, 8);
    this.#identification = head;
    if (name === 'OpusHead') this.codec = 'opus';
    else if (name.startsWith('\u0001vorbis')) this.codec = 'vorbis';
    else if (name.startsWith('\u007fFLAC')) {
      this.codec = 'flac';
      this.#rate = flacRate(head.subarray(9));
    }
    // Pictures are no sound; any other sound is one that is not read.
    else this.codec = name.startsWith('\u0080theora') ? undefined : 'unread';
  }
}

/** Counts the packets of an Ogg file. The position that each page claims is not looked at. */
export class OggCounter {
  readonly #streams: OggStream[] = [];

  /** Streams one after the other add up. Undefined when there is a sound that is not read. */
  get seconds(): number | undefined {
    const sounds = this.#streams.filter(({ codec }) => codec !== undefined);
    if (sounds.length === 0 || sounds.some(({ codec }) => codec === 'unread')) return undefined;
    return sounds.reduce((sum, { seconds }) => sum + seconds, 0);
  }

  *reader(): ByteReader {
    const bySerial = new Map<number, OggStream>();
    for (;;) {
      const head = yield* take(pageHeadBytes);
      if (head.toString('latin1', 0, 4) !== 'OggS') return;
      const serial = head.readUInt32LE(14);
      const lengths = [...(yield* take(head[26] ?? 0))];
      const body = yield* take(lengths.reduce((sum, length) => sum + length, 0));
      const isFirst = ((head[5] ?? 0) & 2) !== 0;
      let stream = bySerial.get(serial);
      if (!stream || isFirst) {
        if (this.#streams.length >= maxStreams) return;
        stream = new OggStream();
        this.#streams.push(stream);
        bySerial.set(serial, stream);
      }
      addPieces(stream, body, lengths);
    }
  }
}

/** A packet ends with the first length below 255; without one it goes on on the next page. */
function addPieces(stream: OggStream, body: Buffer, lengths: readonly number[]): void {
  let start = 0;
  let end = 0;
  for (const length of lengths) {
    end += length;
    if (length === 255) continue;
    stream.add(body.subarray(start, end), true);
    start = end;
  }
  if (lengths.at(-1) === 255) stream.add(body.subarray(start, end), false);
}
