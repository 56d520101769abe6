import type { CatalogEntry } from './entry.ts';

/** Log rows in files. */
export const archiveErrors = {
  'archive.none': { status: 400 },
  'archive.otherFolder': { status: 409 },
  'archive.newer': { status: 400 },
  'archive.damaged': { status: 400 },
  'archive.busy': { status: 409 },
  'archive.noMonth': { status: 400 },
  'archive.otherRows': { status: 409 },
} as const satisfies Record<string, CatalogEntry>;
