import type { Command } from 'commander';
import { formatQuota } from '../../core/billing/quota.ts';
import { nowSeconds, secondsPerDay } from '../../core/lib/clock.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { type UsageSubject, type UsageSum, usageReportSchema, usageSubjects } from '../../core/schemas/usage-report.ts';
import type { Context } from '../context.ts';
import { example } from '../flag/selection.ts';
import { formatTime, parseRange } from '../flag/value.ts';
import type { Column } from '../output.ts';
import { quotaFormat } from '../print/quota-format.ts';

interface Flags {
  by: UsageSubject;
  user?: string;
  since?: string;
  until?: string;
  split?: boolean;
}

interface Row extends UsageSum {
  /** Of the spending, 0 to 1. */
  share: number;
}

const defaultDays = 30;

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  const show = noun.command('show').description(speak('help.usageShow'));
  example(show, context, 'usage show --by user --since 7d', 'usage show --by day --user alice --split --json');
  show
    .addOption(
      show
        .createOption('--by <what>', speak('flag.by'))
        .choices([...usageSubjects])
        .default('model'),
    )
    .option('--user <user>', speak('flag.usageUser'))
    .option('--since <when>', speak('flag.usageSince'))
    .option('--until <when>', speak('flag.until'))
    .option('--split', speak('flag.split'))
    .action(async ({ by, user, since, until, split }: Flags) => {
      const now = nowSeconds();
      const { start = now - defaultDays * secondsPerDay, end = now } = parseRange({ since, until }, now);
      const { services } = await context.app();
      const input = usageReportSchema.parse({
        by,
        username: user === undefined ? '' : (await services.users.find(systemActor, user)).username,
        start_timestamp: start,
        end_timestamp: end,
        split,
      });
      const sums = await services.usageReport.read(systemActor, input);
      const totals = { calls: sumOf(sums, 'calls'), tokens: sumOf(sums, 'tokens'), quota: sumOf(sums, 'quota') };
      const items = sums.map((sum) => ({ ...sum, share: shareOf(sum.quota, totals.quota) }));
      const { start_timestamp, end_timestamp } = input;
      const page = {
        items,
        page: 1,
        page_size: items.length,
        total: items.length,
        start_timestamp,
        end_timestamp,
        totals,
      };
      const format = (quota: number) => formatQuota(quota, quotaFormat(services.options));
      await output.list(page, columnsFor(by, format, split || by === 'channel'));
      // Days begin at midnight of this zone; a console takes the zone of its browser.
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const range = { since: formatTime(start_timestamp), until: formatTime(end_timestamp), zone };
      output.say(speak('usage.totals', { ...totals, quota: format(totals.quota), ...range }));
    });
}

const sumOf = (sums: UsageSum[], name: 'calls' | 'tokens' | 'quota') =>
  sums.reduce((total, sum) => total + sum[name], 0);

const shareOf = (quota: number, total: number) => (total > 0 ? Math.round((quota / total) * 10_000) / 10_000 : 0);

const partColumns = (format: (quota: number) => string): Column<Row>[] => [
  { title: 'IN', value: ({ prompt_tokens }) => prompt_tokens, right: true },
  { title: 'OUT', value: ({ completion_tokens }) => completion_tokens, right: true },
  { title: 'CACHED', value: cachedText, right: true },
  { title: 'SAVED', value: ({ saved_quota }) => format(saved_quota ?? 0), right: true },
];

/** Of the prompt tokens. */
function cachedText({ prompt_tokens: prompt, cached_tokens: cached }: Row): string {
  return `${((prompt ? (cached ?? 0) / prompt : 0) * 100).toFixed(1)}%`;
}

function columnsFor(by: UsageSubject, format: (quota: number) => string, isSplit: boolean): Column<Row>[] {
  const hasId = by === 'user' || by === 'channel';
  return [
    ...(hasId ? [{ title: 'ID', value: ({ id }: Row) => id, right: true }] : []),
    { title: by.toUpperCase(), value: ({ name }) => name || '-', keep: true },
    { title: 'CALLS', value: ({ calls }) => calls, right: true },
    { title: 'TOKENS', value: ({ tokens }) => tokens, right: true },
    ...(isSplit ? partColumns(format) : []),
    { title: 'SPENT', value: ({ quota }) => format(quota), right: true },
    { title: 'SHARE', value: ({ share }) => `${(share * 100).toFixed(1)}%`, right: true },
  ];
}
