import type { HeaderMap } from '../../errors/retry-after.ts';
import { isJsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';

/**
 * Google's error in the plain shape that rules are matched against: `status` and the first `reason` of its details count as
 * codes, and a `retryDelay` as a Retry-After. Undefined when the body has no error of Google's.
 */
export function readGoogleError(
  body: unknown,
  headers: HeaderMap,
): { body: { message: string; status: string; statusText: string }; headers: HeaderMap } | undefined {
  // A stream without `alt=sse` responds with a list.
  const { error } = recordOf(Array.isArray(body) ? body[0] : body);
  if (!isJsonObject(error) || (typeof error.status !== 'string' && !Array.isArray(error.details))) return undefined;
  const details = recordsOf(error.details);
  const reason = details.map((detail) => textOf(detail.reason)).find(Boolean) ?? '';
  const delay = details.map(({ retryDelay }) => textOf(retryDelay)).find(Boolean) ?? '';
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1];
  return {
    body: { message: textOf(error.message), status: textOf(error.status), statusText: reason },
    headers: seconds === undefined || headers['retry-after'] ? headers : { ...headers, 'retry-after': seconds },
  };
}
