import type { Command } from 'commander';
import { parseQuota } from '../../../core/billing/parse-quota.ts';
import { formatQuota } from '../../../core/billing/quota.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import {
  defaultCodeQuota,
  type Redemption,
  redemptionCreateSchema,
  redemptionUpdateSchema,
} from '../../../core/schemas/redemption.ts';
import type { Context } from '../../context.ts';
import { rehearse } from '../../flag/rehearsal.ts';
import { example, namesFrom, recordEach, usage } from '../../flag/selection.ts';
import { askSmallQuota } from '../../flag/small-quota.ts';
import { parseExpiry, wholeNumber } from '../../flag/value.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { findRedemptions } from './find.ts';

interface CreateFlags {
  name?: string;
  quota?: string;
  count: string;
  expires?: string;
  dryRun?: boolean;
  yes?: boolean;
}

interface UpdateFlags {
  name?: string;
  quota?: string;
  expires?: string;
  dryRun?: boolean;
  yes?: boolean;
}

export function addWrite(noun: Command, context: Context): void {
  const { output, speak } = context;
  const create = noun.command('create').description(speak('help.redemptionCreate'));
  example(create, context, "redemption create --name spring --quota '$5' --count 20 --expires 90d > codes.txt");
  create
    .option('--name <text>', speak('flag.codeName'))
    .option('--quota <quota>', speak('flag.newWorth', { quota: defaultCodeQuota }))
    .option('--count <number>', speak('flag.count'), '1')
    .option('--expires <when>', speak('flag.withDefault', { text: speak('flag.expires'), value: 'never' }))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async ({ name, quota, count, expires, dryRun, yes }: CreateFlags) => {
      const { services } = await context.app();
      const input = redemptionCreateSchema.parse({
        name,
        quota: quota === undefined ? undefined : parseQuota(quota, services.options.get('QuotaPerUnit')),
        count: wholeNumber(count),
        expired_time: expiryFrom(expires),
      });
      await askSmallQuota(context, quota, quotaFormat(services.options), { dryRun, yes });
      const work = () => services.redemptions.create(systemActor, input);
      if (dryRun) return rehearse(context, work);
      const keys = await work();
      const worth = formatQuota(input.quota, quotaFormat(services.options));
      const { count: _, ...fields } = { ...input, name: input.name || worth };
      output.say(speak('redemption.created', { count: keys.length, name: fields.name, quota: worth }));
      // The codes alone go to standard output, so that a script can keep them.
      for (const key of keys) output.record({ ...fields, key }, key);
    });

  const update = noun.command('update').description(speak('help.redemptionUpdate'));
  example(update, context, "redemption update 12 --quota '$10' --expires never");
  update
    .argument('<codes...>', speak('argument.redemptions'))
    .option('--name <text>', speak('flag.name'))
    .option('--quota <quota>', speak('flag.worth'))
    .option('--expires <when>', speak('flag.expires'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], { name, quota, expires, dryRun, yes }: UpdateFlags, command: Command) => {
      if (name === undefined && quota === undefined && expires === undefined)
        throw usage(command, speak('usage.nothingToChange'));
      const app = await context.app();
      const { redemptions, options } = app.services;
      const codes = await findRedemptions(app, await namesFrom(context, words, command));
      await askSmallQuota(context, quota, quotaFormat(options), { dryRun, yes });
      const work = async (code: Redemption) => {
        const input = redemptionUpdateSchema.parse({
          id: code.id,
          name,
          quota: quota === undefined ? undefined : parseQuota(quota, options.get('QuotaPerUnit')),
          expired_time: expiryFrom(expires),
        });
        const record = await redemptions.update(systemActor, input);
        return { record, message: speak('redemption.updated', { id: record.id, name: record.name }) };
      };
      await recordEach(context, codes, work, { dryRun });
    });
}

/** Codes that never expire have 0 where tokens have -1. */
const expiryFrom = (text: string | undefined) =>
  text === undefined ? undefined : Math.max(0, parseExpiry(text, nowSeconds()));
