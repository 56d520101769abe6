import { isJsonObject } from '../lib/json-value.ts';

/** Objects at the top of a call that are read in part: what was not read of them is in the extras under their name. */
const readInPart: ReadonlySet<string> = new Set(['generationConfig', 'reasoning', 'output_config', 'contents']);

/** What a client calls the members of its call that have no place in the neutral one. */
export function extraFields(extras: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(extras).flatMap(([key, value]) =>
    readInPart.has(key) && isJsonObject(value) ? Object.keys(value).map((member) => `${key}.${member}`) : [key],
  );
}
