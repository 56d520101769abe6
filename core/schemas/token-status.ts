export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;

/** Unix seconds; 0 for one that was never used, whose time is that of its making. */
export const lastUsed = (token: { accessed_time: number; created_time: number }): number =>
  token.accessed_time > token.created_time ? token.accessed_time : 0;

/** -1 in `expired_time`. */
export const neverExpires = -1;
