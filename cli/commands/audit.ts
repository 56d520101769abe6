import type { Command } from 'commander';
import { formatQuota, grouped } from '../../core/billing/quota.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { nowSeconds } from '../../core/lib/clock.ts';
import { systemActor } from '../../core/schemas/actor.ts';
import { type Audit, auditListSchema } from '../../core/schemas/audit.ts';
import { auditIn } from '../../core/services/audit.ts';
import { coded } from '../../core/text/coded.ts';
import type { Context } from '../context.ts';
import { example } from '../flag/selection.ts';
import { formatTime, parseRange, rowsOfList } from '../flag/value.ts';
import type { Column } from '../output.ts';
import { quotaFormat } from '../print/quota-format.ts';

/** No account has a longer name. */
const maxNameLength = 64;

interface ListFlags {
  action?: string;
  kind?: string;
  object?: string;
  user?: string;
  /** The former name of `user`. */
  actor?: string;
  since?: string;
  until?: string;
  page?: string;
  pageSize?: string;
}

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  const list = noun.command('list').description(speak('help.auditList'));
  example(list, context, 'audit list --kind user --since 1d', 'audit list --action token.reveal --user alice');
  list
    .option('--action <name>', speak('flag.auditAction'))
    .option('--kind <text>', speak('flag.auditKind'))
    .option('--object <id>', speak('flag.auditObject'))
    .option('--user <user>', speak('flag.auditActor'))
    .addOption(list.createOption('--actor <user>').hideHelp())
    .option('--since <when>', speak('flag.since'))
    .option('--until <when>', speak('flag.until'))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'), String(rowsOfList))
    .action(async ({ kind, object, user, actor, since, until, pageSize, ...flags }: ListFlags) => {
      const who = user ?? actor;
      if (who !== undefined && who.length > maxNameLength)
        throw new AppError('object.notFound', { what: coded('noun.user'), id: who.slice(0, 40), noun: 'user' });
      const { start, end } = parseRange({ since, until }, nowSeconds());
      const time = (seconds: number | undefined) => (seconds === undefined ? undefined : String(seconds));
      const input = auditListSchema.parse({
        ...flags,
        actor: who,
        object_kind: kind,
        object_id: object,
        start_timestamp: time(start),
        end_timestamp: time(end),
        page_size: pageSize,
      });
      const { services } = await context.app();
      const found = await services.audit.list(systemActor, input);
      const format = quotaFormat(services.options);
      const moneyOf = (quota: number) => grouped(formatQuota(quota, format));
      await output.list({ ...found, items: found.items.map((row) => auditIn(output.language, row, moneyOf)) }, columns);
    });
}

const columns: Column<Audit>[] = [
  { title: 'ID', value: ({ id }) => id, right: true },
  { title: 'TIME', whole: true, value: ({ created_at }) => formatTime(created_at) },
  { title: 'WHAT', value: ({ sentence }) => sentence.map(({ text }) => text).join('') },
  { title: 'ADDRESS', extra: true, value: ({ address }) => address },
  { title: 'ACTION', extra: true, value: ({ action }) => action },
  { title: 'OBJECT', extra: true, value: ({ object_id }) => object_id },
  { title: 'BEFORE', extra: true, value: ({ before }) => (before ? JSON.stringify(before) : '') },
  { title: 'AFTER', extra: true, value: ({ after }) => (after ? JSON.stringify(after) : '') },
];
