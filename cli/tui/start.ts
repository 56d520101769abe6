import { AppError } from '../../core/errors/app-error.ts';
import type { Context } from '../context.ts';
import { hasTerminal } from '../host.ts';

interface StartOptions {
  /** The screen to begin with. */
  screen?: string | undefined;
}

/** Opens the terminal UI and resolves when it was left. React and Ink are loaded here and nowhere else. */
export async function startTui(context: Context, { screen }: StartOptions = {}): Promise<void> {
  const { host } = context;
  if (!hasTerminal(host)) throw new AppError('cli.noTerminal', { command: 'tollgate channel list' });
  prepareLibraries(host.env);
  const { findScreen, run } = await import('./run.tsx');
  const first = findScreen(screen);
  await run(context, await context.app(), first);
}

function prepareLibraries(env: Record<string, string | undefined>): void {
  // React would load its development build, which is slow and keeps a record of every render.
  env.NODE_ENV ??= 'production';
}
