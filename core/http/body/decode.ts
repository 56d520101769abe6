import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { refuseBody } from './body-error.ts';

/** Decoded bytes per compressed byte; text reaches 20, a bomb 1,000. */
export const maxRatio = 100;
/** Small bodies may exceed the ratio: they cannot hurt. */
export const ratioFreeBytes = 64 * 1024;

const chunkSize = 64 * 1024;

/** A stream that undoes the one encoding the client named; undefined without one. */
export function createDecoder(contentEncoding: string | undefined): Transform | undefined {
  switch (contentEncoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    // Its older name (RFC 9110, 8.4.1.3).
    case 'x-gzip':
      return createGunzip({ chunkSize });
    case 'deflate':
      return createInflate({ chunkSize });
    case 'br':
      return createBrotliDecompress({ chunkSize });
    default:
      return refuseBody('body.encoding', { encoding: (contentEncoding ?? '').slice(0, 64) });
  }
}
