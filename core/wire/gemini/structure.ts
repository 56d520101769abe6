import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { mapInSteps, type Steps } from '../../lib/steps.ts';
import { BodyReader } from '../body-reader.ts';
import { wrong } from '../request-field.ts';

/**
 * One level of Google's wire format: every member may be spelled `inlineData` or `inline_data`. Only for records of the format
 * itself, never for what stands inside them by the client's own naming (arguments, schemas, labels).
 */
export function structure(value: unknown, path: string): BodyReader {
  if (!isJsonObject(value)) throw wrong('request.notObject', path);
  return new BodyReader(camelKeys(value), path);
}

export function structures(reader: BodyReader, key: string): BodyReader[] {
  return (reader.list(key) ?? []).map((value, index) => structure(value, `${reader.at(key)}.${index}`));
}

/** What `read` makes of each structure of a list that may be long. */
export function mapStructures<T>(reader: BodyReader, key: string, read: (record: BodyReader) => T): Steps<T[]> {
  return mapInSteps(reader.list(key) ?? [], (value, index) => read(structure(value, `${reader.at(key)}.${index}`)));
}

export function structureAt(reader: BodyReader, key: string): BodyReader | undefined {
  const value = reader.raw(key);
  return value === undefined ? undefined : structure(value, reader.at(key));
}

function camelKeys(record: JsonObject): JsonObject {
  const camel: JsonObject = {};
  for (const [key, value] of Object.entries(record)) {
    camel[key.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase())] = value;
  }
  return camel;
}
