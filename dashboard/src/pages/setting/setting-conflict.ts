import { isJsonObject } from '../../../../core/lib/json-value.ts';
import { definitionOf, type OptionConflict, type OptionKey } from '../../../../core/schemas/option.ts';

/** One setting that two people have changed: as it was read, as it is in the form, and as it is stored now. */
export interface SettingConflict {
  key: OptionKey;
  loaded: string;
  mine: string;
  theirs: string;
  now: OptionConflict;
}

/** One line of the difference; without a name it is the whole value. */
export interface DifferenceRow {
  name: string;
  mine: string;
  theirs: string;
}

/** Mine on top: of a map only the entries that were changed here, of everything else the whole value. */
export function mergedText({ key, loaded, mine, theirs }: SettingConflict): string {
  const [before, own, stored] = [mapOf(key, loaded), mapOf(key, mine), mapOf(key, theirs)];
  if (!before || !own || !stored) return mine;
  const merged = new Map(stored);
  for (const [name, value] of own) if (!isSame(value, before.get(name))) merged.set(name, value);
  for (const name of before.keys()) if (!own.has(name)) merged.delete(name);
  return JSON.stringify(Object.fromEntries(merged), undefined, 2);
}

/** Where the two differ. */
export function differencesOf({
  key,
  mine,
  theirs,
}: Pick<SettingConflict, 'key' | 'mine' | 'theirs'>): DifferenceRow[] {
  const [own, stored] = [mapOf(key, mine), mapOf(key, theirs)];
  if (definitionOf(key).secret || !own || !stored) return [{ name: '', mine, theirs }];
  const names = [...new Set([...own.keys(), ...stored.keys()])];
  const different = names.filter((name) => !isSame(own.get(name), stored.get(name)));
  return different.map((name) => ({ name, mine: shown(own.get(name)), theirs: shown(stored.get(name)) }));
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const shown = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function mapOf(key: OptionKey, text: string): Map<string, unknown> | undefined {
  if (definitionOf(key).kind !== 'json') return undefined;
  try {
    const parsed: unknown = text.trim() === '' ? {} : JSON.parse(text);
    const isMap = isJsonObject(parsed);
    return isMap ? new Map(Object.entries(parsed)) : undefined;
  } catch {
    return undefined; // half typed: the whole text counts
  }
}
