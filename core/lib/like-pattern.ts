/** For `LIKE :pattern ESCAPE '\'`: finds the text itself anywhere, so `%` and `_` that a person typed stay plain characters. */
export function containsPattern(text: string): string {
  return `%${escapeLike(text)}%`;
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
