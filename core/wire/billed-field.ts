import type { RequestFields } from '../canonical/request.ts';
import { AppError } from '../errors/app-error.ts';
import { isJsonObject, type JsonObject } from '../lib/json-value.ts';
import { hasRepeatedKey } from '../lib/repeated-key.ts';
import { maxTokenCount, wrong } from './request-field.ts';

/**
 * An object at the top of a body that says what the call may cost. What is held follows from it, so nothing in it may be said
 * twice: an upstream may take the other one.
 */
export function readBilledObject(fields: RequestFields, key: string): JsonObject | undefined {
  const value = fields.has(key) ? (fields.value(key) ?? undefined) : undefined;
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw wrong('request.notObject', key);
  const raw = fields.raw?.(key);
  if (raw !== undefined && hasRepeatedKey(raw)) throw misspelled(key, key);
  return value;
}

/** A field that Google takes in two spellings, `maxOutputTokens` and `max_output_tokens`: one of them, once. */
export function readSpelled(record: JsonObject, name: string, path: string): unknown {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const keys = Object.keys(record).filter((key) => folded(key) === folded(name));
  if (keys.length > 1 || keys.some((key) => key !== name && key !== snake)) throw misspelled(`${path}.${name}`, name);
  return keys[0] === undefined ? undefined : (record[keys[0]] ?? undefined);
}

export function misspelled(field: string, name: string): AppError {
  return new AppError('request.misspelled', { field, name }, { param: field });
}

// Both ways, because some letters meet only in one: the long s in upper case, the Kelvin sign in lower case.
function folded(key: string): string {
  return key.toUpperCase().toLowerCase().replaceAll('_', '');
}

/** Tokens to think with; 0 where no number says it. */
export function budgetOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.ceil(value), maxTokenCount) : 0;
}
