import { editDistance } from './edit-distance.ts';

const maxComparedLength = 64;
const maxCompared = 200;

/** Up to three of the names that are near to the wanted one, the nearest first. */
export function nearNames(names: readonly string[], wanted: string): string[] {
  const max = Math.max(2, Math.floor(wanted.length / 3));
  return names
    .filter((name) => Math.abs(name.length - wanted.length) <= max)
    .slice(0, maxCompared)
    .map((name) => ({
      name,
      distance: editDistance(name.slice(0, maxComparedLength), wanted.slice(0, maxComparedLength)),
    }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}
