const maxWaitSeconds = 3600;

export type HeaderMap = Record<string, string | string[] | undefined>;

/**
 * Seconds an upstream asks us to wait, from 1 to 3600 whatever it says; undefined when it says nothing readable. A date is
 * measured from `now` (unix ms), else from the response's own Date header.
 */
export function readRetryAfter(headers: HeaderMap, now?: number): number | undefined {
  const milliseconds = numberIn(headers['retry-after-ms']);
  if (milliseconds !== undefined) return clamp(milliseconds / 1000);
  const seconds = numberIn(headers['retry-after']);
  if (seconds !== undefined) return clamp(seconds);
  const until = Date.parse(first(headers['retry-after']) ?? '');
  const from = now ?? Date.parse(first(headers.date) ?? '');
  return Number.isNaN(until) || Number.isNaN(from) ? undefined : clamp((until - from) / 1000);
}

function clamp(seconds: number): number {
  return Math.min(maxWaitSeconds, Math.max(1, Math.ceil(seconds)));
}

function numberIn(value: string | string[] | undefined): number | undefined {
  const text = first(value)?.trim() ?? '';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
