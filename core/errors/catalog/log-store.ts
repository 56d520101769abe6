import type { CatalogEntry } from './entry.ts';

/** Of a database for the rows of the log alone. */
export const logStoreErrors = {
  'config.logDatabaseKind': { status: 500 },
  'config.logNeedsPostgres': { status: 500 },
  'config.logSameDatabase': { status: 500 },
  'logStore.away': { status: 503 },
  'logStore.notSet': { status: 503 },
  'logStore.filling': { status: 409 },
  'logStore.returning': { status: 409 },
  'logStore.occupied': { status: 500 },
  'logStore.otherInstallation': { status: 500 },
  'logStore.isLogDatabase': { status: 500 },
  'logStore.rowDiffers': { status: 500 },
  'logStore.nothingToBring': { status: 409 },
  'logStore.notAll': { status: 500 },
} as const satisfies Record<string, CatalogEntry>;
