import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';

interface Reference {
  /** Where it stands, as a pointer with `/` behind it: what is inside a place begins with the place. */
  at: string;
  target: string;
}

/** More references than any schema needs to say one thing. */
const maxFollowed = 100;
/** Values of these are data, whatever they look like. */
const data: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'example']);
/** Keys of these are names, whatever they look like. */
const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

/**
 * Whether a schema refers to what Anthropic does not follow: a part of itself that leads back to it, as in a tree, or another document. A
 * strict schema of this kind makes it refuse the whole call, where OpenAI and Google take trees.
 */
export function hasEndlessReference(schema: JsonObject): boolean {
  const references = collect(schema).sort((a, b) => (a.at < b.at ? -1 : 1));
  if (references.some(({ target }) => !target.startsWith('#'))) return true;
  const done = new Set<string>();
  const open = new Set<string>();

  function leadsBack(target: string): boolean {
    if (open.has(target) || open.size >= maxFollowed) return true;
    if (done.has(target)) return false;
    open.add(target);
    for (let index = firstFrom(references, target); references[index]?.at.startsWith(target); index += 1) {
      if (leadsBack(references[index]?.target ?? '')) return true;
    }
    open.delete(target);
    done.add(target);
    return false;
  }

  return references.some(({ target }) => leadsBack(target));
}

function collect(schema: JsonObject): Reference[] {
  const found: Reference[] = [];
  const waiting: { at: string; value: unknown; isMap: boolean }[] = [{ at: '#/', value: schema, isMap: false }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { at, value, isMap } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (!isMap && isJsonObject(value) && typeof value.$ref === 'string')
      found.push({ at, target: placeOf(value.$ref) });
    for (const [key, member] of Object.entries(value)) {
      if (!isMap && data.has(key)) continue;
      const segment = key.replaceAll('~', '~0').replaceAll('/', '~1');
      waiting.push({ at: `${at}${segment}/`, value: member, isMap: !isMap && maps.has(key) });
    }
  }
  return found;
}

function placeOf(reference: string): string {
  if (!reference.startsWith('#')) return reference;
  try {
    return `${decodeURIComponent(reference).replace(/\/$/, '')}/`;
  } catch {
    return `${reference}/`; // a percent sign that is one
  }
}

/** Index of the first reference that stands at a place or behind it. */
function firstFrom(sorted: readonly Reference[], place: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.at ?? '') < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
