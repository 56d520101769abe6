/** Between the names of a list that a person types: a comma, also the full-width and the ideographic one of Chinese keyboards. */
const typedComma = /[,\uff0c\u3001]/;
/** Where no name has a blank in it. */
export const typedCommaOrBlank = /[\s,\uff0c\u3001]/;

/** The names of such a list, without blanks and repeats. */
export function typedNames(text: string, separator: RegExp = typedComma): string[] {
  return [...new Set(text.split(separator).map((name) => name.trim()))].filter(Boolean);
}

/** The same, of names that capitals do not tell apart: the first spelling stays. */
export function typedNamesOfAnyCase(text: string): string[] {
  const names = new Map<string, string>();
  for (const name of typedNames(text)) if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  return [...names.values()];
}
