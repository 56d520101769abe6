import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../../..', import.meta.url).pathname;

/** `npm test` builds the dashboard before the tests; a single test run on its own builds it when it is missing. */
export function buildDashboard(): void {
  if (existsSync(join(root, 'dist/dashboard/index.html'))) return;
  const words = ['vite', 'build', '--config', 'dashboard/vite.config.ts', '--logLevel', 'warn'];
  execFileSync('npx', words, { cwd: root, stdio: 'pipe' });
}
