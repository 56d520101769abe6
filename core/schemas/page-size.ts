/** Rows on a page: default and maximum. */
export const defaultPageSize = 10;
export const maxPageSize = 100;
