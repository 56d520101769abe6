import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { measureAudioSeconds } from '../../../core/lib/audio-length.ts';

function wav({ seconds = 2, rate = 16_000, channels = 1, bits = 16, claimedBytes = 0xffffffff } = {}): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(0xffffffff, 28); // bytes per second, a claim
  head.writeUInt16LE(bits, 34);
  head.write('data', 36);
  head.writeUInt32LE(claimedBytes, 40);
  return Buffer.concat([head, Buffer.alloc(Math.min(1e6, seconds * rate * channels * (bits / 8)))]);
}

/** MPEG 1 layer 3 at 44.1 kHz: 1152 samples in each frame, 417 bytes at 128 kbit/s and 1044 at 320. */
function mp3(frames: number, head: number[], frameBytes: number): Buffer {
  const frame = Buffer.alloc(frameBytes);
  Buffer.from(head).copy(frame);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

const secondsOf = async (bytes: Buffer, pieceBytes?: number) => {
  const pieces: Buffer[] = [];
  for (let at = 0; pieceBytes && at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes));
  const open = () => (pieceBytes ? Readable.from(pieces) : bytes);
  return measureAudioSeconds({ size: bytes.length, open });
};

describe('measureAudioSeconds', () => {
  it('measures a WAV by its samples, not by the lengths it claims', async () => {
    for (const claimedBytes of [0, 1, 0xffffffff]) {
      expect(await secondsOf(wav({ claimedBytes }))).toEqual({ seconds: 2, measure: 'wav' });
    }
    expect(await secondsOf(wav({ channels: 2, rate: 44_100, seconds: 1 }), 1000)).toEqual({
      seconds: 1,
      measure: 'wav',
    });
  });

  it('guesses from the size when a WAV claims a rate that would make it look short', async () => {
    const trick = wav({ rate: 4_000_000, seconds: 1 });
    expect(await secondsOf(trick)).toEqual({ seconds: trick.length / 4000, measure: 'size' });
  });

  it('adds up the frames of an MP3, also when bitrates change and a tag is before them', async () => {
    const tag = Buffer.concat([
      Buffer.from('ID3\u0004\u0000\u0000\u0000\u0000\u0007\u0068', 'latin1'),
      Buffer.alloc(1000, 0xff),
    ]);
    const sound = Buffer.concat([mp3(100, [0xff, 0xfb, 0x90, 0x00], 417), mp3(50, [0xff, 0xfb, 0xe0, 0x00], 1044)]);
    const seconds = (150 * 1152) / 44_100;
    for (const bytes of [sound, Buffer.concat([tag, sound])]) {
      const whole = await secondsOf(bytes);
      expect(whole.measure).toBe('mp3');
      expect(whole.seconds).toBeCloseTo(seconds, 1);
      expect(await secondsOf(bytes, 7)).toEqual(whole);
    }
  });

  it('guesses from the size when there is nothing to measure by', async () => {
    expect(await secondsOf(Buffer.alloc(40_000, 'OggS'))).toEqual({ seconds: 10, measure: 'size' });
    const mostlyPadding = Buffer.concat([mp3(1, [0xff, 0xfb, 0x90, 0x00], 417), Buffer.alloc(400_000)]);
    expect((await secondsOf(mostlyPadding)).measure).toBe('size');
    expect(await secondsOf(Buffer.alloc(0))).toEqual({ seconds: 0, measure: 'size' });
    expect((await secondsOf(Buffer.from('RIFF....WAVE'))).measure).toBe('size');
  });
});
