import type { CatalogEntry } from './entry.ts';

/** Moving in from another gateway, and moving to another place. */
export const moveErrors = {
  'takeover.dumpDamaged': { status: 400 },
  'takeover.dumpColumns': { status: 400 },
  'gateway.unknownConfig': { status: 400 },
  'move.folderNotEmpty': { status: 409 },
  'move.notFolder': { status: 400 },
  'move.noManifest': { status: 400 },
  'move.damaged': { status: 400 },
  'move.newer': { status: 400 },
  'move.schemaNewer': { status: 409 },
  'move.otherKey': { status: 400 },
  'move.notEmpty': { status: 409 },
} as const satisfies Record<string, CatalogEntry>;
