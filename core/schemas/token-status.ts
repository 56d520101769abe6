export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;

/** -1 in `expired_time`. */
export const neverExpires = -1;
