import { Readable } from 'node:stream';
import { SpoolFile } from './spool.ts';

/** Bytes for the upstream. `open` may be called again for another attempt, until the body is disposed of. */
export interface ByteSource {
  readonly length: number;
  open(): Buffer | Readable;
}

export type BodyStore = Buffer | SpoolFile;
export type BodySegment = Buffer | { file: SpoolFile; start: number; end: number };

export function sliceStore(store: BodyStore, start: number, end: number): BodySegment {
  return store instanceof SpoolFile ? { file: store, start, end } : store.subarray(start, end);
}

export function joinSegments(segments: BodySegment[]): ByteSource {
  const length = segments.reduce((sum, segment) => sum + segmentLength(segment), 0);
  const buffers = segments.filter((segment) => Buffer.isBuffer(segment));
  if (buffers.length < segments.length) {
    return { length, open: () => Readable.from(readSegments(segments), { objectMode: false }) };
  }
  let joined = buffers.length === 1 ? buffers[0] : undefined;
  return {
    length,
    open: () => {
      joined ??= Buffer.concat(buffers, length);
      return joined;
    },
  };
}

async function* readSegments(segments: BodySegment[]): AsyncGenerator<Buffer> {
  for (const segment of segments) {
    if (Buffer.isBuffer(segment)) yield segment;
    else yield* segment.file.read(segment.start, segment.end);
  }
}

function segmentLength(segment: BodySegment): number {
  return Buffer.isBuffer(segment) ? segment.length : segment.end - segment.start;
}
