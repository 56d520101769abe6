import { isJsonObject, type JsonObject, recordsOf } from '../../lib/json-value.ts';

/** Schemas inside a schema. */
const schemaMaps = new Set(['properties', '$defs', 'definitions', 'patternProperties']);
const schemaLists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const schemas = new Set(['items', 'additionalProperties', 'not']);
/** Google's own order of members; JSON Schema has none. */
const dropped = new Set(['propertyOrdering', 'example']);

/** Google's subset of OpenAPI (upper-case types, nullable) as JSON Schema. Numbers may come as text. */
export function toJsonSchema(schema: JsonObject): JsonObject {
  const written: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (dropped.has(key) || key === 'nullable') continue;
    if (key === 'type' && typeof value === 'string') written.type = value.toLowerCase();
    else if (schemaMaps.has(key) && isJsonObject(value)) written[key] = mapValues(value);
    else if (schemaLists.has(key) && Array.isArray(value)) written[key] = value.map(toSchema);
    else if (schemas.has(key)) written[key] = toSchema(value);
    else if (/^(min|max)/.test(key) && typeof value === 'string' && /^\d+$/.test(value)) written[key] = Number(value);
    else written[key] = value;
  }
  if (written.type === 'type_unspecified') delete written.type;
  if (schema.nullable === true) letNull(written);
  return written;
}

/** Of values that are listed null must be one, or no other word of the schema lets it through. */
function letNull(schema: JsonObject): void {
  const { type, enum: values, anyOf: others } = schema;
  if (typeof type === 'string') schema.type = [type, 'null'];
  if (Array.isArray(values) && !values.includes(null)) schema.enum = [...values, null];
  if (Array.isArray(others) && !recordsOf(others).some((one) => one.type === 'null'))
    schema.anyOf = [...others, { type: 'null' }];
}

function toSchema(value: unknown): unknown {
  return isJsonObject(value) ? toJsonSchema(value) : value;
}

function mapValues(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toSchema(value)]));
}
