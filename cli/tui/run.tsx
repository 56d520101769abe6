import { render } from 'ink';
import type { App } from '../../core/app.ts';
import type { Context } from '../context.ts';
import { exitCode } from '../failure.ts';
import { TerminalApp } from './app.tsx';
import type { Environment } from './environment.ts';
import type { ScreenName } from './screen-name.ts';
import { symbolsFor } from './symbol.ts';
import type { Terminal } from './terminal.ts';

interface Start {
  first: ScreenName;
  terminal: Terminal;
  isReader: boolean;
}

/** Draws until it is left. The terminal is given back by its opener. */
export async function run(context: Context, app: App, { first, terminal, isReader }: Start): Promise<void> {
  const { host, output, speak } = context;
  const environment: Environment = {
    app,
    speak,
    language: output.language,
    color: output.color && !isReader,
    symbols: symbolsFor(host.env),
    place: placeOf(app),
    redraw: terminal.redraw,
  };
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
}

/** Short, as the header has little room. */
function placeOf({ config }: App): string {
  const { database } = config;
  if (database.engine === 'sqlite') return database.file.replace(/^.*[\\/](?=[^\\/]+[\\/][^\\/]+$)/, '');
  return URL.canParse(database.url) ? new URL(database.url).host : 'PostgreSQL';
}
