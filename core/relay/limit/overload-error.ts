import { AppError } from '../../errors/app-error.ts';

const maxRetrySeconds = 5;

/** Spread, so that those turned away do not all come back at once. */
export function overloadedError(): AppError {
  const seconds = 1 + Math.floor(Math.random() * maxRetrySeconds);
  return new AppError('relay.overloaded', { seconds }, { retryAfterSeconds: seconds });
}
