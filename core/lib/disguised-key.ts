/**
 * Whether a key is one of the known ones in other letters. Some upstreams read keys without regard to case, so `"Model"` beside (or
 * instead of) `"model"` would run what was not billed.
 */
export function isDisguised(key: string, known: ReadonlySet<string>): boolean {
  if (known.has(key)) return false;
  // Both ways, because some letters meet only in one: the long s in upper case, the Kelvin sign in lower case.
  return known.has(key.toUpperCase().toLowerCase());
}
