import { AppError } from '../../errors/app-error.ts';
import { describeError, type ErrorReader } from '../describe-error.ts';
import type { ErrorDialect } from '../error-dialect.ts';
import { streamErrorEvent } from '../openai-chat/error.ts';

/** Codes of midjourney-proxy: a request that is wrong, whatever else, too much at a time. */
const codes = { request: 4, unknown: 5, saturated: 30 } as const;
const names: Readonly<Record<string, string>> = {
  insufficient_user_quota: 'quota_not_enough',
  task_not_exist: 'task_not_found',
};

/** `{ description, type, code }`, as clients of midjourney-proxy read it; none is ever streamed. */
export const midjourneyErrors: ErrorDialect = { write: writeMidjourneyError, event: streamErrorEvent };

function writeMidjourneyError(error: unknown, { requestId, language }: ErrorReader) {
  const { status, retryAfterSeconds, message, code } = describeError(error, language);
  const named = String(code ?? 'internal_error');
  return {
    status,
    headers: { ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }) },
    body: {
      description: `${names[named] ?? named}: ${message} (request id: ${requestId})`,
      type: error instanceof AppError ? 'new_api_error' : 'upstream_error',
      code: status === 429 ? codes.saturated : status < 500 ? codes.request : codes.unknown,
    },
  };
}
