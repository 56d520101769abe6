import { AppError } from '../../errors/app-error.ts';
import { parseRecord } from '../../lib/json-value.ts';

/**
 * Where a model runs: the channel's `other` is a region, or a map of model names to regions with the key `default`. The first of
 * the names that the map has decides.
 */
export function regionOf(other: string, names: readonly string[]): string {
  const map = other.trimStart().startsWith('{') ? parseRecord(other) : undefined;
  const name = names.find((one) => map && Object.hasOwn(map, one)) ?? 'default';
  const region = map ? map[name] : other.trim();
  // The region becomes part of a host name.
  if (typeof region !== 'string' || !/^[a-z][a-z0-9-]{1,40}$/.test(region))
    throw new AppError('provider.fieldNeeded', { field: 'other' });
  return region;
}

/** Regions that are many places have hosts of their own form. */
export function hostOf(region: string): string {
  if (region === 'global') return 'https://aiplatform.googleapis.com';
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`;
  return `https://${region}-aiplatform.googleapis.com`;
}
