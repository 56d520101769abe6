import { editDistance } from '../core/lib/edit-distance.ts';

/** More letters off than this, or fewer than two in five alike, is another word. */
const maxDistance = 3;
const minAlike = 0.4;

/** The words that are as near as the nearest one, if any is near at all. */
export function nearWords(word: string, words: readonly string[]): string[] {
  const bare = word.replace(/^--/, '');
  const distances = [...new Set(words)].flatMap((candidate) => {
    const other = candidate.replace(/^--/, '');
    const distance = editDistance(bare, other);
    const length = Math.max(bare.length, other.length);
    return distance <= maxDistance && length - distance > minAlike * length ? [{ candidate, distance }] : [];
  });
  const min = Math.min(...distances.map(({ distance }) => distance));
  return distances
    .filter(({ distance }) => distance === min)
    .map(({ candidate }) => candidate)
    .toSorted();
}
