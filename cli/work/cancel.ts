import type { Command } from 'commander';
import { formatQuota } from '../../core/billing/quota.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import type { TaskNoun } from '../../core/services/task/find.ts';
import { reasonIn } from '../../core/services/task/reason.ts';
import type { Context } from '../context.ts';
import { forEach, namesFrom } from '../flag/selection.ts';
import { quotaFormat } from '../print/quota-format.ts';

interface CancelFlags {
  dryRun?: boolean;
  yes?: boolean;
}

/** Adds what `cancel` takes and does. A dry run asks no provider: what one would say is not known. */
export function addCancel(command: Command, context: Context, noun: TaskNoun): void {
  const { output, speak } = context;
  command
    .argument(`<${noun}s...>`, speak('argument.tasks'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], { dryRun, yes }: CancelFlags, self: Command) => {
      const names = await namesFrom(context, words, self);
      const { services } = await context.app();
      if (dryRun) {
        return forEach(context, names, async (word) => {
          const { task } = await services.taskCancel.check(systemActor, noun, word);
          const id = task.task_id;
          return { message: speak('work.wouldCancel', { id }), data: { id: task.id, task_id: id } };
        });
      }
      // What cannot be canceled is said before anything is asked.
      for (const word of names) await services.taskCancel.check(systemActor, noun, word);
      await context.confirm(speak('work.askCancel', { names: names.join(', ') }), yes);
      await forEach(context, names, async (word) => {
        const canceled = reasonIn(output.language, await services.taskCancel.cancel(systemActor, noun, word));
        const amount = formatQuota(canceled.refunded, quotaFormat(services.options));
        return { message: speak('work.canceled', { id: canceled.task_id, amount }), data: canceled };
      });
    });
}
