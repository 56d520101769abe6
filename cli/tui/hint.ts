/** A key and what it does, for the footer and the list of keys. */
export interface Hint {
  key: string;
  label: string;
}
