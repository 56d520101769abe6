import { classifyUpstream, type ErrorContext, type ErrorRule } from '../../errors/classify-upstream.ts';
import type { HeaderMap } from '../../errors/retry-after.ts';
import type { UpstreamError } from '../../errors/upstream-error.ts';
import { isJsonObject, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { errorStatusIn } from '../../wire/hidden-error.ts';
import { readGoogleError } from './google-error.ts';

/** Gemini sheet, section 6. */
export const geminiErrors: readonly ErrorRule[] = [
  { codes: ['API_KEY_INVALID'], kind: 'dead' },
  // A file or cache of another account, named by the client: says nothing about the key.
  { status: [403], words: ['permission to access the file', 'cachedcontent', 'cached content'], kind: 'client' },
  { status: [401, 403], kind: 'dead' },
  {
    status: [400],
    words: ['exceeds the maximum number of tokens', 'input token count exceeds'],
    kind: 'contextLength',
  },
  // No billing account, or a country the free tier is closed to: another channel may have neither trouble.
  { status: [400], codes: ['FAILED_PRECONDITION'], kind: 'retry' },
  // Google calls every rate limit a quota that was exceeded.
  { status: [429], kind: 'retry' },
];

/** The names of google.rpc.Code that an error may bear instead of a number. */
const statuses: Record<string, number> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/** The status of an error that came with HTTP 200. A blocked prompt is a response, and paid for. */
export function hiddenGoogleStatus(body: unknown): number | undefined {
  const error = errorOf(body);
  if (!error) return errorStatusIn(body);
  const named = textOf(error.status);
  const code = Number(error.code);
  if (Number.isInteger(code) && code >= 400 && code <= 599) return code;
  return (Object.hasOwn(statuses, named) ? statuses[named] : undefined) ?? errorStatusIn(body);
}

export function readGeminiError(
  status: number,
  body: unknown,
  headers: HeaderMap,
  context?: ErrorContext,
): UpstreamError {
  const facts = readGoogleError(body, headers) ?? { body, headers };
  // The longest wait we keep to; the reset is at midnight in California.
  const wait = isUsedUpToday(body) ? { 'retry-after': '3600' } : {};
  return classifyUpstream({ status, body: facts.body, headers: { ...facts.headers, ...wait } }, geminiErrors, context);
}

/** A quota of the day is not back before the day is over, whatever delay is told beside it. */
function isUsedUpToday(body: unknown): boolean {
  const violations = recordsOf(errorOf(body)?.details).flatMap((detail) => recordsOf(detail.violations));
  return violations.some(({ quotaId }) => textOf(quotaId).includes('PerDay'));
}

/** Streams without `alt=sse` contain their error in a list. */
function errorOf(body: unknown): JsonObject | undefined {
  const { error } = recordOf(Array.isArray(body) ? body[0] : body);
  return isJsonObject(error) ? error : undefined;
}
