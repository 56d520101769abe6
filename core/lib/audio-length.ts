import type { Readable } from 'node:stream';
import { Mp3FrameCounter } from './mp3-frame-counter.ts';

export interface AudioLength {
  seconds: number;
  /** How it was found: from the samples, from the frames, or by a guess from the size. */
  measure: 'wav' | 'mp3' | 'size';
}

/** 32 kbit/s, the lowest bit rate of speech in practice: a guess that is rather too long than too short. */
const guessedBytesPerSecond = 4000;
/** No MP3 holds more than 320 kbit/s; half of that leaves room for tags and pictures. */
const mp3BytesPerSecond = 80_000;
const wavHeadBytes = 64 * 1024;

/**
 * Length of an uploaded sound, from its bytes alone: lengths written in headers are claims of the file's author and are
 * not looked at. Zero for an empty file.
 */
export async function measureAudioSeconds(file: { size: number; open(): Buffer | Readable }): Promise<AudioLength> {
  const frames = new Mp3FrameCounter();
  let head = Buffer.alloc(0);
  const content = file.open();
  const chunks: AsyncIterable<Buffer> | Buffer[] = Buffer.isBuffer(content) ? [content] : content;
  for await (const chunk of chunks) {
    if (head.length < wavHeadBytes) head = Buffer.concat([head, chunk.subarray(0, wavHeadBytes - head.length)]);
    if (isWav(head) && head.length === Math.min(wavHeadBytes, file.size)) break;
    frames.push(chunk);
  }
  const wav = isWav(head) ? wavSeconds(head, file.size) : undefined;
  if (wav !== undefined) return { seconds: wav, measure: 'wav' };
  const isMp3 = frames.isMp3 && frames.seconds >= file.size / mp3BytesPerSecond;
  if (isMp3) return { seconds: frames.seconds, measure: 'mp3' };
  return { seconds: file.size / guessedBytesPerSecond, measure: 'size' };
}

function isWav(head: Buffer): boolean {
  return head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE';
}

/** Everything behind the head of the data chunk counts as sound: its own length is often 0 or wrong. */
function wavSeconds(head: Buffer, size: number): number | undefined {
  let bytesPerSecond: number | undefined;
  for (let at = 12; at + 8 <= head.length; ) {
    const name = head.toString('latin1', at, at + 4);
    if (name === 'data') return bytesPerSecond && (size - at - 8) / bytesPerSecond;
    if (name === 'fmt ' && at + 24 <= head.length) bytesPerSecond = wavBytesPerSecond(head.subarray(at + 8));
    const length = head.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return undefined;
}

/** From the sample format; a rate no recorder uses is taken for a trick to look short. */
function wavBytesPerSecond(format: Buffer): number | undefined {
  const channels = format.readUInt16LE(2);
  const samplesPerSecond = format.readUInt32LE(4);
  const bits = format.readUInt16LE(14);
  const isUsual =
    channels >= 1 &&
    channels <= 8 &&
    samplesPerSecond >= 4000 &&
    samplesPerSecond <= 192_000 &&
    bits >= 4 &&
    bits <= 64;
  return isUsual ? (channels * samplesPerSecond * bits) / 8 : undefined;
}
