import type { Readable } from 'node:stream';
import { ByteFeed } from './audio/byte-feed.ts';
import { FlacFrameCounter } from './audio/flac-frame-counter.ts';
import { Mp4Counter } from './audio/mp4.ts';
import { OggCounter } from './audio/ogg.ts';
import { wavSeconds } from './audio/wav.ts';
import { WebmCounter } from './audio/webm.ts';
import { Mp3FrameCounter } from './mp3-frame-counter.ts';

export interface AudioLength {
  seconds: number;
  /** How it was found: from the samples, frames or packets of a format, or by a guess from the size. */
  measure: 'wav' | 'mp3' | 'flac' | 'ogg' | 'webm' | 'mp4' | 'size';
}

/** What adds up the length of one format from the chunks of a file. */
interface Counter {
  measure: AudioLength['measure'];
  push(chunk: Buffer): void;
  /** After the last chunk; undefined when the format holds what is not read here. */
  end(): number | undefined;
}

/** 32 kbit/s, the lowest bit rate of speech in practice: a guess that is rather too long than too short. */
const guessedBytesPerSecond = 4000;
/** No MP3 holds more than 320 kbit/s; half of that leaves room for tags and pictures. */
const mp3BytesPerSecond = 80_000;
/** Two channels of 32 bits, 192,000 times a second, not packed at all. */
const flacBytesPerSecond = 1_536_000;
const wavHeadBytes = 64 * 1024;
const markBytes = 12;

/**
 * Length of an uploaded sound, from its bytes alone: lengths written in headers are claims of the file's author and are
 * not looked at. Zero for an empty file.
 */
export async function measureAudioSeconds(file: { size: number; open(): Buffer | Readable }): Promise<AudioLength> {
  let counter: Counter | undefined;
  let head = Buffer.alloc(0);
  const content = file.open();
  const chunks: AsyncIterable<Buffer> | Buffer[] = Buffer.isBuffer(content) ? [content] : content;
  for await (const chunk of chunks) {
    if (counter) counter.push(chunk);
    else {
      head = Buffer.concat([head, chunk]);
      if (head.length < Math.min(markBytes, file.size)) continue;
      counter = counterFor(head, file.size);
      counter.push(head);
    }
  }
  const seconds = counter?.end();
  if (counter && seconds !== undefined && seconds > 0) return { seconds, measure: counter.measure };
  return { seconds: file.size / guessedBytesPerSecond, measure: 'size' };
}

function counterFor(head: Buffer, size: number): Counter {
  const mark = head.toString('latin1', 0, markBytes);
  if (mark.startsWith('RIFF') && mark.startsWith('WAVE', 8)) return wavCounter(size);
  if (mark.startsWith('fLaC')) return flacCounter(size);
  if (mark.startsWith('OggS')) return readCounter('ogg', new OggCounter(), size);
  if (mark.startsWith('\u001a\u0045\u00df\u00a3')) return readCounter('webm', new WebmCounter(), size);
  if (mark.startsWith('ftyp', 4)) return readCounter('mp4', new Mp4Counter(size), size);
  return mp3Counter(size);
}

function readCounter(
  measure: 'ogg' | 'webm' | 'mp4',
  counter: { readonly seconds: number | undefined; reader(): ConstructorParameters<typeof ByteFeed>[0] },
  size: number,
): Counter {
  const feed = new ByteFeed(counter.reader());
  return {
    measure,
    push: (chunk) => feed.push(chunk),
    // Where much of a file is not understood, others may hear sound in it.
    end() {
      feed.end();
      return size - feed.read > size / 100 + 1024 ? undefined : counter.seconds;
    },
  };
}

function flacCounter(size: number): Counter {
  const frames = new FlacFrameCounter();
  return {
    measure: 'flac',
    push: (chunk) => frames.push(chunk),
    end() {
      frames.end();
      return frames.seconds >= size / flacBytesPerSecond ? frames.seconds : undefined;
    },
  };
}

function mp3Counter(size: number): Counter {
  const frames = new Mp3FrameCounter();
  return {
    measure: 'mp3',
    push: (chunk) => frames.push(chunk),
    end: () => (frames.isMp3 && frames.seconds >= size / mp3BytesPerSecond ? frames.seconds : undefined),
  };
}

function wavCounter(size: number): Counter {
  let head = Buffer.alloc(0);
  return {
    measure: 'wav',
    push(chunk) {
      if (head.length < wavHeadBytes) head = Buffer.concat([head, chunk.subarray(0, wavHeadBytes - head.length)]);
    },
    end: () => wavSeconds(head, size),
  };
}
