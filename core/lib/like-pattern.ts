/** A backslash would mean something else to each database, so `!` is the escape character. */
export function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, (character) => `!${character}`);
}
