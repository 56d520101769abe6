import type { SearchHit } from '../../../core/schemas/search.ts';

/** Where an object is looked at: every place that names one links there. */
export const objectPath = {
  channel: (id: number) => `/channel/${id}`,
  /** Slashes of a name stay slashes: the page takes the rest of the path. */
  model: (name: string) => `/model/${name.split('/').map(encodeURIComponent).join('/')}`,
  user: (id: number) => `/user/${id}`,
  token: (id: number) => `/token/${id}`,
  /** Its limits, as it has no page of its own. */
  group: (name: string) => `/limit?subject_kind=group&subject=${encodeURIComponent(name)}`,
};

/** Where something found is looked at. */
export function hitPath({ kind, id, name }: SearchHit): string {
  if (kind === 'channel') return objectPath.channel(id);
  if (kind === 'user') return objectPath.user(id);
  if (kind === 'model') return objectPath.model(name);
  if (kind === 'token') return objectPath.token(id);
  return requestPath(name);
}

/** The row of one request, opened. */
export const requestPath = (id: string) => `/log?range=all&request_id=${encodeURIComponent(id)}`;

export interface LogSelection {
  username?: string;
  token_name?: string;
  model_name?: string;
  channel?: number;
  start?: number;
  end?: number;
  /** Only responses that broke off. */
  cut?: boolean;
}

/** The requests of an object, in a time or in all of it; those that failed have type 5. */
export function requestsPath({ start, end, ...selection }: LogSelection, type = 2): string {
  const query = new URLSearchParams({ type: String(type) });
  if (start === undefined) query.set('range', 'all');
  else query.set('start', String(start));
  if (end !== undefined) query.set('end', String(end));
  for (const [name, value] of Object.entries(selection)) if (value) query.set(name, String(value));
  return `/log?${query}`;
}
