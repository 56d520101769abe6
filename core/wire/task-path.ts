import type { ErrorDialect } from './error-dialect.ts';
import { midjourneyErrors } from './midjourney/error.ts';
import { sunoErrors } from './suno/error.ts';

const sunoPath = /^\/suno(\/|$)/;
/** A mode may stand before it; the console's own list is `/api/mj/`. */
const midjourneyPath = /^\/((?!api\/)[^/]+\/)?mj(\/|$)/;

/** How errors are written below the paths of a kind of job with clients of its own; undefined everywhere else. */
export function taskErrorsOf(path: string): ErrorDialect | undefined {
  if (sunoPath.test(path)) return sunoErrors;
  return midjourneyPath.test(path) ? midjourneyErrors : undefined;
}
