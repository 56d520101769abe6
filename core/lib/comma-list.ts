/** The entries of a list that is written with commas, without blanks and empty ones. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
