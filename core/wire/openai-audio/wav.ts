/** How raw samples are to be read; little endian, as in a WAV file. */
export interface PcmFormat {
  /** Samples a second. */
  rate: number;
  channels: number;
  /** Of one sample. */
  bits: number;
}

const headerBytes = 44;

/** Raw samples as a file that players know. */
export function wavFile(pcm: Buffer, { rate, channels, bits }: PcmFormat): Buffer {
  const header = Buffer.alloc(headerBytes);
  const frameBytes = (channels * bits) / 8;
  header.write('RIFF', 0, 'latin1');
  // All that follows this number.
  header.writeUInt32LE(headerBytes - 8 + pcm.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(bits, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([header, pcm]);
}
