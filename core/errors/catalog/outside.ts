import type { CatalogEntry } from './entry.ts';

/** Sign-ins that another service vouches for. */
export const outsideErrors = {
  'oauth.state': { status: 403 },
  'outside.off': { status: 403 },
  'outside.refused': { status: 400 },
  'outside.declined': { status: 400 },
  'outside.code': { status: 400 },
  'outside.telegramData': { status: 400 },
  'outside.notWelcome': { status: 403 },
  'outside.trustLevel': { status: 403 },
  'outside.closed': { status: 403 },
  'outside.unbound': { status: 404 },
} as const satisfies Record<string, CatalogEntry>;
