/** `booked`: in full, though without a hold. `parked`: an administrator must decide. `dropped`: it was booked before, as an administrator decided. */
export const strayStates = { booked: 'booked', parked: 'parked', dropped: 'dropped' } as const;

/** A settlement whose hold no longer exists, as it is shown. */
export interface StraySettlement {
  id: string;
  user_id: number;
  token_id: number;
  channel_id: number;
  quota: number;
  state: keyof typeof strayStates;
  /** Unix seconds. */
  found_at: number;
}
