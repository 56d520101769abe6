import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { ArchiveResult } from '../../../core/services/log-archive/archive.ts';
import { coded } from '../../../core/text/coded.ts';
import type { Context } from '../../context.ts';
import { example } from '../../flag/selection.ts';
import { formatTime, parseTime } from '../../flag/value.ts';
import { untilStopped } from '../../interruption.ts';
import { startProgress } from '../../print/progress.ts';

interface ArchiveFlags {
  before: string;
  to: string;
  keep?: boolean;
  dryRun?: boolean;
}

export function addArchive(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun
    .command('archive')
    .description(speak('help.logArchive'))
    .requiredOption('--before <when>', speak('flag.before'))
    .requiredOption('--to <folder>', speak('flag.archiveTo'))
    .option('--keep', speak('flag.archiveKeep'))
    .option('--dry-run', speak('flag.dryRun'))
    .action(async ({ before: when, to, keep = false, dryRun }: ArchiveFlags) => {
      if (to.trim() === '') throw new AppError('input.invalid', { reason: `--to: ${coded('archive.folder')}` });
      const before = parseTime(when, nowSeconds());
      const folder = resolve(to);
      const { database } = await context.app();
      const { monthsBefore } = await import('../../../core/services/log-archive/archive.ts');
      const months = await monthsBefore(systemActor, { database }, before);
      const total = months.reduce((sum, { rows }) => sum + rows, 0);
      const details = { time: formatTime(before), folder };
      if (dryRun) return output.done(speak('archive.would', { ...details, count: total }), { count: total, months });
      const result = await archive(context, { folder, before, keep }, total);
      const files = result.files.length;
      const text = keep ? 'archive.kept' : 'archive.moved';
      output.done(speak(text, { ...details, count: keep ? result.written : result.deleted, files }), { ...result });
    });
  example(
    command,
    context,
    'log archive --before 2026-01-01 --to /mnt/logs',
    'log archive --before 90d --to /mnt/logs --dry-run',
  );
}

type Wish = { folder: string; before: number; keep: boolean };

/** What is done stays done: an interruption ends after the batch under way, and the same command goes on. */
async function archive(context: Context, wish: Wish, total: number): Promise<ArchiveResult> {
  const { app, host, output, speak } = context;
  const { database, services } = await app();
  const { archiveLogs } = await import('../../../core/services/log-archive/archive.ts');
  // Each row is written, and then deleted.
  const progress = startProgress(context, wish.keep ? total : 2 * total);
  let done = 0;
  let result: ArchiveResult = { files: [], written: 0, deleted: 0 };
  const ending = await untilStopped(host, async (signal) => {
    const onRows = (count: number) => {
      done += count;
      progress.at(done);
    };
    result = await archiveLogs(systemActor, { database, audit: services.audit }, { ...wish, signal, onRows });
  }).finally(progress.end);
  if (ending !== 'interrupted') return result;
  const message = speak('archive.stopped', { count: result.deleted });
  output.step({ success: false, message, data: result }, message);
  throw new AppError('cli.interrupted');
}
