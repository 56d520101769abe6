/** Rows on a page, when nobody says how many, and at most. */
export const defaultPageSize = 10;
export const maxPageSize = 100;
