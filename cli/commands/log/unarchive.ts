import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { UnarchiveResult } from '../../../core/services/log-archive/unarchive.ts';
import { coded } from '../../../core/text/coded.ts';
import type { Context } from '../../context.ts';
import { example } from '../../flag/selection.ts';
import { untilStopped } from '../../interruption.ts';
import { startProgress } from '../../print/progress.ts';

interface UnarchiveFlags {
  month?: string;
  dryRun?: boolean;
}

export function addUnarchive(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun
    .command('unarchive')
    .description(speak('help.logUnarchive'))
    .argument('<folder>', speak('argument.archive'))
    .option('--month <yyyy-MM>', speak('flag.archiveMonth'))
    .option('--dry-run', speak('flag.dryRun'))
    .action(async (named: string, { month, dryRun }: UnarchiveFlags) => {
      if (month !== undefined && !/^\d{4}-\d{2}$/.test(month))
        throw new AppError('input.invalid', { reason: `--month "${month.slice(0, 40)}": ${coded('archive.month')}` });
      const folder = resolve(named);
      const { checkArchive } = await import('../../../core/services/log-archive/unarchive.ts');
      const files = await checkArchive(folder, month);
      const total = files.reduce((sum, { rows }) => sum + rows, 0);
      if (dryRun) return output.done(speak('archive.wouldRestore', { count: total, folder }), { count: total, files });
      const { result, days } = await restore(context, { folder, month }, total);
      output.done(speak('archive.restored', { count: result.restored, present: result.present }), { ...result });
      if (days > 0) output.say(speak('archive.retention', { days }));
    });
  example(command, context, 'log unarchive /mnt/logs --month 2025-12', 'log unarchive /mnt/logs --dry-run');
}

async function restore(context: Context, wish: { folder: string; month: string | undefined }, total: number) {
  const { app, host, output, speak } = context;
  const { database, services } = await app();
  const { unarchiveLogs } = await import('../../../core/services/log-archive/unarchive.ts');
  const progress = startProgress(context, total);
  let done = 0;
  let result: UnarchiveResult = { files: [], restored: 0, present: 0 };
  const ending = await untilStopped(host, async (signal) => {
    const onRows = (count: number) => {
      done += count;
      progress.at(done);
    };
    result = await unarchiveLogs(systemActor, { database, audit: services.audit }, { ...wish, signal, onRows });
  }).finally(progress.end);
  if (ending !== 'interrupted') return { result, days: services.options.get('LogRetentionDays') };
  const message = speak('archive.restoreStopped', { count: result.restored });
  output.step({ success: false, message, data: result }, message);
  throw new AppError('cli.interrupted');
}
