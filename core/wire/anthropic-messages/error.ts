import { AppError } from '../../errors/app-error.ts';
import { describeError, type ErrorReader } from '../describe-error.ts';

export interface WrittenAnthropicError {
  status: number;
  headers: Record<string, string>;
  body: AnthropicErrorBody;
}

export interface AnthropicErrorBody {
  type: 'error';
  error: { type: string; message: string; details?: { error_code: string } };
  request_id: string;
}

const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** An error as Anthropic's SDKs raise it: they choose their class by the status, people read the type. */
export function writeAnthropicError(error: unknown, { requestId, language }: ErrorReader): WrittenAnthropicError {
  const { status, retryAfterSeconds, message } = describeError(error, language);
  const type = types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return {
    status,
    headers: {
      'request-id': requestId,
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
    body: { type: 'error', error: { type, message, ...detailsOf(error) }, request_id: requestId },
  };
}

/** The tool runner of Anthropic's SDK keeps its conversation at the server, and sends all of it when it reads this code. */
function detailsOf(error: unknown): { details?: { error_code: string } } {
  const isThread = error instanceof AppError && error.code === 'request.notOffered' && error.param === 'thread';
  return isThread ? { details: { error_code: 'thread_unsupported_request' } } : {};
}

/** The event that ends a broken stream visibly; no `message_stop` follows. */
export function anthropicErrorEvent(error: unknown, reader: ErrorReader): string {
  return `event: error\ndata: ${JSON.stringify(writeAnthropicError(error, reader).body)}\n\n`;
}

/** As Anthropic's own errors name it, for the errors of an upstream. */
const statuses: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

export function isErrorType(name: string): boolean {
  return Object.hasOwn(statuses, name);
}

/** The status an error inside a stream stands for. */
export function statusOfType(type: string): number {
  return (isErrorType(type) ? statuses[type] : undefined) ?? 500;
}
