import type { CatalogEntry } from './entry.ts';

export const optionErrors = {
  'option.notFound': { status: 404 },
  'option.unknown': { status: 400 },
  'option.needsOther': { status: 400 },
  'option.stale': { status: 409 },
  'option.addressFirst': { status: 400 },
  'option.addressInUse': { status: 400 },
  'option.inUse': { status: 400 },
  'option.defaultGroup': { status: 400 },
  'option.secretNeeded': { status: 400 },
  'option.secretCleared': { status: 200 },
  'option.notBoolean': { status: 400 },
  'option.notNumber': { status: 400 },
  'option.notWhole': { status: 400 },
  'option.notAuto': { status: 400 },
  'option.notChoice': { status: 400 },
  'option.notTimeZone': { status: 400 },
  'option.notJson': { status: 400 },
  'option.badEntry': { status: 400 },
  'option.badLink': { status: 400 },
  'option.tooLong': { status: 400 },
} as const satisfies Record<string, CatalogEntry>;
