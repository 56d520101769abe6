import type { CatalogEntry } from './entry.ts';

/** Copies of the database, taking over another one, and changing what secrets are encrypted with. */
export const upkeepErrors = {
  'secret.nodeLacksKey': { status: 409 },
  'settlement.notWaiting': { status: 404 },
  'backup.exists': { status: 409 },
  'backup.notOurs': { status: 400 },
  'backup.noFile': { status: 400 },
  'backup.foreignSchema': { status: 400 },
  'backup.damaged': { status: 400 },
  'backup.ledgerWrong': { status: 400 },
  'backup.noTool': { status: 400 },
  'backup.toolFailed': { status: 500 },
  'backup.noRestoreTool': { status: 400 },
  'backup.restoreToolOld': { status: 400 },
  'backup.schemaDenied': { status: 400 },
  'takeover.mysql': { status: 400 },
  'takeover.foreign': { status: 400 },
  'takeover.noUsers': { status: 400 },
  'takeover.ownFormat': { status: 400 },
  'takeover.notEmpty': { status: 409 },
  'secret.onlineNeedsBoth': { status: 400 },
  'secret.nextMissing': { status: 400 },
  'secret.dropInEnvironment': { status: 400 },
  'secret.formerNeeded': { status: 409 },
  'doctor.installFailed': { status: 500 },
  'database.inUse': { status: 409 },
} as const satisfies Record<string, CatalogEntry>;
