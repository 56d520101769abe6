import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../core/config.ts';
import { AppError } from '../core/errors/app-error.ts';

/** What is printed is all that these are for. */
const readingVerbs = [
  ...['explain', 'export', 'get', 'health', 'history', 'list', 'models', 'offer', 'show', 'show-key', 'stat', 'status'],
  ...['stray', 'test', 'wait'],
];

/** What they change must be there; a list of changes to nothing would leave a new installation behind, perhaps in a mistyped folder. */
const changingVerbs = [
  ...['archive', 'balance', 'bring-back', 'cancel', 'clear', 'complete', 'copy', 'demote', 'disable', 'disable-2fa'],
  ...['dissolve', 'enable', 'fix', 'promote', 'quota', 'rehearse', 'remove', 'reset', 'rotate', 'stray', 'unarchive'],
];

export interface PassingPlace {
  config: Pick<Config, 'dataDirectory' | 'database' | 'logDatabase' | 'readReplica'>;
  remove(): Promise<void>;
}

/** A rehearsal, or a command that only reads. */
export function leavesNothing(command: Command): boolean {
  const { dryRun, yes } = command.opts<{ dryRun?: boolean; yes?: boolean }>();
  // Some write what they show when it is confirmed.
  return dryRun === true || (readingVerbs.includes(command.name()) && yes !== true);
}

/** A command that only makes sense where there is an installation. */
export function needsInstallation(command: Command): boolean {
  const [verb, noun] = [command.name(), command.parent?.name() ?? ''];
  // Every installation has root, which may be set up by it; keys and tags are those of a channel.
  if (verb === 'update') return noun !== 'user';
  return (
    (changingVerbs.includes(verb) && !leavesNothing(command)) || (['key', 'tag'].includes(noun) && verb !== 'list')
  );
}

/** For commands that are about a whole installation: an empty one would look like success. */
export async function requireInstallation(config: Config): Promise<void> {
  if (await isMade(config)) return;
  const { shownDatabase } = await import('./shown-database.ts');
  throw new AppError('database.none', { place: shownDatabase(config.database) });
}

/**
 * Where there is no installation yet, one that is removed at the end of the command: neither a rehearsal nor a list, perhaps
 * with a mistyped folder, leaves a key and an empty database behind.
 */
export async function openPassingPlace(config: Config): Promise<PassingPlace | undefined> {
  if (await isMade(config)) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-'));
  return {
    config: {
      dataDirectory: folder,
      database: { engine: 'sqlite', file: join(folder, 'tollgate.db') },
      logDatabase: undefined,
      readReplica: undefined,
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function isMade(config: Config): Promise<boolean> {
  const { database } = config;
  if (database.engine === 'sqlite') {
    if (isThere(database.file)) return true;
    // One that is gone is told as at any other command.
    const { checkSqliteFile } = await import('../core/billing/check-sqlite.ts');
    await checkSqliteFile(database.file, config);
    return false;
  }
  const { migrationStatus } = await import('../core/database/migrate.ts');
  const { migrations } = await import('../migrations/index.ts');
  return (await migrationStatus(database, migrations)).executed.length > 0;
}

/** A folder that this user may not look into is not an empty one: that error is told. */
function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}
