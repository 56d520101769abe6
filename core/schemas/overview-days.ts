/** Of a longer time an overview reads only the last days. */
export const maxOverviewDays = 400;
