/** A reading is good for so long; one that took long, for so many times as long as it took. */
const minMs = 5000;
const costFactor = 10;
const maxMs = 300_000;
const maxEntries = 200;

interface Entry {
  reading: Promise<unknown>;
  /** Milliseconds of the monotonic clock; endless while it is being read. */
  goodUntil: number;
}

/**
 * Figures that several open pages ask for at once and again every few seconds: read once, however many ask. What is dear to read is
 * read less often, so that watching a busy installation never costs it more than a tenth of one connection.
 */
export function createReadingCache(clock: () => number = () => performance.now()) {
  const entries = new Map<string, Entry>();

  function drop(now: number): void {
    for (const [key, { goodUntil }] of entries) if (goodUntil <= now) entries.delete(key);
    for (const key of entries.keys()) {
      if (entries.size < maxEntries) break;
      entries.delete(key);
    }
  }

  return function read<T>(key: string, load: () => Promise<T>): Promise<T> {
    const begin = clock();
    const known = entries.get(key);
    if (known && known.goodUntil > begin) return known.reading as Promise<T>;
    drop(begin);
    const entry: Entry = { reading: Promise.resolve(), goodUntil: Number.POSITIVE_INFINITY };
    const reading = load().then(
      (value) => {
        const end = clock();
        entry.goodUntil = end + Math.min(maxMs, Math.max(minMs, (end - begin) * costFactor));
        return value;
      },
      (error: unknown) => {
        // A failure is not kept: the next page reads again.
        if (entries.get(key) === entry) entries.delete(key);
        throw error;
      },
    );
    entry.reading = reading;
    entries.set(key, entry);
    return reading;
  };
}
