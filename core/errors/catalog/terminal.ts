import type { CatalogEntry } from './entry.ts';

/** The terminal UI. */
export const terminalErrors = {
  'cli.noTerminal': { status: 400 },
  'cli.dumbTerminal': { status: 400 },
  'cli.screenUnknown': { status: 400 },
} as const satisfies Record<string, CatalogEntry>;
