import { AppError } from '../../errors/app-error.ts';
import type { CancelSignal } from '../../lib/cancellation.ts';

interface Waiting {
  /** Takes what it waits for; false while there is no room. Throws where there never will be. */
  tryToTake(): boolean;
  resolve(): void;
  reject(error: unknown): void;
}

interface LineRules {
  waitMs: number;
  length: number;
  /** The error for one who waited in vain, or finds the line full. */
  refused(): AppError;
}

/** Who waits for room in memory, in the order they came: a large claim is not passed by forever. */
export class MemoryLine {
  readonly #rules: LineRules;
  readonly #waiting: Waiting[] = [];

  constructor(rules: LineRules) {
    this.#rules = rules;
  }

  /** Resolves once `tryToTake` said yes and no other call is in front. */
  wait(tryToTake: () => boolean, signal: CancelSignal): Promise<void> {
    const { waitMs, length, refused } = this.#rules;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new AppError('relay.clientGone'));
      if (this.#waiting.length === 0 && tryToTake()) return resolve();
      if (this.#waiting.length >= length) return reject(refused());
      const entry: Waiting = {
        tryToTake,
        resolve() {
          end();
          resolve();
        },
        reject(error) {
          end();
          reject(error);
        },
      };
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const leave = (error: AppError) => {
        end();
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(error);
        // Those behind may need less.
        this.letIn();
      };
      const onAbort = () => leave(new AppError('relay.clientGone'));
      const timer = setTimeout(() => leave(refused()), waitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(entry);
    });
  }

  /** To be called when room has become free. What is wrong with one that waits is told to that one, and not to the caller. */
  letIn(): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      try {
        if (!first.tryToTake()) return;
        this.#waiting.shift();
        first.resolve();
      } catch (error) {
        this.#waiting.shift();
        first.reject(error);
      }
    }
  }
}
