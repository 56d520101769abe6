/** One sign per value, the highest value as high as it goes; `signs` from the lowest to the highest. */
export function sparkline(values: readonly number[], signs: string): string {
  const levels = [...signs];
  const max = Math.max(...values, 1);
  return values
    .map((value) => levels[Math.min(levels.length - 1, Math.round((Math.max(0, value) / max) * (levels.length - 1)))])
    .join('');
}
