import { AppError } from '../../errors/app-error.ts';
import type { CancelSignal } from '../../lib/cancellation.ts';
import { MemoryLine } from './memory-line.ts';

/**
 * Memory for what calls make of large bodies, of pictures they name and of long responses, all calls of the process together. Room is
 * taken before the memory is, so that many calls at one time cannot fill the heap between two looks at it.
 */
export interface MemoryBudget {
  readonly limitBytes: number;
  readonly usedBytes: number;
  /** Whether room was refused since the last time this was asked. */
  takeRefused(): boolean;
  open(): MemoryShare;
}

/** What one call has of it. */
export interface MemoryShare {
  /** Throws `relay.overloaded` when there is no room at the moment, `body.tooLarge` when there never can be. */
  take(bytes: number): void;
  /** As `take`, but where there is no room at the moment it waits in line for a while. */
  claim(bytes: number, signal: CancelSignal): Promise<void>;
  /** Of what was taken, for what turned out not to be needed. */
  giveBack(bytes: number): void;
  /** Gives everything back; what is taken after that fails. May be called again. */
  release(): void;
}

/** For bodies that are few, or whose memory another one has taken. */
export const unboundedRoom: Pick<MemoryShare, 'take' | 'claim' | 'giveBack'> = {
  take: () => undefined,
  claim: async () => undefined,
  giveBack: () => undefined,
};

/** Strings are held as they are or, with characters beyond Latin, in twice the room; an object or a string has a head of its own. */
const bytesPerByte = 2;
const bytesPerValue = 100;

/** What the parsed form of so many bytes and values takes. */
export function parsedBytes(bytes: number, values: number): number {
  return bytes * bytesPerByte + values * bytesPerValue;
}

const lineWaitMs = 10_000;
const lineLength = 64;

export function createMemoryBudget(limitBytes: number, waitMs = lineWaitMs): MemoryBudget {
  let usedBytes = 0;
  let wasRefused = false;
  const refused = () => {
    wasRefused = true;
    return overloadedError();
  };
  const line = new MemoryLine({ waitMs, length: lineLength, refused });

  function open(): MemoryShare {
    let taken = 0;
    let isReleased = false;

    function requirePossible(bytes: number): void {
      if (isReleased) throw new Error('memory is asked for after the call has ended');
      if (taken + bytes > limitBytes) {
        throw new AppError('body.tooLarge', { limit: mebibytes(limitBytes / bytesPerByte) });
      }
    }

    function tryToTake(bytes: number): boolean {
      requirePossible(bytes);
      if (usedBytes + bytes > limitBytes) return false;
      taken += bytes;
      usedBytes += bytes;
      return true;
    }

    function giveBack(bytes: number): void {
      taken -= bytes;
      usedBytes -= bytes;
      line.letIn();
    }

    return {
      take(bytes) {
        if (!tryToTake(bytes)) throw refused();
      },
      async claim(bytes, signal) {
        requirePossible(bytes);
        await line.wait(() => tryToTake(bytes), signal);
      },
      giveBack,
      release() {
        isReleased = true;
        giveBack(taken);
      },
    };
  }

  return {
    limitBytes,
    open,
    get usedBytes() {
      return usedBytes;
    },
    takeRefused() {
      const was = wasRefused;
      wasRefused = false;
      return was;
    },
  };
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / (1024 * 1024))} MiB`;
}

export type CallRoom = Pick<MemoryShare, 'take' | 'claim' | 'giveBack'>;

const maxRetrySeconds = 5;

/** Spread, so that those turned away do not all come back at once. */
export function overloadedError(): AppError {
  const seconds = 1 + Math.floor(Math.random() * maxRetrySeconds);
  return new AppError('relay.overloaded', { seconds }, { retryAfterSeconds: seconds });
}
