import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Where SQLite's native module belongs. npm leaves it out where install scripts are turned off. */
export function bindingFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('sqlite3/package.json'));
}

/** What a person runs to get it; install scripts may stay turned off for everything else. */
export function bindingCommand(): string {
  const folder = bindingFolder();
  return `npm --prefix ${/^[\w./\\:@-]+$/.test(folder) ? folder : `"${folder}"`} run install`;
}
