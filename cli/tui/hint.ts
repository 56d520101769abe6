/** A key and what it does, for the footer and the list of keys. */
export interface Hint {
  key: string;
  label: string;
  /** What the list of keys says besides. */
  more?: string;
}
