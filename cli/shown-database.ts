import type { Config } from '../core/config.ts';

/** Without the password of a connection string. */
export function shownDatabase(database: Config['database']): string {
  if (database.engine === 'sqlite') return database.file;
  if (!URL.canParse(database.url)) return 'PostgreSQL';
  const url = new URL(database.url);
  return `PostgreSQL ${url.host}${url.pathname}`;
}
