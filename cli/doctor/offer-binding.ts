import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { AppError } from '../../core/errors/app-error.ts';
import type { Context } from '../context.ts';
import { bindingFolder } from './binding.ts';

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
