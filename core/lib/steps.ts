import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Work on a call that may be long: it yields wherever other calls may have their turn. One function serves both ends:
 * `finishInTurns` for what a client sent, `finish` for what is known to be short.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Work between two turns of the event loop. */
const turnMs = 10;
/** Of the items of a list, which are short, so many make a step. */
const itemsPerStep = 32;

/** The result, in one piece. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The result, with a turn of the event loop for others whenever the work has taken some milliseconds. Short work is done at once. */
export async function finishInTurns<T>(steps: Steps<T>): Promise<T> {
  let until = performance.now() + turnMs;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + turnMs;
  }
}

/** Whether a loop over a list yields before the item at this place. */
export function isStep(index: number): boolean {
  return index % itemsPerStep === itemsPerStep - 1;
}

/** `list.map` in steps. */
export function* mapInSteps<T, R>(list: readonly T[], map: (item: T, index: number) => R): Steps<R[]> {
  const mapped: R[] = [];
  for (let index = 0; index < list.length; index += 1) {
    if (isStep(index)) yield;
    mapped.push(map(list[index] as T, index));
  }
  return mapped;
}

/** `list.flatMap` in steps. */
export function* flatMapInSteps<T, R>(list: readonly T[], map: (item: T, index: number) => readonly R[]): Steps<R[]> {
  const mapped: R[] = [];
  for (let index = 0; index < list.length; index += 1) {
    if (isStep(index)) yield;
    for (const item of map(list[index] as T, index)) mapped.push(item);
  }
  return mapped;
}
