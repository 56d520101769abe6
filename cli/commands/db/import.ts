import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import type { Context } from '../../context.ts';
import { example } from '../../flag/selection.ts';
import type { ImportFlags } from './import-flags.ts';

export function addImport(noun: Command, context: Context): void {
  const { speak } = context;
  const command = noun
    .command('import')
    .description(speak('help.dbImport'))
    .argument('<place>', speak('flag.importPlace'))
    .option('--dry-run', speak('flag.importDryRun'))
    .option('--logs', speak('flag.importLogs'))
    .option('--merge', speak('flag.importMerge'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (named: string, flags: ImportFlags) => importFrom(context, await placeOf(context, named), flags));
  example(
    command,
    context,
    'db import one-api.db --dry-run',
    'db import one-api.db --logs --yes',
    'db import oneapi.sql --yes',
    'db import config.yaml --dry-run',
    'db import - < dsn.txt',
  );
}

/** What the place is says how it is read. */
async function importFrom(context: Context, place: string, flags: ImportFlags): Promise<void> {
  const { isConfigName } = await import('../../../core/services/gateway-config/name.ts');
  if (isFolder(place)) {
    const { importFolder } = await import('./import-folder.ts');
    return importFolder(context, place, flags);
  }
  if (isConfigName(place)) {
    const { importConfig } = await import('./import-config.ts');
    return importConfig(context, place, flags);
  }
  const { importDatabase } = await import('./import-database.ts');
  return importDatabase(context, place, flags);
}

const isFolder = (place: string) => statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

/** A file, or the address of a database; one with a password in it is not for the command line. */
async function placeOf({ input }: Context, named: string): Promise<string> {
  const place = named === '-' ? (await input.readAll()).trim() : named;
  if (named !== '-' && URL.canParse(named) && new URL(named).password !== '') {
    throw new AppError('cli.secretInWords', { flag: 'db import', instead: '- < file' });
  }
  return /^\w+:\/\/|@(tcp|unix)\(/.test(place) ? place : resolve(place);
}
