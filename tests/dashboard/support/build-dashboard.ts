import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../../..', import.meta.url).pathname;

/** `npm test` builds the dashboard before the tests; a single test run on its own builds it when it is missing. */
export function buildDashboard(): void {
  if (existsSync(join(root, 'dist/dashboard/index.html'))) return;
  const words = ['vite', 'build', '--config', 'dashboard/vite.config.ts', '--logLevel', 'warn'];
  // The runner's own environment would build it for development, twice as large.
  execFileSync('npx', words, { cwd: root, stdio: 'pipe', env: { ...process.env, NODE_ENV: 'production' } });
}
