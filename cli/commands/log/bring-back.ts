import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import type { Context } from '../../context.ts';
import { example } from '../../flag/selection.ts';
import { untilStopped } from '../../interruption.ts';
import { requireInstallation } from '../../passing-place.ts';
import { startCounter } from '../../print/counter.ts';

interface BringBackFlags {
  yes?: boolean;
}

export function addBringBack(noun: Command, context: Context): void {
  const { speak } = context;
  const command = noun
    .command('bring-back')
    .description(speak('help.logBringBack'))
    .option('-y, --yes', speak('flag.yes'))
    .action(({ yes }: BringBackFlags) => bringLogsBack(context, yes));
  example(command, context, 'log bring-back', 'log bring-back --yes');
}

async function bringLogsBack(context: Context, yes: boolean | undefined): Promise<void> {
  const { host, output, speak } = context;
  const config = await context.config();
  await requireInstallation(config);
  const { connect } = await import('../../../core/database/connect.ts');
  const { createLogStore, readLogStore } = await import('../../../core/database/log-store.ts');
  const { requireUnused } = await import('../../../core/billing/live-owner.ts');
  const { requireSchema } = await import('../../../core/database/migrate.ts');
  const { migrations } = await import('../../../migrations/index.ts');
  const { createAuditService } = await import('../../../core/services/audit.ts');
  const { bringBack, countLogs } = await import('../../../core/services/log-store/bring-back.ts');
  await requireSchema(config.database, migrations);
  await requireUnused(config.database);
  const main = await connect(config.database);
  const store = createLogStore({ main, target: config.logDatabase, migrations });
  try {
    if (!(await readLogStore(main))) throw new AppError('logStore.nothingToBring');
    const logs = await store.open();
    const count = await countLogs(logs);
    await context.confirm(speak('logBringBack.confirm', { count }), yes);
    const counter = startCounter(context, count);
    let isDone = false;
    const ending = await untilStopped(host, async (signal) => {
      const audit = createAuditService({ database: main });
      const onRows = (rows: number) => counter.add(rows);
      isDone = await bringBack(systemActor, { main, logs, audit, signal, onRows });
    }).finally(counter.end);
    if (ending !== 'interrupted' || isDone) return output.done(speak('logBringBack.done', { count }), { count });
    output.say(speak('logBringBack.stopped'));
    throw new AppError('cli.interrupted');
  } finally {
    await store.close();
    await main.close();
  }
}
