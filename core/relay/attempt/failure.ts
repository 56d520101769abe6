import { AppError } from '../../errors/app-error.ts';
import { UpstreamError } from '../../errors/upstream-error.ts';
import { UpstreamFailure, type UpstreamFailureKind } from '../../integrations/outbound/upstream-client.ts';
import { coded } from '../../text/coded.ts';

/** Whether a failure says something of its channel: not the caller's own error, nor what this gateway could not make of the call. */
export function isOfChannel(error: UpstreamError): boolean {
  return error.retryable && !error.isBlameless && !(error.cause instanceof AppError);
}

const silentKinds = new Set<UpstreamFailureKind>(['headersTimeout', 'idleTimeout', 'totalTimeout']);

/** Whatever went wrong on one channel, in the one shape that retry, breaker and the response are judged by. */
export function toUpstreamError(failure: unknown): UpstreamError {
  if (failure instanceof UpstreamError) return failure;
  if (failure instanceof UpstreamFailure) {
    const silent = silentKinds.has(failure.kind);
    const error = new UpstreamError({
      status: silent ? 504 : 502,
      code: `upstream_${failure.kind}`,
      coded: failure.coded,
      kind: failure.kind === 'tooLarge' ? 'client' : 'retry',
      silent,
      cause: failure,
    });
    error.isBrief = failure.isBrief;
    return error;
  }
  if (failure instanceof AppError) {
    // The channel cannot serve this call as it is set up; another one may.
    const error = new UpstreamError({
      status: failure.status,
      code: failure.wireCode,
      message: failure.message,
      coded: failure.coded,
      kind: 'retry',
      cause: failure,
    });
    if (failure.code === 'upstream.noResponses') error.adminMessage = failure.coded;
    return error;
  }
  // It was not thrown on purpose: the log gets all of it, the client only a generic message.
  return new UpstreamError({
    status: 500,
    code: 'internal_error',
    coded: coded('upstream.unprocessed'),
    kind: 'bug',
    cause: failure,
  });
}
