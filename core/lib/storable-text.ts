/** Neither engine can store a NUL or half a surrogate pair. */
const unstorable = /[\0\p{Cs}]/gu;

/** The text as both engines can store it. */
export function storableText(text: string): string {
  return isStorable(text) ? text : text.replace(unstorable, '');
}

/** Asked of six texts per relay call: this costs a seventh of the pattern. */
export function isStorable(text: string): boolean {
  return (text as WellFormedText).isWellFormed() && !text.includes('\0');
}

/** In Node since 20, in TypeScript's library since ES2024. */
type WellFormedText = string & { isWellFormed(): boolean };
