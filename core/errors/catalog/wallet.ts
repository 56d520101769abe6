import type { CatalogEntry } from './entry.ts';

export const walletErrors = {
  'redemption.missing': { status: 400 },
  'redemption.unknown': { status: 404 },
  'redemption.used': { status: 409 },
  'redemption.usedByYou': { status: 409 },
  'redemption.fixed': { status: 409 },
  'redemption.own': { status: 403 },
  'redemption.disabled': { status: 409 },
  'redemption.expired': { status: 409 },
  'redemption.expiryPast': { status: 400 },
  'payment.input': { status: 400 },
  'payment.amount': { status: 400 },
  'payment.method': { status: 400 },
  'payment.noAddress': { status: 400 },
  'payment.belowMinimum': { status: 400 },
  'payment.tooCheap': { status: 400 },
  'payment.tooMuch': { status: 400 },
  'payment.notConfigured': { status: 400 },
  'topUp.notPending': { status: 409 },
  'reward.belowMinimum': { status: 400 },
  'reward.insufficient': { status: 409 },
} as const satisfies Record<string, CatalogEntry>;
