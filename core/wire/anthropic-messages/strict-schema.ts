import { isJsonObject, type JsonObject, recordsOf, textOf } from '../../lib/json-value.ts';

export interface StrictSchema {
  schema: JsonObject;
  /** The client's schema said something else, or said it in another way. */
  hasChanged: boolean;
}

/** What Anthropic holds a response or a strict tool to; anything else makes it refuse the whole call. */
const known: ReadonlySet<string> = new Set([
  ...['$ref', '$defs', 'definitions', 'type', 'enum', 'const', 'anyOf', 'allOf', 'title', 'description'],
  ...['properties', 'required', 'additionalProperties', 'items'],
]);
const formats: ReadonlySet<string> = new Set(
  'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '),
);
/** Names the dialect, and says nothing. */
const dialect = '$schema';
const maps: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);

/**
 * A schema as Anthropic takes it: every object is closed, and rules it does not know are told to the model in the description, as
 * Anthropic's own SDKs do it.
 */
export function toStrictSchema(schema: JsonObject): StrictSchema {
  const state = { hasChanged: false };
  return { schema: convert(schema, state), hasChanged: state.hasChanged };
}

function convert(given: JsonObject, state: { hasChanged: boolean }): JsonObject {
  const schema = onlyReference(given);
  state.hasChanged ||= Object.keys(schema).length < Object.keys(given).length;
  const written: JsonObject = {};
  const told: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (isKnown(key, value)) written[key] = convertMember(key, value, state);
    else if (key === 'oneOf' && schema.anyOf === undefined) written.anyOf = convertMember('anyOf', value, state);
    else if (key !== dialect) told.push(`${key}: ${JSON.stringify(value)}`);
    state.hasChanged ||= key === 'oneOf';
  }
  if (told.length > 0) {
    state.hasChanged = true;
    written.description = [textOf(schema.description), `{${told.join(', ')}}`].filter(Boolean).join('\n\n');
  }
  if (!isObjectSchema(schema)) return written;
  const { additionalProperties } = schema;
  state.hasChanged ||= additionalProperties !== undefined && additionalProperties !== false;
  return { ...written, additionalProperties: false };
}

/** Beside a reference nothing may stand but what it leads into, and it may not be the one of `allOf`, as pydantic writes it. */
function onlyReference(schema: JsonObject): JsonObject {
  const [only, ...others] = recordsOf(schema.allOf);
  const $ref = schema.$ref ?? (others.length === 0 ? only?.$ref : undefined);
  if (typeof $ref !== 'string') return schema;
  const beside = Object.entries(schema).filter(([key]) => /^(\$defs|definitions|\$schema)$/.test(key));
  return { $ref, ...Object.fromEntries(beside) };
}

function isKnown(key: string, value: unknown): boolean {
  if (key === 'format') return formats.has(textOf(value));
  return known.has(key) || (key === 'minItems' && (value === 0 || value === 1));
}

/** Values of `enum` and `const` are data, and keys of some others are names. */
function convertMember(key: string, member: unknown, state: { hasChanged: boolean }): unknown {
  const inner = (value: unknown) => (isJsonObject(value) ? convert(value, state) : value);
  if (key === 'enum' || key === 'const') return member;
  if (maps.has(key) && isJsonObject(member))
    return Object.fromEntries(Object.entries(member).map(([name, value]) => [name, inner(value)]));
  return Array.isArray(member) ? member.map(inner) : inner(member);
}

function isObjectSchema({ type, properties }: JsonObject): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || (!type && isJsonObject(properties));
}
