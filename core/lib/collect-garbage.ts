import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/**
 * A whole collection, now. V8 collects when it needs room: a process that takes no work, because its memory is full of garbage, would
 * keep the garbage.
 */
export function collectGarbage(): void {
  if (!collect) {
    // The function is handed to contexts made after the flag; it takes no text from anywhere.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  }
  collect();
}
