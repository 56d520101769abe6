/** What a filter needs of a list. */
export interface Filtered {
  filters: Record<string, string>;
  setFilters(changed: Record<string, string>): void;
}
