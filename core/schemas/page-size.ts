/** Rows on a page: default and maximum. */
export const defaultPageSize = 10;
export const maxPageSize = 100;
/** Rows that a count of the log or of audits looks at, and how deep their pages go: both cost as much as reading what they pass. */
export const maxCounted = 10_000;
