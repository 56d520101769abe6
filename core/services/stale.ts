import { AppError } from '../errors/app-error.ts';
import type { LoadedValues } from '../schemas/loaded.ts';

interface Update {
  /** The fields as the caller read them. */
  loaded: LoadedValues;
  /** As the caller wants them. */
  wanted: object;
  /** As they are now, in the spelling in which they were read. */
  stored: object;
}

/** Keeps what another user changed since the caller read it. Two people who wrote the same do not block each other. */
export function refuseStale({ loaded = {}, wanted, stored }: Update): void {
  const [mine, now] = [new Map(Object.entries(wanted)), new Map(Object.entries(stored))];
  const isStale = (name: string) => {
    const value = now.get(name);
    return now.has(name) && !isSame(loaded[name], value) && !isSame(mine.get(name), value);
  };
  const stale = Object.keys(loaded).filter(isStale);
  if (stale.length === 0) return;
  const changed = Object.fromEntries(stale.map((name) => [name, now.get(name)]));
  throw new AppError('object.stale', { fields: stale.join(', ') }, { data: { changed } });
}

/** Of a text, empty and none are the same. */
const isSame = (one: unknown, other: unknown) => (one ?? '') === (other ?? '');
