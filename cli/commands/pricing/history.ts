import type { Command } from 'commander';
import { systemActor } from '../../../core/schemas/actor.ts';
import { pagingSchema } from '../../../core/schemas/paging.ts';
import type { PriceHistoryRow } from '../../../core/schemas/price-sync.ts';
import type { Context } from '../../context.ts';
import { example } from '../../flag/selection.ts';
import { formatTime, rowsOfList } from '../../flag/value.ts';
import type { Column } from '../../output.ts';
import { changeOfFigure } from '../../print/price-figure.ts';

interface Flags {
  page?: string;
  pageSize?: string;
}

const columns: Column<PriceHistoryRow>[] = [
  { title: 'TIME', value: ({ created_at }) => formatTime(created_at), whole: true },
  { title: 'MODEL', value: ({ model }) => model, keep: true },
  { title: 'IN $/1M', value: ({ before, after }) => changeOfFigure(before, after, 'input'), right: true },
  { title: 'CACHED', extra: true, value: ({ before, after }) => changeOfFigure(before, after, 'cached'), right: true },
  { title: 'OUT $/1M', value: ({ before, after }) => changeOfFigure(before, after, 'output'), right: true },
  { title: '$/CALL', extra: true, value: ({ before, after }) => changeOfFigure(before, after, 'call'), right: true },
  { title: 'BY', value: ({ actor_name }) => actor_name },
  { title: 'FROM', value: ({ origin }) => origin || '-' },
  { title: 'LIST', extra: true, value: ({ list }) => list },
];

export function addHistory(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun.command('history').description(speak('help.pricingHistory'));
  example(command, context, 'pricing history', 'pricing history gpt-4o --json');
  command
    .argument('[model]', speak('argument.historyModel'))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'), String(rowsOfList))
    .action(async (model: string | undefined, { page, pageSize }: Flags) => {
      const { services } = await context.app();
      const paging = pagingSchema.parse({ page, page_size: pageSize });
      const found = await services.priceHistory.list(systemActor, { ...paging, model: model ?? '' });
      await output.list(found, columns);
    });
}
