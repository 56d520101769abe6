import { describeError, type ErrorReader } from '../describe-error.ts';
import type { ErrorDialect } from '../error-dialect.ts';
import { streamErrorEvent } from '../openai-chat/error.ts';

/** Codes that clients of Suno-API know by names of its own. */
const codes: Readonly<Record<string, string>> = {
  insufficient_user_quota: 'quota_not_enough',
  bad_response_status_code: 'fail_to_fetch_task',
};

/** `{ code, message, data }`, as every response of a Suno-API server; none is ever streamed. */
export const sunoErrors: ErrorDialect = { write: writeSunoError, event: streamErrorEvent };

function writeSunoError(error: unknown, { requestId, language }: ErrorReader) {
  const { status, retryAfterSeconds, message, code } = describeError(error, language);
  const named = String(code ?? 'internal_error');
  return {
    status,
    headers: { ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }) },
    body: { code: codes[named] ?? named, message: `${message} (request id: ${requestId})`, data: null },
  };
}
