import { type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';

/** Where a schema is read: what its references lead into, and those followed on the way here. */
export interface ReferencePlace {
  root: JsonObject;
  /** One that comes again would never end. */
  path: readonly string[];
}

/** More references than any schema needs to say one thing. */
const maxFollowed = 100;

export interface ResolvedSchema {
  schema: JsonObject;
  path: readonly string[];
}

/** The schema that a reference leads to, with what is beside the reference; a schema without one is unchanged. */
export function resolveReference(schema: JsonObject, { root, path }: ReferencePlace): ResolvedSchema {
  let current = schema;
  let followed = path;
  while (typeof current.$ref === 'string') {
    const reference = current.$ref;
    // A cycle ends as an object of anything.
    if (followed.includes(reference) || followed.length >= maxFollowed)
      return { schema: { type: 'object' }, path: followed };
    followed = [...followed, reference];
    const { $ref: _reference, ...beside } = current;
    current = { ...lookUp(root, reference), ...beside };
  }
  return { schema: current, path: followed };
}

/** All of several schemas are one schema. Generators put a reference there that they have something to say beside. */
export function mergeAll(schema: JsonObject, place: ReferencePlace): ResolvedSchema {
  const parts = recordsOf(schema.allOf);
  if (parts.length === 0) return { schema, path: place.path };
  const { allOf: _parts, ...merged } = schema;
  const properties = new Map(Object.entries(recordOf(merged.properties)));
  const required = new Set(listOr(merged.required));
  let { path } = place;
  for (const part of parts) {
    const target = resolveReference(part, { ...place, path });
    const inner = mergeAll(target.schema, { ...place, path: target.path });
    path = inner.path;
    for (const [key, value] of Object.entries(inner.schema)) merged[key] ??= value;
    for (const [name, property] of Object.entries(recordOf(inner.schema.properties))) properties.set(name, property);
    for (const name of listOr(inner.schema.required)) required.add(name);
  }
  if (properties.size > 0) merged.properties = Object.fromEntries(properties);
  if (required.size > 0) merged.required = [...required];
  return { schema: merged, path };
}

/** The reference that a schema is, with nothing but words beside it. */
export function loneReference({ allOf }: JsonObject): string | undefined {
  const [only, ...others] = recordsOf(allOf);
  return others.length === 0 && typeof only?.$ref === 'string' ? only.$ref : undefined;
}

/** A reference after `definitions` has become `$defs`, which is the only name of it that Google knows. */
export function renamedReference(reference: string): string {
  let isName = false;
  return reference
    .split('/')
    .map((segment) => {
      const isMap = !isName && holdsNames.has(segment);
      const written = isMap && segment === 'definitions' ? '$defs' : segment;
      isName = isMap;
      return written;
    })
    .join('/');
}

/** Behind these stands a name of the client's own, whatever it looks like. */
const holdsNames: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);

function lookUp(root: JsonObject, reference: string): JsonObject {
  if (!reference.startsWith('#')) return {};
  let found: unknown = root;
  for (const segment of reference.slice(1).split('/').filter(Boolean)) {
    const name = nameOf(segment);
    found = isContainer(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return recordOf(found);
}

/** A list too: `#/anyOf/0`. */
function isContainer(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

function nameOf(segment: string): string {
  return decoded(segment).replaceAll('~1', '/').replaceAll('~0', '~');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a percent sign that is one
  }
}

function listOr(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
