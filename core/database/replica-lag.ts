/** A place in the write-ahead log, as bytes from its beginning. */
export type WalPlace = number;

interface Sample {
  place: WalPlace;
  /** Milliseconds of the monotonic clock. */
  atMs: number;
}

/** Ten minutes at one a second; a replica further behind is not used anyway. */
const maxSamples = 600;

/**
 * How far a replica is behind, by what the primary had written when: its own clock says nothing while nothing is written, and a
 * replica that lost its primary believes that it has everything.
 */
export function createReplicaLag() {
  const samples: Sample[] = [];
  return {
    /** Where the primary's log ended at a moment. */
    sample(place: WalPlace, atMs: number): void {
      samples.push({ place, atMs });
      if (samples.length > maxSamples) samples.shift();
    },
    /** Milliseconds: what the primary had by then is in the replica; undefined while that is not known. */
    behind(replayed: WalPlace, nowMs: number): number | undefined {
      const newest = samples.at(-1);
      if (newest === undefined) return undefined;
      if (replayed >= newest.place) return nowMs - newest.atMs;
      const seen = samples.findLast(({ place }) => place <= replayed);
      return nowMs - (seen ?? (samples[0] as Sample)).atMs;
    },
  };
}
