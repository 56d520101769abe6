import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../core/app.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Context } from '../context.ts';
import { exitCode } from '../failure.ts';
import { type Host, hasTerminal } from '../host.ts';
import { loadInk } from './ink.ts';
import { openingFrame } from './opening-frame.ts';
import { type ScreenName, screenNames, screenTabs } from './screen-name.ts';
import { symbolsFor } from './symbol.ts';
import { openTerminal } from './terminal.ts';
import { keepTypeAhead } from './type-ahead.ts';

interface StartOptions {
  /** The screen to begin with. */
  screen?: string | undefined;
}

/** Below this the screens ask for more room. */
const min = { width: 60, height: 16 };

/**
 * Opens the terminal UI and resolves when it was left. Its frame is drawn at once; React and Ink, loaded here and nowhere else, and the
 * installation come while it is looked at.
 */
export async function startTui(context: Context, { screen }: StartOptions = {}): Promise<void> {
  const { host, speak } = context;
  if (!hasTerminal(host)) throw new AppError('cli.noTerminal', { command: 'tollgate channel list' });
  prepareLibraries(host.env);
  const first = findScreen(screen);
  const isReader = host.env.INK_SCREEN_READER === 'true';
  if (host.env.TERM === 'dumb' && !isReader)
    throw new AppError('cli.dumbTerminal', { command: 'tollgate channel list' });
  const terminal = openTerminal(host, { isPlain: isReader });
  try {
    const { columns: width = 80, rows: height = 24 } = host.stdout as NodeJS.WriteStream;
    const symbols = symbolsFor(host.env);
    if (!isReader && width >= min.width && height >= min.height)
      terminal.show(openingFrame({ speak, symbols, screen: first, width, height }));
    const opening = open(context);
    const opened = await unlessLeft(host, opening);
    if (typeof opened === 'string') {
      terminal.close();
      await giveUp(host, opening, opened);
    } else {
      const [app, { run }] = opened;
      await run(context, app, { first, terminal, isReader });
    }
  } finally {
    terminal.close();
  }
}

/** An unknown name is refused before anything is drawn. */
function findScreen(name: string | undefined): ScreenName {
  if (name === undefined) return screenTabs[0].id;
  const screen = screenTabs.find(({ id, digit }) => id === name.toLowerCase() || digit === name);
  if (screen) return screen.id;
  throw new AppError('cli.screenUnknown', { name: name.slice(0, 40), some: screenNames.join(', ') });
}

function open(context: Context): Promise<[App, typeof import('./run.tsx')]> {
  return Promise.all([context.app(), loadInk().then(() => import('./run.tsx'))]);
}

type Left = 'quit' | 'interrupted';

/** What is typed meanwhile is handed on to the screens, but `q` and Ctrl-C leave. */
async function unlessLeft<T extends object>(host: Host, work: Promise<T>): Promise<T | Left> {
  let leave: (how: Left) => void = () => undefined;
  const left = new Promise<Left>((resolve) => {
    leave = resolve;
  });
  const interrupt = () => leave('interrupted');
  const typed = keepTypeAhead(host.stdin, { interrupt, quit: () => leave('quit') });
  host.on('SIGTERM', interrupt);
  host.on('SIGINT', interrupt);
  let result: T | Left = 'interrupted';
  try {
    result = await Promise.race([work, left]);
    return result;
  } finally {
    if (typeof result === 'string') typed.drop();
    else typed.handOn();
    host.off('SIGTERM', interrupt);
    host.off('SIGINT', interrupt);
  }
}

const graceMs = 500;

/** Waits a moment so that an installation closes in order, then ends the process: the database may not respond at all. */
async function giveUp(host: Host, opening: Promise<unknown>, how: Left): Promise<void> {
  const settled = opening.then(
    () => true,
    () => true,
  );
  if (!(await Promise.race([settled, pause(graceMs, false)])))
    host.exit(how === 'quit' ? exitCode.done : exitCode.interrupted);
  if (how === 'interrupted') throw new AppError('cli.interrupted');
}

function prepareLibraries(env: Record<string, string | undefined>): void {
  // React would load its development build, which is slow and keeps a record of every render.
  env.NODE_ENV ??= 'production';
}
