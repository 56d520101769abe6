import type { Command } from 'commander';
import type { App } from '../../../core/app.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Change } from '../../../core/schemas/audit.ts';
import { readChannelDocument } from '../../../core/schemas/channel-document.ts';
import type { ImportStep } from '../../../core/services/channel/transfer.ts';
import { refusalsOf, runStep } from '../../channel-import.ts';
import type { Context } from '../../context.ts';
import { exitCode } from '../../failure.ts';
import { printChanges } from '../../flag/rehearsal.ts';
import { example, forEach } from '../../flag/selection.ts';
import { readJsonFile } from '../../input/json-file.ts';
import { jsonText } from '../../output.ts';
import { addFilterFlags, type FilterFlags, filterFrom } from './filter.ts';
import { findAll, listAll } from './switch.ts';

interface ExportFlags extends FilterFlags {
  keys: boolean;
}

interface ImportFlags {
  update?: boolean;
  keepKey?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

/** Channels rehearsed at a time: a server beside the dry run waits no longer than they take. */
const rehearsedAtOnce = 25;

export function addTransfer(noun: Command, context: Context): void {
  const { output, speak } = context;

  const exporting = noun.command('export').description(speak('help.channelExport'));
  example(
    exporting,
    context,
    'channel export --no-keys > channels.json',
    'channel export main backup | ssh other tollgate channel import - --yes',
  );
  exporting.argument('[channels...]', speak('argument.channels'));
  addFilterFlags(exporting, context)
    .option('--no-keys', speak('flag.noKeys'))
    .action(async (words: string[], { keys, ...flags }: ExportFlags) => {
      const app = await context.app();
      const channels = words.length > 0 ? await findAll(app, words) : await listAll(app, filterFrom(flags));
      const count = channels.length;
      if (keys && output.terminal) await context.confirm(speak('channel.askExportKeys', { count }), false);
      const ids = channels.map(({ id }) => id);
      const { document, unreadable } = await app.services.channels.exportAll(systemActor, ids, { withKeys: keys });
      output.text(`${jsonText(document, 2)}\n`);
      const written = count - unreadable.length;
      if (keys && written > 0) output.say(speak('channel.exportedKeys', { count: written }));
      if (unreadable.length > 0) throw new AppError('channel.keysNotExported', { names: unreadable.join(', ') });
    });

  const importing = noun.command('import').description(speak('help.channelImport'));
  example(importing, context, 'channel import channels.json --dry-run', 'channel import channels.json --update --yes');
  importing
    .argument('<file>', speak('argument.file'))
    .option('--update', speak('flag.importUpdate'))
    .option('--keep-key', speak('flag.keepKey'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (file: string, flags: ImportFlags) => {
      const steps = await readSteps(context, file);
      if (flags.dryRun) return rehearseImport(context, steps, flags);
      const created = steps.filter(({ id }) => id === undefined).length;
      const updated = flags.update ? steps.filter(({ changed }) => changed.length > 0).length : 0;
      if (created + updated > 0) await context.confirm(speak('channel.askImport', { created, updated }), flags.yes);
      const app = await context.app();
      await forEach(context, steps, (step) => runStep(context, app, step, flags));
    });
}

/** Everything that is wrong with the file is told, before anything is written. */
async function readSteps(context: Context, file: string): Promise<ImportStep[]> {
  const { entries, problems } = readChannelDocument(withKeysOfEnvironment(await readJsonFile(context, file), context));
  const { services } = await context.app();
  const steps: ImportStep[] = [];
  if (problems.length === 0) steps.push(...(await services.channels.planImport(systemActor, entries)));
  for (const { entry, id } of steps) problems.push(...refusalsOf(services, entry, id === undefined));
  if (problems.length === 0) return steps;
  for (const { place, field, reason } of problems) {
    const where = [place, field].filter(Boolean).join('.') || file;
    context.output.error(new AppError('cli.fileProblem', { place: where, reason }));
  }
  throw new AppError('cli.fileInvalid', { file, count: problems.length });
}

/** `"key_env": "NAME"` in place of a key: a file without secrets can be kept under version control. */
function withKeysOfEnvironment(value: unknown, context: Context): unknown {
  if (Array.isArray(value)) return value.map((item) => withKeysOfEnvironment(item, context));
  if (typeof value !== 'object' || value === null) return value;
  const { key_env: name, ...rest } = value as { key_env?: unknown; channels?: unknown };
  if (Array.isArray(rest.channels)) return { ...rest, channels: withKeysOfEnvironment(rest.channels, context) };
  if (typeof name !== 'string') return value;
  const key = context.host.env[name];
  if (!key) throw new AppError('cli.environmentMissing', { name });
  return { ...rest, key };
}

async function rehearseImport(context: Context, steps: ImportStep[], flags: ImportFlags): Promise<void> {
  const app = await context.app();
  const changes: Change[] = [];
  for (let at = 0; at < steps.length; at += rehearsedAtOnce) {
    const rehearsed = await app.services.rehearsals.rehearse(async () => {
      for (const step of steps.slice(at, at + rehearsedAtOnce)) await tryStep(context, app, step, flags);
    });
    changes.push(...rehearsed.changes);
  }
  await printChanges(context, changes);
}

async function tryStep(context: Context, app: App, step: ImportStep, flags: ImportFlags): Promise<void> {
  try {
    await runStep(context, app, step, flags);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.output.error(error);
    context.exitCode = exitCode.batch;
  }
}
