import { AppError } from '../errors/app-error.ts';

/**
 * Joins a channel's base and an OpenAI path. A base that already ends in a version (`/v1`, `/api/paas/v4`, `/v1beta/openai`) takes
 * the place of the path's own `/v1`; so does Cloudflare's AI Gateway, whose addresses contain the vendor's whole prefix.
 */
export function joinUrl(base: string, path: string): string {
  const trimmed = trimSlash(base);
  const hasVersion = versionEnd.test(trimmed) || isCloudflareGateway(trimmed);
  return trimmed + (hasVersion && path.startsWith('/v1/') ? path.slice(3) : path);
}

const versionEnd = /\/v\d+\w*(\/openai)?$/;

export function trimSlash(base: string): string {
  // A slash at the end of a query is part of a value.
  return base.endsWith('/') && !base.includes('?') ? base.slice(0, -1) : base;
}

export function isCloudflareGateway(base: string): boolean {
  return base.startsWith('https://gateway.ai.cloudflare.com/');
}

/** Scheme and host of a channel address that may carry a whole path. */
export function originOf(base: string): string {
  const end = base.indexOf('/', base.indexOf('://') + 3);
  return end < 0 ? base : base.slice(0, end);
}

/** A name as one segment of a URL. `.` and `..` would walk up the path, however they are written. */
export function urlSegment(name: string): string {
  if (name === '' || name === '.' || name === '..') throw new AppError('request.modelName', {}, { param: 'model' });
  return encodeURIComponent(name);
}
