import { render } from 'ink';
import type { App } from '../../core/app.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Context } from '../context.ts';
import { exitCode } from '../failure.ts';
import { TerminalApp } from './app.tsx';
import type { Environment } from './environment.ts';
import { screens } from './screens/registry.ts';
import { symbolsFor } from './symbol.ts';
import { openTerminal } from './terminal.ts';

/** The id of a screen; an unknown name is refused before anything is drawn. */
export function findScreen(name: string | undefined): string {
  const [home] = screens;
  if (name === undefined) return home?.id ?? '';
  const screen = screens.find(({ id, digit }) => id === name.toLowerCase() || digit === name);
  if (screen) return screen.id;
  throw new AppError('cli.screenUnknown', { name: name.slice(0, 40), some: screens.map(({ id }) => id).join(', ') });
}

/** Draws until it is left; the terminal is as before whatever ends it. */
export async function run(context: Context, app: App, first: string): Promise<void> {
  const { host, output, speak } = context;
  const isReader = host.env.INK_SCREEN_READER === 'true';
  const terminal = openTerminal(host, { isPlain: isReader });
  const environment: Environment = {
    app,
    speak,
    language: output.language,
    color: output.color && !isReader,
    symbols: symbolsFor(host.env),
    place: placeOf(app),
    redraw: terminal.redraw,
  };
  try {
    const instance = render(<TerminalApp environment={environment} first={first} />, {
      stdout: terminal.stdout,
      stdin: host.stdin as NodeJS.ReadStream,
      stderr: host.stderr as NodeJS.WriteStream,
      exitOnCtrlC: false,
      debug: true,
      isScreenReaderEnabled: isReader,
    });
    const interrupt = () => {
      context.exitCode = exitCode.interrupted;
      instance.unmount();
    };
    host.on('SIGTERM', interrupt);
    host.on('SIGINT', interrupt);
    try {
      await instance.waitUntilExit();
    } finally {
      host.off('SIGTERM', interrupt);
      host.off('SIGINT', interrupt);
    }
  } finally {
    terminal.close();
  }
}

/** Short, as the header has little room. */
function placeOf({ config }: App): string {
  const { database } = config;
  if (database.engine === 'sqlite') return database.file.replace(/^.*[\\/](?=[^\\/]+[\\/][^\\/]+$)/, '');
  return URL.canParse(database.url) ? new URL(database.url).host : 'PostgreSQL';
}
