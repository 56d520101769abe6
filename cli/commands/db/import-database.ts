import { AppError } from '../../../core/errors/app-error.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { TakeoverSource } from '../../../core/services/takeover/source.ts';
import type { TakeoverReport } from '../../../core/services/takeover/takeover.ts';
import type { Context } from '../../context.ts';
import { exitCode } from '../../failure.ts';
import { untilStopped } from '../../interruption.ts';
import { startCounter } from '../../print/counter.ts';
import type { ImportFlags } from './import-flags.ts';
import { printReport } from './import-report.ts';

/** Takes over the database of one-api, new-api or one-hub. */
export async function importDatabase(context: Context, place: string, flags: ImportFlags): Promise<void> {
  const { openSource } = await import('../../../core/services/takeover/source.ts');
  const source = await openSource(place, { logs: flags.logs ?? false });
  try {
    await takeOverFrom(context, source, flags);
  } finally {
    await source.close();
  }
}

async function takeOverFrom(context: Context, source: TakeoverSource, flags: ImportFlags): Promise<void> {
  const { speak, host } = context;
  const { dryRun = false, merge = false, logs = false, yes } = flags;
  const { database: target } = await context.config();
  const { requireUnused } = await import('../../../core/billing/live-owner.ts');
  await requireUnused(target);
  if (!dryRun) {
    const [users, channels] = [await source.count('users'), await source.count('channels')];
    await context.confirm(speak('import.confirm', { kind: source.kind, users, channels }), yes);
  }
  const { countRows, takeOver } = await import('../../../core/services/takeover/takeover.ts');
  const { database, secretBox, services } = await context.app();
  const { options, abilities, audit } = services;
  const dependencies = { database, secretBox, options, abilities, audit, now: nowSeconds };
  const counter = startCounter(context, await countRows(source, logs && !dryRun));
  let report: TakeoverReport | undefined;
  const ending = await untilStopped(host, async (signal) => {
    const heard = { onRows: counter.add, onTable: counter.table };
    report = await takeOver(systemActor, dependencies, { source, dryRun, merge, logs, signal, ...heard });
  }).finally(counter.end);
  if (ending === 'interrupted') context.exitCode = exitCode.interrupted;
  if (!report) return context.output.error(new AppError('takeover.interrupted'));
  await printReport(context, report, dryRun);
  if (ending === 'interrupted') context.output.say(speak('import.logsInterrupted'));
}
