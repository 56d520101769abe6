/**
 * A channel's `status_code_mapping`, applied to an upstream's status before anything is decided on it: operators use it to force
 * or to forbid a retry. Entries that are not HTTP statuses change nothing.
 */
export function applyStatusMapping(mapping: Readonly<Record<string, unknown>> | undefined, status: number): number {
  if (!mapping || !Object.hasOwn(mapping, String(status))) return status;
  const target = Number(mapping[String(status)]);
  return Number.isInteger(target) && target >= 100 && target <= 599 ? target : status;
}
