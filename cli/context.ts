import type { App, AppOptions } from '../core/app.ts';
import type { Config, ConfigFlags } from '../core/config.ts';
import { AppError } from '../core/errors/app-error.ts';
import type { SharedFlags } from './flag/shared.ts';
import { type Host, hasTerminal } from './host.ts';
import { createInput, type Input } from './input/input.ts';
import type { Output } from './output.ts';
import type { PassingPlace } from './passing-place.ts';
import type { Speak } from './text.ts';

/** What a command receives. Settings and installation are read and opened when a command asks for them, once. */
export interface Context {
  host: Host;
  output: Output;
  input: Input;
  speak: Speak;
  shared: SharedFlags;
  config(flags?: ConfigFlags): Promise<Config>;
  /** Where the database is or would be; looking makes none. */
  databasePlace(): Promise<Config['database']>;
  /**
   * The installation, opened for one command: it writes no log lines of its own. `first` counts when it is not open yet. An older
   * schema is refused, unless the command may migrate.
   */
  app(first?: Partial<Config>, options?: Pick<AppOptions, 'mayMigrate' | 'mayMissSecrets'>): Promise<App>;
  /** Asks before something that cannot be undone; `--yes` skips the question and is required without a terminal. */
  confirm(what: string, yes: boolean | undefined): Promise<void>;
  /** As `confirm`, for what hits many at once: the word must be typed. */
  confirmWord(what: string, word: string, yes: boolean | undefined): Promise<void>;
  /** A command that did its work but has bad news sets another code than 0. */
  exitCode: number;
  /** The command is to leave nothing behind where there is no installation yet. */
  leavesNothing: boolean;
  /** The command changes what must be there already. */
  needsInstallation: boolean;
  close(): Promise<void>;
}

export function createContext({
  host,
  shared,
  output,
  speak,
}: Pick<Context, 'host' | 'shared' | 'output' | 'speak'>): Context {
  const input = createInput({
    stdin: host.stdin,
    output,
    interactive: shared.input && hasTerminal(host),
    cursor: host.env.TERM !== 'dumb',
  });
  let opened: Promise<App> | undefined;
  let passing: PassingPlace | undefined;

  async function config(flags: ConfigFlags = {}): Promise<Config> {
    const { loadConfig } = await import('../core/config.ts');
    const { dataDir, language } = shared;
    return loadConfig({ ...flags, ...(dataDir !== undefined && { dataDir }), ...(language && { language }) }, host.env);
  }

  async function databasePlace(): Promise<Config['database']> {
    const { locateDatabase } = await import('../core/config.ts');
    return locateDatabase({ dataDir: shared.dataDir }, host.env);
  }

  async function open(first: Partial<Config>, options: AppOptions): Promise<App> {
    const settings = await config();
    if (context.needsInstallation) {
      const { requireInstallation } = await import('./passing-place.ts');
      await requireInstallation(settings);
    }
    if (context.leavesNothing) {
      const { openPassingPlace } = await import('./passing-place.ts');
      passing = await openPassingPlace(settings);
      const { shownDatabase } = await import('./shown-database.ts');
      if (passing) output.say(speak('doctor.databaseNone', { place: shownDatabase(settings.database) }));
    }
    const { createApp } = await import('../core/app.ts');
    return createApp({ ...settings, ...first, ...passing?.config, logLevel: 'silent' }, options);
  }

  const context: Context = {
    host,
    output,
    input,
    speak,
    shared,
    config,
    databasePlace,
    app(first = {}, { mayMigrate = false, mayMissSecrets = false } = {}) {
      opened ??= open(first, { mayMigrate, mayMissSecrets });
      return opened;
    },
    async confirm(what, yes) {
      if (yes) return;
      if (!input.interactive) throw new AppError('cli.confirmNeeded', { what });
      if (!(await input.confirm(what))) throw new AppError('cli.declined');
    },
    async confirmWord(what, word, yes) {
      if (yes) return;
      if (!input.interactive) throw new AppError('cli.confirmNeeded', { what });
      if ((await input.ask(`${what} ${speak('confirm.typeWord', { word })}`)) !== word)
        throw new AppError('cli.declined');
    },
    exitCode: 0,
    leavesNothing: false,
    needsInstallation: false,
    async close() {
      // An installation that did not open has reported that already.
      const app = await opened?.catch(() => undefined);
      opened = undefined;
      await app?.close();
      await passing?.remove();
    },
  };
  return context;
}
