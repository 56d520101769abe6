import type { Config } from '../../../config.ts';

export type DatabasePlace = Config['database'];

/** Without what opens it, in the form it is set in. */
export function shownPlace(place: DatabasePlace): string {
  if (place.engine === 'sqlite') return place.file;
  if (!URL.canParse(place.url)) return 'postgres://';
  const { host, pathname } = new URL(place.url);
  return `postgres://${host}${pathname}`;
}

/** The value of SQL_DSN for it; `********` in place of a password. */
export function shownDsn({ url }: { url: string }): string {
  const address = new URL(url);
  if (address.password !== '') address.password = '********';
  return address.href;
}
