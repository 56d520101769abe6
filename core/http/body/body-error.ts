import type { IncomingMessage } from 'node:http';
import { AppError, type AppErrorOptions, type ErrorDetails } from '../../errors/app-error.ts';
import type { ErrorCode } from '../../errors/catalog.ts';

export class BodyError extends AppError {
  /** The rest of the body is still on its way: respond with `Connection: close`, else it is read as the next request. */
  closeConnection = false;
}

/**
 * To be called with whatever ended the reading. What still arrives is read and dropped, so that a client which writes its
 * whole body first gets as far as reading our response.
 */
export function abandonBody(request: IncomingMessage, error: unknown): unknown {
  if (error instanceof BodyError) error.closeConnection = !request.complete;
  request.resume();
  return error;
}

export function refuseBody(code: ErrorCode, details: ErrorDetails = {}, options: AppErrorOptions = {}): never {
  throw new BodyError(code, details, options);
}
