import type { CatalogEntry } from './entry.ts';

export const billingErrors = {
  'price.overflow': { status: 400, wire: 'price_overflow' },
  'price.invalidRatio': { status: 400 },
  'price.oneKind': { status: 400 },
  'price.inputFirst': { status: 400 },
  'price.rehearsing': { status: 409 },
  'priceSource.unknown': { status: 400 },
  'priceSource.unreadable': { status: 400 },
  'priceSource.unknownFormat': { status: 400 },
  'priceSource.tooMany': { status: 400 },
  'priceSource.tooLarge': { status: 400 },
  'priceSource.empty': { status: 400 },
  'priceSync.moved': { status: 409 },
  'priceSync.tooMany': { status: 400 },
  'priceSync.noFigure': { status: 400 },
  'quota.userInsufficient': { status: 403, wire: 'insufficient_user_quota' },
  'quota.tokenInsufficient': { status: 403, wire: 'pre_consume_token_quota_failed' },
  'ledger.busy': { status: 503, wire: 'server_busy' },
  'ledger.unavailable': { status: 503, wire: 'database_unavailable' },
} as const satisfies Record<string, CatalogEntry>;
