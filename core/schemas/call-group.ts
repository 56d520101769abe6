/** How requests ended, coarsely enough for a chart. */
const callGroups = ['ok', 'cut', 'refused', 'failed'] as const;
export type CallGroup = (typeof callGroups)[number];

/** Turned away before or without a fault of any channel: the caller's own business. */
const refusals = new Set(['refused', 'limited', 'shed', 'clientGone']);

/** `isPaid`: it was charged for what it delivered. */
export function callGroupOf(isPaid: boolean, outcome: string): CallGroup {
  if (isPaid) return outcome === 'complete' ? 'ok' : 'cut';
  return refusals.has(outcome) ? 'refused' : 'failed';
}
