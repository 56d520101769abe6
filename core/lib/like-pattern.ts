/** For `lower(column) LIKE :pattern ESCAPE '!'`: finds the text itself anywhere, so a typed `%` or `_` is a plain character. */
export function containsPattern(text: string): string {
  return `%${escapeLike(text.toLowerCase())}%`;
}

/** A backslash would mean something else to each database, so `!` is the escape character. */
export function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, (character) => `!${character}`);
}
