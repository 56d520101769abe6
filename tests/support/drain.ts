import type { Writable } from 'node:stream';

/** Settles when the stream takes bytes again, or never will. */
export function drain(stream: Writable): Promise<void> {
  return new Promise((done) => {
    const settle = () => {
      stream.off('drain', settle).off('close', settle);
      done();
    };
    stream.on('drain', settle).on('close', settle);
    if (stream.destroyed) settle();
  });
}
