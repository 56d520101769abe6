import { describeError, type ErrorReader } from '../describe-error.ts';

export interface WrittenGeminiError {
  status: number;
  headers: Record<string, string>;
  body: GeminiErrorBody;
}

export interface GeminiErrorBody {
  error: { code: number; message: string; status: string; details: GeminiErrorDetail[] };
}

type GeminiErrorDetail = { '@type': string } & Record<string, string>;

/** Names of google.rpc.Code, by the HTTP status they travel with. */
const statuses: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
};

/** An error as Google's SDKs raise it: they show the whole body, programs read status and details. */
export function writeGeminiError(error: unknown, { requestId, language }: ErrorReader): WrittenGeminiError {
  const { status: code, retryAfterSeconds, message, code: reason } = describeError(error, language);
  const status = statuses[code] ?? (code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
  const details = [
    ...(typeof reason === 'string' && reason !== '' ? [errorInfo(reason)] : []),
    detail('RequestInfo', { requestId }),
    ...(retryAfterSeconds === undefined ? [] : [detail('RetryInfo', { retryDelay: `${retryAfterSeconds}s` })]),
  ];
  return {
    status: code,
    headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
    body: { error: { code, message, status, details } },
  };
}

/** The event that ends a broken stream visibly. */
export function geminiErrorEvent(error: unknown, reader: ErrorReader): string {
  return `data: ${JSON.stringify(writeGeminiError(error, reader).body)}\n\n`;
}

/** Google writes its reasons in capitals: `route.notFound` is ROUTE_NOT_FOUND. */
function errorInfo(code: string): GeminiErrorDetail {
  const reason = code
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toUpperCase();
  return detail('ErrorInfo', { reason });
}

function detail(type: string, fields: Record<string, string>): GeminiErrorDetail {
  return { '@type': `type.googleapis.com/google.rpc.${type}`, ...fields };
}
