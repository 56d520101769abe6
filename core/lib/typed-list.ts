/** Between the names of a list that a person types: a comma, also the full-width and the ideographic one of Chinese keyboards. */
const typedComma = /[,\uff0c\u3001]/;
/** Where no name has a blank in it. */
export const typedCommaOrBlank = /[\s,\uff0c\u3001]/;

/** The names of such a list, without blanks and repeats. */
export function typedNames(text: string, separator: RegExp = typedComma): string[] {
  return [...new Set(text.split(separator).map((name) => name.trim()))].filter(Boolean);
}
