import { spawn } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { Context } from '../context.ts';
import { bindingFolder } from './binding.ts';
import type { Finding } from './finding.ts';

/** What the program itself can do about a finding. */
export interface Mend {
  what: string;
  run(): Promise<void>;
  /** The program must be restarted to see the effect. */
  endsRun?: boolean;
}

/** Undefined where only a person can help: the finding says how. */
export function mendOf({ check, status }: Finding, config: Config, context: Context): Mend | undefined {
  const { speak, host } = context;
  if (status === 'ok') return undefined;
  const path = config.dataDirectory;
  if (check === 'data' && status === 'warn') {
    return { what: speak('mend.folder', { path }), run: () => chmod(path, 0o700) };
  }
  if (check === 'masterKey') {
    return { what: speak('mend.masterKey'), run: () => chmod(join(path, 'master.key'), 0o600) };
  }
  if (check === 'sqlite') {
    return { what: speak('mend.binding'), run: () => runInstaller(bindingFolder(), host.env), endsRun: true };
  }
  if (check === 'migrations') return { what: speak('mend.migrations'), run: () => migrateNow(config) };
  if (check === 'abilities') return { what: speak('mend.abilities'), run: () => fixAbilities(context) };
  return undefined;
}

async function migrateNow({ database }: Config): Promise<void> {
  const { migrate } = await import('../../core/database/migrate.ts');
  const { migrations } = await import('../../migrations/index.ts');
  await migrate(database, migrations);
}

async function fixAbilities(context: Context): Promise<void> {
  const { services } = await context.app();
  await services.abilities.fixAll();
}

/** The package manager runs the package's own script, with the tools it needs beside it. */
const packageManager = 'npm';

/** Runs a package's own installer in its folder: SQLite's fetches the prebuilt file, or builds it. */
export async function runInstaller(folder: string, environment: Record<string, string | undefined>): Promise<void> {
  const said: string[] = [];
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(packageManager, ['run', 'install'], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // There it is a script of the command line.
      shell: process.platform === 'win32',
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => said.push(text));
    }
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === 0) return;
  const lines = said.join('').trim().split('\n');
  // The builder ends with its own version and folder.
  const reason = lines.find((line) => /\bError: /.test(line)) ?? lines.slice(-3).join(' ');
  throw new AppError('doctor.installFailed', { reason: reason.slice(-300) || `code ${code}` });
}
