import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { OptionSet } from '../../../core/schemas/option.ts';
import { coded } from '../../../core/text/coded.ts';
import type { Context } from '../../context.ts';
import { rehearse } from '../../flag/rehearsal.ts';
import { example } from '../../flag/selection.ts';
import { readJsonFile } from '../../input/json-file.ts';
import { jsonText } from '../../output.ts';
import { sayCleared } from './change.ts';

interface ImportFlags {
  keepSecret?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

export function addTransfer(noun: Command, context: Context): void {
  const { output, speak } = context;

  const exporting = noun.command('export').description(speak('help.optionExport'));
  example(exporting, context, 'option export > options.json');
  exporting
    .option('--with-secrets', speak('flag.withSecrets'))
    .action(async ({ withSecrets = false }: { withSecrets?: boolean }) => {
      if (withSecrets && output.terminal) await context.confirm(speak('option.askExportSecrets'), false);
      const { services } = await context.app();
      const values = await services.optionTransfer.exportAll(systemActor, { withSecrets });
      output.text(`${jsonText(values, 2)}\n`);
      if (withSecrets) output.say(speak('option.exportedSecrets'));
    });

  const importing = noun.command('import').description(speak('help.optionImport'));
  example(importing, context, 'option import options.json --dry-run', 'option import options.json --yes');
  importing
    .argument('<file>', speak('argument.file'))
    .option('--keep-secret', speak('flag.keepSecret'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (file: string, { keepSecret = false, dryRun, yes }: ImportFlags) => {
      const changes = await readChanges(context, file);
      const { services } = await context.app();
      const work = () => services.options.setMany(systemActor, changes, { keepSecret, from: { origin: 'import' } });
      if (dryRun) return rehearse(context, work);
      const keys = changes.map(({ key }) => key);
      const details = { count: keys.length, keys: keys.join(', ') };
      if (keys.length === 0) return output.done(speak('option.importNothing'), { keys });
      await context.confirm(speak('option.askImport', details), yes);
      const change = await work();
      output.done(speak('option.imported', details), { keys });
      sayCleared(output, change);
    });
}

/** Every key and value that is wrong is told, before anything is written. */
async function readChanges(context: Context, file: string): Promise<OptionSet[]> {
  const values = await readJsonFile(context, file);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new AppError('cli.fileProblem', { place: file, reason: coded('input.keysAndValues') });
  }
  const { services } = await context.app();
  const { changes, problems } = services.optionTransfer.planImport(systemActor, values as Record<string, unknown>);
  for (const { error } of problems) context.output.error(error);
  if (problems.length > 0) throw new AppError('cli.fileInvalid', { file, count: problems.length });
  return changes;
}
