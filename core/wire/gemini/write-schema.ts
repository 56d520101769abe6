import { isJsonObject, type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';
import { type MergedSchema, mergeAll } from './merge-schema.ts';
import { loneReference, type ReferencePlace, renamedReference, resolveReference } from './schema-reference.ts';

/** What the older field takes; one more member makes the whole request fail (Gemini sheet, section 2). */
const copied = [
  'format',
  'title',
  'description',
  'enum',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'default',
  'minimum',
  'maximum',
];
/** What the newer field takes. */
const jsonSchemaKeys = new Set([
  '$id',
  '$defs',
  '$ref',
  '$anchor',
  'type',
  'format',
  'title',
  'description',
  'enum',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'anyOf',
  'oneOf',
  'properties',
  'additionalProperties',
  'required',
]);
/** Rules of JSON Schema: leaving one out lets more through than the client said. What else is in a schema explains it. */
const rules = new Set([
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'contains',
  'minContains',
  'maxContains',
  'uniqueItems',
  'multipleOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'pattern',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
  'default',
  'prefixItems',
]);
const stringFormats = new Set(['enum', 'date-time']);
const deepest = 32;
/** References inside references grow without end: a schema larger than this ends in objects of anything. */
const maxSchemas = 5000;

/** JSON Schema as the subset that every model of the family takes: references inlined, unions rewritten, the rest left out. */
export function toSchemaSubset(schema: JsonObject, onDrop: OnDrop = ignore): JsonObject {
  return convert(schema, { root: schema, path: [], depth: 0, left: { schemas: maxSchemas }, onDrop });
}

/** Told of every rule that is left out. */
type OnDrop = (keyword: string) => void;
const ignore: OnDrop = () => undefined;

/** JSON Schema for `parametersJsonSchema` and `responseJsonSchema`, less the members Google does not know. */
export function toGoogleJsonSchema(schema: JsonObject, onDrop: OnDrop = ignore): JsonObject {
  // Nothing may be beside a reference, and beside that of the whole schema stands what it leads to.
  const { schema: whole } = resolveReference(schema, { root: schema, path: [] });
  return writeJsonSchema(whole, { root: schema, path: [], left: { schemas: maxSchemas }, onDrop });
}

function writeJsonSchema(given: JsonObject, place: Omit<Place, 'depth'>): JsonObject {
  const reference = loneReference(given);
  // The second is one that has been followed on the way here.
  if (typeof given.$ref === 'string' || (reference !== undefined && place.path.includes(reference)))
    return { $ref: renamedReference(String(given.$ref ?? reference)) };
  // What was said once grows where it is written again.
  if (place.path.length > 0) place.left.schemas -= 1;
  if (place.left.schemas < 0) return { type: 'object' };
  const { schema, pathOf } = mergeAll(given, place);
  const inner = (value: unknown, member: string, property?: string) =>
    isJsonObject(value) ? writeJsonSchema(value, { ...place, path: pathOf(member, property) }) : value;
  const written: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    const name = key === 'definitions' ? '$defs' : key;
    if (!jsonSchemaKeys.has(name)) {
      if (rules.has(name)) place.onDrop(name);
      continue;
    }
    if (name === 'properties' || name === '$defs') {
      const members = Object.entries(recordOf(value)).map(([member, one]) => [member, inner(one, key, member)]);
      written[name] = { ...recordOf(written[name]), ...Object.fromEntries(members) };
    } else if (Array.isArray(value) && (name === 'anyOf' || name === 'oneOf' || name === 'prefixItems')) {
      written[name] = value.map((one) => inner(one, key));
    } else {
      written[name] = name === 'items' || name === 'additionalProperties' ? inner(value, key) : value;
    }
  }
  return written;
}

interface Place extends ReferencePlace {
  depth: number;
  /** Shared by the whole walk. */
  left: { schemas: number };
  onDrop: OnDrop;
}

function convert(given: JsonObject, place: Place): JsonObject {
  const target = resolveReference(given, place);
  place.left.schemas -= 1;
  if (place.depth > deepest || place.left.schemas < 0) return { type: 'OBJECT' };
  const merged = mergeAll(target.schema, { ...place, path: target.path });
  const plain = merged.schema;
  const innerOf = (member: string, property?: string): Place => ({
    ...place,
    path: merged.pathOf(member, property),
    depth: place.depth + 1,
  });
  const written: JsonObject = {};
  for (const key of copied) if (plain[key] !== undefined) written[key] = plain[key];
  for (const key of Object.keys(plain)) {
    // Objects are open by default everywhere else.
    if (rules.has(key) && !copied.includes(key) && plain[key] !== true) place.onDrop(key);
  }
  convertType(plain, written, innerOf);
  convertEnum(written);
  if (written.type === 'STRING' && !stringFormats.has(String(written.format))) delete written.format;
  if (isJsonObject(plain.properties)) convertProperties(plain, plain.properties, written, innerOf);
  if (written.type === 'ARRAY')
    written.items = isJsonObject(plain.items) ? convert(plain.items, innerOf('items')) : { type: 'STRING' };
  return written;
}

/** Where a member, or one of its properties, is read. */
type InnerPlaces = (...of: Parameters<MergedSchema['pathOf']>) => Place;

function convertType(plain: JsonObject, written: JsonObject, innerOf: InnerPlaces): void {
  const alternatives = ['anyOf', 'oneOf'].flatMap((member) =>
    recordsOf(plain[member]).map((schema) => ({ schema, place: innerOf(member) })),
  );
  const types = (Array.isArray(plain.type) ? plain.type : [plain.type]).filter((type) => typeof type === 'string');
  const named = types.filter((type) => type !== 'null');
  if (named.length !== types.length || plain.nullable === true) written.nullable = true;
  const solid = alternatives.filter(({ schema }) => schema.type !== 'null');
  if (solid.length !== alternatives.length) written.nullable = true;
  const [only] = solid;
  if (solid.length === 1 && only) Object.assign(written, convert(only.schema, only.place));
  else if (solid.length > 1) written.anyOf = solid.map(({ schema, place }) => convert(schema, place));
  else if (named.length > 1) written.anyOf = named.map((type) => ({ type: type.toUpperCase() }));
  const type = named.length === 1 ? named[0] : undefined;
  if (type !== undefined) written.type = type.toUpperCase();
  else if (!written.type && !written.anyOf && isJsonObject(plain.properties)) written.type = 'OBJECT';
}

/** Only texts may be listed. */
function convertEnum(written: JsonObject): void {
  if (!Array.isArray(written.enum)) return;
  const values = written.enum.filter((value) => value !== null);
  if (values.length !== written.enum.length) written.nullable = true;
  if (values.some((value) => typeof value !== 'string')) written.type = 'STRING';
  written.type ??= 'STRING';
  written.enum = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
}

function convertProperties(plain: JsonObject, properties: JsonObject, written: JsonObject, innerOf: InnerPlaces): void {
  const entries = Object.entries(properties).map(([name, value]) => [
    name,
    convert(recordOf(value), innerOf('properties', name)),
  ]);
  // An object without members is refused as parameters, and says nothing elsewhere.
  if (entries.length === 0) return;
  written.properties = Object.fromEntries(entries);
  const required = Array.isArray(plain.required)
    ? plain.required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name))
    : [];
  if (required.length > 0) written.required = required;
}
