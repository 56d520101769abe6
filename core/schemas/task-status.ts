/** States of a paid job, in the words that consoles of this family know. */
export const taskStatus = {
  notStart: 'NOT_START',
  submitted: 'SUBMITTED',
  queued: 'QUEUED',
  inProgress: 'IN_PROGRESS',
  success: 'SUCCESS',
  failure: 'FAILURE',
  unknown: 'UNKNOWN',
  /** Waits for its user to fill in a window (Midjourney). */
  modal: 'MODAL',
} as const;
export type TaskStatus = (typeof taskStatus)[keyof typeof taskStatus];

/** A job in one of these is over. */
export function isFinal(status: string): boolean {
  return status === taskStatus.success || status === taskStatus.failure;
}
