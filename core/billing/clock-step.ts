/** A correction of a running clock is less. */
const stepSeconds = 10;
/** Every process that lives has shown itself by the new time by then. */
const waitMs = 60_000;

/**
 * Whether the clock of the database was stepped in the last minute, from its time at each look. A sign of life is as old as the step
 * until the next one comes, and says nothing of its process.
 */
export function createStepWatch(steadyMs: () => number = () => performance.now()): (seconds: number) => boolean {
  let offset: number | undefined;
  let until = Number.NEGATIVE_INFINITY;
  return (seconds) => {
    const now = steadyMs();
    const seen = seconds - now / 1000;
    if (offset !== undefined && Math.abs(seen - offset) > stepSeconds) until = now + waitMs;
    offset = seen;
    return now < until;
  };
}
