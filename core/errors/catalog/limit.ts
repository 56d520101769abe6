import type { CatalogEntry } from './entry.ts';

/** Too much at a time: from one address, one account, one token, or all callers. */
export const limitErrors = {
  'address.tooManyCalls': { status: 429, wire: 'rate_limit_exceeded' },
  'limit.userCalls': { status: 429, wire: 'rate_limit_exceeded' },
  'limit.tokenCalls': { status: 429, wire: 'rate_limit_exceeded' },
  'limit.userRunning': { status: 429, wire: 'concurrency_limit_exceeded' },
  'limit.tokenRunning': { status: 429, wire: 'concurrency_limit_exceeded' },
  'limit.rate': { status: 429, wire: 'rate_limit_exceeded' },
  'limit.sharedRate': { status: 429, wire: 'rate_limit_exceeded' },
  'limit.rateNow': { status: 429, wire: 'rate_limit_exceeded' },
  'limit.running': { status: 429, wire: 'concurrency_limit_exceeded' },
  'limit.callTooLarge': { status: 400, wire: 'request_too_large' },
  'limit.callTooCostly': { status: 400, wire: 'request_too_large' },
  'limit.sharedBudget': { status: 429, wire: 'insufficient_quota' },
  'limit.budget': { status: 429, wire: 'insufficient_quota' },
  // Clients take `insufficient_quota` for final.
  'limit.sharedBudgetHeld': { status: 429, wire: 'rate_limit_exceeded' },
  'limit.budgetHeld': { status: 429, wire: 'rate_limit_exceeded' },
  'limit.budgetBusy': { status: 429, wire: 'rate_limit_exceeded' },
  'limit.budgetUsedUp': { status: 403, wire: 'insufficient_quota' },
  'limit.exists': { status: 409 },
  'limit.tooMany': { status: 409 },
  'limit.unpaidMedia': { status: 429, wire: 'rate_limit_exceeded' },
  'relay.overloaded': { status: 503, wire: 'server_overloaded' },
} as const satisfies Record<string, CatalogEntry>;
