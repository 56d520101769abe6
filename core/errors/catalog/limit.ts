import type { CatalogEntry } from './entry.ts';

/** Too much at a time: from one address, one account, one token, or all callers. */
export const limitErrors = {
  'address.tooManyCalls': { status: 429, wire: 'rate_limit_exceeded' },
  'limit.userCalls': { status: 429, wire: 'rate_limit_exceeded' },
  'limit.tokenCalls': { status: 429, wire: 'rate_limit_exceeded' },
  'limit.userRunning': { status: 429, wire: 'concurrency_limit_exceeded' },
  'limit.tokenRunning': { status: 429, wire: 'concurrency_limit_exceeded' },
  'limit.exists': { status: 409 },
  'limit.tooMany': { status: 409 },
  'limit.unpaidMedia': { status: 429, wire: 'rate_limit_exceeded' },
  'relay.overloaded': { status: 503, wire: 'server_overloaded' },
} as const satisfies Record<string, CatalogEntry>;
