import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
/** What goes into a build. */
const sources = ['bin', 'cli', 'core', 'dashboard', 'migrations', 'package.json', 'npm-shrinkwrap.json'];
/** What it writes last of its two halves. */
const results = ['dist/bin/tollgate.cjs', 'dist/dashboard/index.html'];

/** Whether `npm run build` would make of the sources what stands in `dist` already. */
export function isBuildCurrent(): boolean {
  const built = results.map((path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.min(...built) > Math.max(...sources.map((path) => lastChange(join(root, path))));
}

/** Milliseconds since 1970; a folder's own time tells of files that are gone. */
function lastChange(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  const below = stat.isDirectory() ? readdirSync(path).map((name) => lastChange(join(path, name))) : [];
  return Math.max(stat.mtimeMs, ...below);
}
