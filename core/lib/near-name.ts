import { editDistance } from './edit-distance.ts';

const longestCompared = 64;
const mostCompared = 200;

/** Up to three of the names that are near to the wanted one, the nearest first. */
export function nearNames(names: readonly string[], wanted: string): string[] {
  const most = Math.max(2, Math.floor(wanted.length / 3));
  return names
    .filter((name) => Math.abs(name.length - wanted.length) <= most)
    .slice(0, mostCompared)
    .map((name) => ({ name, distance: editDistance(name.slice(0, longestCompared), wanted.slice(0, longestCompared)) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}
