/** Where an object is looked at: every place that names one links there. */
export const objectPath = {
  channel: (id: number) => `/channel/edit/${id}`,
  user: (name: string) => `/user?keyword=${encodeURIComponent(name)}`,
};

interface LogSelection {
  username?: string;
  token_name?: string;
  model_name?: string;
  channel?: number;
  start?: number;
  end?: number;
}

/** The requests of an object, in a time or in all of it. */
export function requestsPath({ start, end, ...selection }: LogSelection): string {
  const query = new URLSearchParams({ type: '2' });
  if (start === undefined) query.set('range', 'all');
  else query.set('start', String(start));
  if (end !== undefined) query.set('end', String(end));
  for (const [name, value] of Object.entries(selection)) if (value) query.set(name, String(value));
  return `/log?${query}`;
}
