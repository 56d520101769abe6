import type { CatalogEntry } from './entry.ts';

/** A call the command line makes through a running server. */
export const chatErrors = {
  'chat.noServer': { status: 503 },
  'chat.otherServer': { status: 502 },
  'chat.refused': { status: 500 },
  'chat.cutOff': { status: 502 },
  'chat.noToken': { status: 404 },
  'chat.noModel': { status: 404 },
} as const satisfies Record<string, CatalogEntry>;
