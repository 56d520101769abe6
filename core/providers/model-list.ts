const maxNameLength = 256;
const maxModels = 10_000;

/** Names in the shapes vendors list their models in, sorted, each once. */
export function readModelNames(body: unknown): string[] {
  const names = new Set<string>();
  for (const entry of listIn(body).slice(0, maxModels)) {
    const name = nameOf(entry);
    if (name !== '' && name.length <= maxNameLength) names.add(name);
  }
  return [...names].sort();
}

function listIn(body: unknown): unknown[] {
  if (Array.isArray(body)) return body;
  if (typeof body !== 'object' || body === null) return [];
  const { data, models, result } = body as Record<string, unknown>;
  for (const list of [data, models, result]) if (Array.isArray(list)) return list;
  return [];
}

function nameOf(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  if (typeof entry !== 'object' || entry === null) return '';
  const { id, name, model } = entry as Record<string, unknown>;
  // Cloudflare's ids are UUIDs; its names are what calls take.
  const named = typeof id === 'string' && !/^[\da-f]{8}-[\da-f-]{27}$/.test(id) ? id : (name ?? model);
  return typeof named === 'string' ? named : '';
}
