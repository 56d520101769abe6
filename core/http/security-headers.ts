import type { ServerResponse } from 'node:http';

/** Responses other than pages run nothing, load nothing and are shown in no frame. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";
const yearSeconds = 365 * 24 * 3600;

const always = [
  'x-content-type-options',
  'nosniff',
  'referrer-policy',
  'no-referrer',
  'cross-origin-opener-policy',
  'same-origin',
  'content-security-policy',
  dataPolicy,
];
// Only this host: its subdomains may belong to others and lack https.
const alwaysSecure = [...always, 'strict-transport-security', `max-age=${yearSeconds}`];

/** Names and values in turn, for a response whose headers are written in one go; its `cache-control` is its writer's. */
export function securityHeaders(isSecure: boolean): readonly string[] {
  return isSecure ? alwaysSecure : always;
}

/**
 * On every response, from every route (S15). A page brings a policy of its own, a file that may be kept says for how
 * long.
 */
export function setSecurityHeaders(outgoing: ServerResponse, isSecure: boolean): void {
  const list = securityHeaders(isSecure);
  for (let at = 0; at < list.length; at += 2) outgoing.setHeader(list[at] ?? '', list[at + 1] ?? '');
  outgoing.setHeader('cache-control', 'no-store');
}
