import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { coded } from '../../text/coded.ts';
import { UpstreamFailure } from './upstream-failure.ts';

export interface DecoderSink {
  data(chunk: Buffer): void;
  end(): void;
  error(error: UpstreamFailure): void;
  /** Room for more input after `write` returned false. */
  drain(): void;
}

export interface ContentDecoder {
  write(chunk: Buffer): boolean;
  end(): void;
  pause(): void;
  resume(): void;
  destroy(): void;
}

/**
 * The decoder for a Content-Encoding, or undefined when there is nothing to undo. We ask for identity, so one layer is
 * already more than was asked for; layers upon layers are a way to make a small response huge and are an error.
 */
export function createContentDecoder(encoding: string | string[], sink: DecoderSink): ContentDecoder | undefined {
  const layers = String(encoding)
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity');
  const [layer] = layers;
  if (layer === undefined) return undefined;
  if (layers.length > 1) throw badEncoding(coded('upstream.encodings'));
  if (layer === 'deflate') return createDeflateDecoder(sink);
  if (layer === 'gzip' || layer === 'x-gzip') return wrap(createGunzip(), sink);
  if (layer === 'br') return wrap(createBrotliDecompress(), sink);
  throw badEncoding(coded('upstream.encoding'));
}

/** `deflate` means zlib (RFC 9110 section 8.4.1.2), yet some servers send it raw; the first byte tells. */
function createDeflateDecoder(sink: DecoderSink): ContentDecoder {
  let inner: ContentDecoder | undefined;
  return {
    write: (chunk) => {
      inner ??= wrap(((chunk[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw(), sink);
      return inner.write(chunk);
    },
    end: () => (inner ? inner.end() : sink.end()),
    pause: () => inner?.pause(),
    resume: () => inner?.resume(),
    destroy: () => inner?.destroy(),
  };
}

function wrap(stream: ReturnType<typeof createGunzip>, sink: DecoderSink): ContentDecoder {
  stream
    .on('data', (chunk: Buffer) => sink.data(chunk))
    .on('end', () => sink.end())
    .on('drain', () => sink.drain())
    .on('error', (cause: Error) => sink.error(badEncoding(coded('upstream.undecodable'), cause)));
  return {
    write: (chunk) => stream.write(chunk),
    end: () => void stream.end(),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    destroy: () => void stream.destroy(),
  };
}

function badEncoding(text: string, cause?: unknown): UpstreamFailure {
  return new UpstreamFailure('badResponse', { text, cause });
}
