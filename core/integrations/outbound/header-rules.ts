import { holdsSecret } from '../../errors/mask-text.ts';
import { readRetryAfter } from '../../errors/retry-after.ts';

type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

const figures = [
  'openai-processing-ms',
  'openai-version',
  ...['limit', 'remaining', 'reset'].flatMap((kind) => [`x-ratelimit-${kind}-requests`, `x-ratelimit-${kind}-tokens`]),
];
/** Counts, dates and durations such as `1.5s` or `6m0s`: nothing else fits, so no name and no key of the operator's passes. */
const figure = /^[\dTZhms.,:+-]{1,40}$/;
// The name each vendor gives the id of a call; the first one present counts.
const requestIdNames = ['x-request-id', 'request-id', 'apim-request-id', 'x-oneapi-request-id'];
const requestId = /^[\w.:=-]{1,128}$/;
const plain = /^[\t\x20-\x7e\x80-\xff]{0,1024}$/;

/**
 * What a client may see of an upstream's headers (an allow list, so a new header stays inside until it is judged), names and
 * values in turn. `now` is in milliseconds since 1970, for a Retry-After that is a date; `contentType` replaces the upstream's;
 * an id that contains one of the `secrets` stays here.
 */
export function clientHeaders(
  headers: UpstreamHeaders,
  { now, contentType, secrets = [] }: { now: number; contentType?: string | undefined; secrets?: readonly string[] },
): (string | number)[] {
  const result: (string | number)[] = [];
  if (contentType !== undefined) result.push('content-type', contentType);
  else copy(headers, 'content-type', result, 'content-type');
  for (const name of figures) if (headers[name] !== undefined) copy(headers, name, result, name, figure);
  const idName = requestIdNames.find((name) => headers[name] !== undefined);
  if (idName !== undefined && !holdsSecret(firstOf(headers[idName]) ?? '', secrets))
    copy(headers, idName, result, 'x-upstream-request-id', requestId);
  if (headers['retry-after'] === undefined && headers['retry-after-ms'] === undefined) return result;
  const retryAfter = readRetryAfter(headers, now);
  if (retryAfter !== undefined) result.push('retry-after', String(retryAfter));
  return result;
}

/** Values a server may not send (control characters), would not want to (very long) or does not know are left out, not repaired. */
function copy(headers: UpstreamHeaders, from: string, result: (string | number)[], to: string, form = plain): void {
  const value = firstOf(headers[from]);
  if (value !== undefined && form.test(value)) result.push(to, value);
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
