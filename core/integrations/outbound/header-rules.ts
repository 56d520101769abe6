import { readRetryAfter } from '../../errors/retry-after.ts';

type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

const passed = ['content-type', 'openai-processing-ms', 'openai-version'];
// The name each vendor gives the id of a call; the first one present counts.
const requestIdNames = ['x-request-id', 'request-id', 'apim-request-id', 'x-oneapi-request-id'];
const rateLimitPrefix = 'x-ratelimit-';
const maxValueLength = 1_024;

/**
 * What a client may see of an upstream's headers (an allow list, so a new header stays inside until it is judged).
 * `now` is in milliseconds since 1970, for a Retry-After that is a date.
 */
export function clientHeaders(headers: UpstreamHeaders, now: number): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name of passed) copy(headers, name, result, name);
  for (const name in headers) {
    if (name.startsWith(rateLimitPrefix)) copy(headers, name, result, name);
  }
  const requestIdName = requestIdNames.find((name) => headers[name] !== undefined);
  if (requestIdName) copy(headers, requestIdName, result, 'x-upstream-request-id');
  const retryAfter = readRetryAfter(headers, now);
  if (retryAfter !== undefined) result['retry-after'] = String(retryAfter);
  return result;
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Values a server may not send (control characters) or would not want to (very long) are left out, not repaired. */
function copy(headers: UpstreamHeaders, from: string, result: Record<string, string>, to: string): void {
  const value = first(headers[from]);
  if (value !== undefined && value.length <= maxValueLength && /^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    result[to] = value;
}
