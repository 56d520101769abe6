import { readRetryAfter } from '../../errors/retry-after.ts';

type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

const passed = ['openai-processing-ms', 'openai-version'];
// The name each vendor gives the id of a call; the first one present counts.
const requestIdNames = ['x-request-id', 'request-id', 'apim-request-id', 'x-oneapi-request-id'];
const rateLimitPrefix = 'x-ratelimit-';
const maxValueLength = 1_024;

/**
 * What a client may see of an upstream's headers (an allow list, so a new header stays inside until it is judged), names and
 * values in turn. `now` is in milliseconds since 1970, for a Retry-After that is a date; `contentType` replaces the upstream's.
 */
export function clientHeaders(headers: UpstreamHeaders, now: number, contentType?: string): (string | number)[] {
  const result: (string | number)[] = [];
  if (contentType !== undefined) result.push('content-type', contentType);
  else copy(headers, 'content-type', result, 'content-type');
  for (const name of passed) if (headers[name] !== undefined) copy(headers, name, result, name);
  for (const name in headers) {
    if (name.startsWith(rateLimitPrefix)) copy(headers, name, result, name);
  }
  for (const name of requestIdNames) {
    if (headers[name] === undefined) continue;
    copy(headers, name, result, 'x-upstream-request-id');
    break;
  }
  if (headers['retry-after'] === undefined && headers['retry-after-ms'] === undefined) return result;
  const retryAfter = readRetryAfter(headers, now);
  if (retryAfter !== undefined) result.push('retry-after', String(retryAfter));
  return result;
}

/** Values a server may not send (control characters) or would not want to (very long) are left out, not repaired. */
function copy(headers: UpstreamHeaders, from: string, result: (string | number)[], to: string): void {
  const given = headers[from];
  const value = Array.isArray(given) ? given[0] : given;
  if (value !== undefined && value.length <= maxValueLength && /^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    result.push(to, value);
}
