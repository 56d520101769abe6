import type { RelayRequest, RequestFields } from '../canonical/request.ts';
import { AppError } from '../errors/app-error.ts';
import { isJsonObject } from '../lib/json-value.ts';

export const maxModelLength = 256;
/** The largest token limit that OpenAI and the gateways before us accept. */
export const maxTokenCount = 1_073_741_823;
export const maxChoices = 10;

// Names may go into a URL segment, where "." and ".." would walk up, and into headers and logs.
const refusedInModel = /[\p{Cc}\p{Cs}]/u;

/** The model a call names: in its path, which counts over its body as at Azure, else in its body, else the protocol's own. */
export function readModel(fields: RequestFields, pathModel: string | undefined, defaultModel = ''): string {
  const named = fields.value('model');
  const given = fields.has('model') && named !== null && named !== '';
  const model = pathModel || (given ? named : defaultModel);
  if (typeof model !== 'string') throw wrong('request.notText', 'model');
  if (model === '') throw wrong('request.fieldMissing', 'model');
  if (model.length > maxModelLength) throw wrong('request.tooLong', 'model', { maximum: maxModelLength });
  if (refusedInModel.test(model) || model === '.' || model === '..') throw wrong('request.modelName', 'model');
  return model;
}

/** `null` counts as left out, as the SDKs send it for unset options. */
export function readBoolean(fields: RequestFields, key: string): boolean {
  const value = optional(fields, key);
  if (value === undefined) return false;
  if (typeof value !== 'boolean') throw wrong('request.notBoolean', key);
  return value;
}

export function readInteger(fields: RequestFields, key: string, minimum: number, maximum: number): number | undefined {
  const value = optional(fields, key);
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum || value > maximum)
    throw wrong('request.notInteger', key, { minimum, maximum });
  return value;
}

/** A bound of output. 0, as some consoles send it for none, counts as not given. */
export function readLimit(fields: RequestFields, key: string): number | undefined {
  return readInteger(fields, key, 0, maxTokenCount) || undefined;
}

/** The bounds that count as not given; undefined without any. */
export function unsetLimits(fields: RequestFields, keys: readonly string[]): Pick<RelayRequest, 'unset'> {
  const unset = keys.filter((key) => fields.has(key) && fields.value(key) === 0);
  return unset.length > 0 ? { unset } : {};
}

export function checkNumber(fields: RequestFields, key: string, minimum: number, maximum: number): void {
  const value = optional(fields, key);
  if (value === undefined) return;
  // A comparison that NaN fails; 1e309 has become Infinity by now.
  if (typeof value !== 'number' || !(value >= minimum && value <= maximum))
    throw wrong('request.notNumber', key, { minimum, maximum });
}

export function readText(fields: RequestFields, key: string, maximum: number): string | undefined {
  const value = optional(fields, key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw wrong('request.notText', key);
  if (value.length > maximum) throw wrong('request.tooLong', key, { maximum });
  return value;
}

export function readObject(fields: RequestFields, key: string): Record<string, unknown> | undefined {
  const value = optional(fields, key);
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw wrong('request.notObject', key);
  return value;
}

/** A list with at least one element, as the messages of a chat are. */
export function requireItems(fields: RequestFields, key: string): void {
  if (!fields.has(key)) throw wrong('request.fieldMissing', key);
  const count = fields.count(key);
  if (count === undefined) throw wrong('request.notList', key);
  if (count === 0) throw wrong('request.fieldEmpty', key);
}

/** A text, or a list with at least one element: prompts and embedding inputs. */
export function requireTextOrList(fields: RequestFields, key: string): void {
  if (!fields.has(key)) throw wrong('request.fieldMissing', key);
  const count = fields.count(key);
  if (count === 0) throw wrong('request.fieldEmpty', key);
  // What is large and no list is a text, or an object, which `checkBody` tells apart.
  if (count !== undefined || fields.isLarge?.(key)) return;
  const value = fields.value(key);
  if (value === '') throw wrong('request.fieldEmpty', key);
  if (value !== undefined && typeof value !== 'string') throw wrong('request.notTextOrList', key);
}

/** A form carries text only; this view reads its numbers and booleans as the JSON protocols do. */
export function formFields(fields: RequestFields): RequestFields {
  return {
    has: (key) => fields.has(key),
    count: (key) => fields.count(key),
    value: (key) => {
      const value = fields.value(key);
      if (value === 'true') return true;
      if (value === 'false') return false;
      // An empty field is an option left alone.
      if (value === '') return null;
      return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    },
  };
}

/** What no call may say at an upstream that all our customers share: `null` says nothing. */
export function refuseFields(fields: RequestFields, keys: readonly string[]): void {
  for (const key of keys) if (fields.has(key) && fields.value(key) !== null) throw notOffered(key);
}

export function notOffered(field: string): AppError {
  return new AppError('request.notOffered', { field }, { param: field });
}

type RequestErrorCode =
  | 'request.fieldMissing'
  | 'request.fieldEmpty'
  | 'request.notText'
  | 'request.notTextOrList'
  | 'request.notBoolean'
  | 'request.notObject'
  | 'request.notList'
  | 'request.notInteger'
  | 'request.notNumber'
  | 'request.notOneOf'
  | 'request.tooLong'
  | 'request.tooMany'
  | 'request.modelName'
  | 'request.pageToken';

/** An error in one field, which the response names as its `param`. */
export function wrong(code: RequestErrorCode, field: string, details: Record<string, string | number> = {}): AppError {
  return new AppError(code, { field, ...details }, { param: field });
}

function optional(fields: RequestFields, key: string): unknown {
  if (!fields.has(key)) return undefined;
  const value = fields.value(key);
  // No option of this family is larger than what is readable here.
  if (value === undefined) throw wrong('request.tooLong', key, { maximum: 65_536 });
  return value ?? undefined;
}
