import type { CatalogEntry } from './entry.ts';

/** Why a channel does not serve a call, or not first; `tollgate explain` says it. */
export const explainErrors = {
  'explain.disabled': { status: 409 },
  'explain.disabledBy': { status: 409 },
  'explain.autoDisabled': { status: 409 },
  'explain.modelNotListed': { status: 409 },
  'explain.modelNear': { status: 409 },
  'explain.promptTooLong': { status: 409 },
  'explain.otherGroup': { status: 409 },
  'explain.otherChannel': { status: 409 },
  'explain.keyUnreadable': { status: 409 },
  'explain.abilityMissing': { status: 409 },
  'explain.keyPool': { status: 409 },
  'explain.keyInTurn': { status: 409 },
  'explain.lowerPriority': { status: 409 },
  'explain.slower': { status: 409 },
  'explain.dearer': { status: 409 },
  'explain.beyondRetries': { status: 409 },
  'explain.circuitOpen': { status: 409 },
} as const satisfies Record<string, CatalogEntry>;
