import type { ServerResponse } from 'node:http';

/** Answers that are no pages run nothing, load nothing and are shown in no frame. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";
const yearSeconds = 365 * 24 * 3600;

/**
 * On every answer, whoever writes it (reliability S15). A page brings a policy of its own, a file that may be kept says for how
 * long.
 */
export function setSecurityHeaders(outgoing: ServerResponse, isSecure: boolean): void {
  outgoing.setHeader('x-content-type-options', 'nosniff');
  outgoing.setHeader('referrer-policy', 'no-referrer');
  outgoing.setHeader('cross-origin-opener-policy', 'same-origin');
  outgoing.setHeader('content-security-policy', dataPolicy);
  outgoing.setHeader('cache-control', 'no-store');
  // Only this host: names below it may be somebody else's and without https.
  if (isSecure) outgoing.setHeader('strict-transport-security', `max-age=${yearSeconds}`);
}
