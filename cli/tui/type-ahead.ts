import type { Host } from '../host.ts';

interface Leave {
  /** Ctrl-C. */
  interrupt(): void;
  /** `q` before anything else, as the first picture offers it. */
  quit(): void;
}

const ctrlC = 3;
const q = 'q'.charCodeAt(0);

/**
 * Keeps what is typed before the screens hear it, so that a screen asked for at once opens as soon as it can. In raw mode no signal
 * comes from Ctrl-C: it is read here. `handOn` leaves the rest to the next reader of the stream, `drop` to none.
 */
export function keepTypeAhead(input: Host['stdin'], { interrupt, quit }: Leave): { handOn(): void; drop(): void } {
  const stdin = input as NodeJS.ReadStream;
  const kept: Buffer[] = [];

  function read(): void {
    for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) {
      const bytes = Buffer.from(chunk);
      const isFirst = kept.length === 0;
      kept.push(bytes);
      if (bytes.includes(ctrlC)) interrupt();
      else if (isFirst && bytes[0] === q) quit();
    }
  }

  stdin.ref();
  stdin.on('readable', read);
  return {
    handOn() {
      stdin.off('readable', read);
      if (kept.length > 0) stdin.unshift(Buffer.concat(kept));
    },
    drop() {
      stdin.off('readable', read);
      stdin.pause();
      stdin.unref();
    },
  };
}
