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

/**
 * The schema that a reference leads to, with what is beside the reference; a schema without one is unchanged. What has been `seen`
 * is not read again, and what is seen is added.
 */
export function resolveReference(
  schema: JsonObject,
  { root, path }: ReferencePlace,
  seen?: Set<string>,
): ResolvedSchema {
  let current = schema;
  let followed = path;
  while (typeof current.$ref === 'string') {
    const { $ref: reference, ...beside } = current as JsonObject & { $ref: string };
    // A cycle ends as an object of anything.
    if (followed.includes(reference) || followed.length >= maxFollowed)
      return { schema: { type: 'object' }, path: followed };
    followed = [...followed, reference];
    current = seen?.has(reference) ? beside : { ...lookUp(root, reference), ...beside };
    seen?.add(reference);
  }
  return { schema: current, path: followed };
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
