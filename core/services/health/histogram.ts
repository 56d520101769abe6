import { isJsonObject, parseRecord } from '../../lib/json-value.ts';

/** How often values occurred, by bucket: four to each doubling, so that what is read from it is right within a tenth. */
export type Distribution = Map<number, number>;

const bucketsPerDoubling = 4;

/** Of positive numbers; what is less than one counts as one. */
export function addValue(histogram: Distribution, value: number): void {
  const bucket = Math.round(bucketsPerDoubling * Math.log2(Math.max(value, 1)));
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
}

export function addHistogram(sum: Distribution, added: Distribution): void {
  for (const [bucket, count] of added) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
}

export function countOf(histogram: Distribution = new Map()): number {
  return [...histogram.values()].reduce((sum, count) => sum + count, 0);
}

/** The value that this share of all does not exceed, by nearest rank; null of nothing. */
export function quantileOf(histogram: Distribution, share: number): number | null {
  let left = Math.max(1, Math.ceil(countOf(histogram) * share));
  for (const [bucket, count] of [...histogram].sort(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) return Number((2 ** (bucket / bucketsPerDoubling)).toPrecision(3));
  }
  return null;
}

export const histogramText = (histogram: Distribution): string => JSON.stringify(Object.fromEntries(histogram));

/** What is no count is left out. */
export function readHistogram(text: string): Distribution {
  const record = parseRecord(text);
  const histogram: Distribution = new Map();
  if (!isJsonObject(record)) return histogram;
  for (const [bucket, count] of Object.entries(record)) {
    if (typeof count === 'number' && count > 0) histogram.set(Number(bucket), count);
  }
  return histogram;
}
