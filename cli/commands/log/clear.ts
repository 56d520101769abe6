import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { logClearSchema } from '../../../core/schemas/log.ts';
import type { Context } from '../../context.ts';
import { example } from '../../flag/selection.ts';
import { formatTime, parseTime } from '../../flag/value.ts';
import { untilStopped } from '../../interruption.ts';
import { startProgress } from '../../print/progress.ts';

interface Flags {
  before: string;
  dryRun?: boolean;
  yes?: boolean;
}

export function addClear(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun
    .command('clear')
    .description(speak('help.logClear'))
    .requiredOption('--before <when>', speak('flag.before'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async ({ before, dryRun, yes }: Flags) => {
      const target_timestamp = parseTime(before, nowSeconds());
      const { services } = await context.app();
      const total = await services.logs.clear(systemActor, logClearSchema.parse({ target_timestamp, dry_run: true }));
      const details = { count: total, time: formatTime(target_timestamp) };
      // Counted by the same filter and not rehearsed: deleting millions of rows would hold the write lock for minutes.
      if (dryRun) return output.done(speak('log.wouldClear', details), { count: total });
      if (total > 0) await context.confirmWord(speak('log.askClear', details), 'clear', yes);
      const count = await clear(context, target_timestamp, total);
      output.done(speak('log.cleared', { ...details, count }), { count });
    });
  example(command, context, 'log clear --before 90d --dry-run', 'log clear --before 2026-01-01 --yes');
}

/** In batches: an interruption ends after the batch under way, and what is gone is told. */
async function clear(context: Context, target_timestamp: number, total: number): Promise<number> {
  const { app, host, output, speak } = context;
  const { services } = await app();
  const progress = startProgress(context, total);
  let deleted = 0;
  const ending = await untilStopped(host, async (signal) => {
    deleted = await services.logs.clear(systemActor, logClearSchema.parse({ target_timestamp }), (done) => {
      deleted = done;
      progress.at(done);
      if (signal.aborted) throw new AppError('cli.interrupted');
    });
  }).finally(progress.end);
  if (ending !== 'interrupted') return deleted;
  const message = speak('log.clearStopped', { count: deleted });
  output.step({ success: false, message, data: { count: deleted } }, message);
  throw new AppError('cli.interrupted');
}
