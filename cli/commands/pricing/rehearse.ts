import type { Command } from 'commander';
import { formatQuota } from '../../../core/billing/quota.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { isJsonObject } from '../../../core/lib/json-value.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { priceRehearsalSchema, type RehearsalReport } from '../../../core/schemas/price-rehearsal.ts';
import { coded } from '../../../core/text/coded.ts';
import type { Context } from '../../context.ts';
import { example } from '../../flag/selection.ts';
import { formatTime } from '../../flag/value.ts';
import { readJsonFile } from '../../input/json-file.ts';
import type { Column } from '../../output.ts';
import { quotaFormat } from '../../print/quota-format.ts';

const subjects = ['model', 'user'] as const;

interface Flags {
  days?: string;
  by: (typeof subjects)[number];
}

interface Row {
  name: string;
  calls: number;
  old_quota: number;
  new_quota: number;
}

type FormatQuota = (quota: number) => string;

export function addRehearse(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun.command('rehearse').description(speak('help.pricingRehearse'));
  example(command, context, 'pricing rehearse prices.json --days 30', 'pricing rehearse prices.json --by user --json');
  command
    .argument('<file>', speak('argument.rehearsalFile'))
    .option('--days <number>', speak('flag.rehearsalDays'))
    .addOption(
      command
        .createOption('--by <what>', speak('flag.rehearsalBy'))
        .choices([...subjects])
        .default('model'),
    )
    .action(async (file: string, { days, by }: Flags) => {
      const options = await readJsonFile(context, file);
      if (!isJsonObject(options)) {
        throw new AppError('cli.fileProblem', { place: file, reason: coded('input.keysAndValues') });
      }
      const input = priceRehearsalSchema.parse({ options, days });
      const { services } = await context.app();
      const showRows = (count: number) => output.progress(speak('pricing.rehearsing', { count }));
      const rehearsal = services.priceRehearsals.rehearse(systemActor, input, showRows);
      const report = await rehearsal.finally(() => output.progress(undefined));
      if (output.json) return output.details(report);
      const format: FormatQuota = (quota) => formatQuota(quota, quotaFormat(services.options));
      const items = rowsOf(report, by);
      const total = by === 'model' ? report.model_count : report.user_count;
      await output.list({ items, page: 1, page_size: items.length, total }, columnsFor(by, format));
      sayTotals(context, report, format);
    });
}

function rowsOf({ models, users }: RehearsalReport, by: Flags['by']): Row[] {
  if (by === 'model') return models.map(({ model, ...sums }) => ({ name: model, ...sums }));
  return users.map(({ username, user_id, ...sums }) => ({ name: username || String(user_id), ...sums }));
}

function columnsFor(by: Flags['by'], format: FormatQuota): Column<Row>[] {
  return [
    { title: by.toUpperCase(), value: ({ name }) => name, keep: true },
    { title: 'CALLS', value: ({ calls }) => calls, right: true },
    { title: 'CHARGED', value: ({ old_quota }) => format(old_quota), right: true },
    { title: 'NEW', value: ({ new_quota }) => format(new_quota), right: true },
    { title: 'CHANGE', value: (row) => changeText(row, format), right: true },
  ];
}

function changeText({ old_quota, new_quota }: Omit<Row, 'name'>, format: FormatQuota): string {
  const change = new_quota - old_quota;
  const percent = old_quota > 0 ? ` (${change > 0 ? '+' : ''}${((change / old_quota) * 100).toFixed(1)}%)` : '';
  return change === 0 ? '-' : `${change > 0 ? '+' : ''}${format(change)}${percent}`;
}

function sayTotals({ output, speak }: Context, report: RehearsalReport, format: FormatQuota): void {
  const { total, start, end, skipped, skipped_calls, refunded_calls, ignored_options } = report;
  output.say(
    speak('pricing.rehearsed', {
      calls: total.calls,
      since: formatTime(start),
      until: formatTime(end),
      charged: format(total.old_quota),
      priced: format(total.new_quota),
      change: changeText(total, format),
    }),
  );
  if (skipped_calls > 0) output.say(speak('pricing.rehearsalSkipped', { count: skipped_calls }));
  for (const { reason, model, calls, quota } of skipped) {
    output.say(
      `  ${speak('pricing.rehearsalGap', { model, calls, quota: format(quota) })}: ${speak(`pricing.gap.${reason}`)}`,
    );
  }
  if (refunded_calls > 0) output.say(speak('pricing.rehearsalRefunded', { count: refunded_calls }));
  if (ignored_options.length > 0) output.say(speak('pricing.rehearsalIgnored', { keys: ignored_options.join(', ') }));
}
