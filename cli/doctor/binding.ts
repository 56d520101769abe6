import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { AppError } from '../../core/errors/app-error.ts';
import type { Context } from '../context.ts';

/** Where SQLite's native module belongs. npm leaves it out where install scripts are turned off. */
export function bindingFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('sqlite3/package.json'));
}

/** What a person runs to get it; install scripts may stay turned off for everything else. */
export function bindingCommand(): string {
  const folder = bindingFolder();
  return `npm --prefix ${/^[\w./\\:@-]+$/.test(folder) ? folder : `"${folder}"`} run install`;
}

/** Asks a person whether the missing module is to be built now, and runs the command again with it. Undefined when it stays as it is. */
export async function offerBinding(error: unknown, { input, output, host, speak }: Context) {
  if (!(error instanceof AppError) || error.code !== 'database.noBinding' || !input.interactive) return undefined;
  if (!(await input.confirm(speak('binding.ask'), 'yes'))) return undefined;
  output.say(speak('binding.building'));
  const { runInstaller } = await import('./mend.ts');
  await runInstaller(bindingFolder(), host.env);
  output.say(speak('binding.done'));
  return runAgain();
}

/** In a process of its own: what failed to load once is not loaded again in this one. */
async function runAgain(): Promise<number> {
  const words = [...process.execArgv, ...process.argv.slice(1)];
  const child = spawn(process.execPath, words, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
