import type { Command } from 'commander';
import { parseQuota } from '../../../core/billing/parse-quota.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { randomAlphanumerics } from '../../../core/lib/random-key.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import {
  commonNameSchema,
  nameTailLength,
  type Token,
  tokenCreateSchema,
  tokenUpdateSchema,
} from '../../../core/schemas/token.ts';
import { coded } from '../../../core/text/coded.ts';
import type { Context } from '../../context.ts';
import { findRoot } from '../../find-root.ts';
import { addIfMissing, isThere } from '../../flag/if-missing.ts';
import { rehearse } from '../../flag/rehearsal.ts';
import { example, namesFrom, recordEach, usage } from '../../flag/selection.ts';
import { askSmallQuota } from '../../flag/small-quota.ts';
import { parseExpiry, wholeNumber } from '../../flag/value.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { addSelection, findTokens, withShownKey } from './find.ts';

interface FieldFlags {
  quota?: string;
  unlimited?: boolean;
  expires?: string;
  models?: string;
  allowIps?: string;
  group?: string;
  dryRun?: boolean;
  yes?: boolean;
}

interface CreateFlags extends FieldFlags {
  name: string;
  user: string;
  count: string;
  ifMissing?: boolean;
}

interface UpdateFlags extends FieldFlags {
  name?: string;
  user?: string;
}

const maxAtOnce = 100;

export function addWrite(noun: Command, context: Context): void {
  const { output, speak } = context;
  const create = noun.command('create').description(speak('help.tokenCreate'));
  example(create, context, "token create --name ci --user alice --quota '$10' --expires 30d --models gpt-4o-mini");
  create
    .requiredOption('--name <text>', speak('flag.name'))
    .option('--user <user>', speak('flag.user'))
    .option('--count <number>', speak('flag.count'), '1');
  addIfMissing(addFields(create, context, true), context).action(async (flags: CreateFlags, command: Command) => {
    const count = wholeNumber(flags.count);
    if (!(count >= 1 && count <= maxAtOnce))
      throw new AppError('input.invalid', { reason: `--count: ${coded('input.range', { min: 1, max: maxAtOnce })}` });
    const app = await context.app();
    const { services } = app;
    const owner = flags.user === undefined ? await findRoot(app) : await services.users.find(systemActor, flags.user);
    const find = async () => {
      const [token] = await findTokens(app, [flags.name], String(owner.id));
      return token ? withShownKey(context, token) : {};
    };
    if (await isThere(context, { ...flags, command, find })) return;
    const fields = fieldsOf(flags, services.options.get('QuotaPerUnit'));
    if (count > 1) tokenCreateSchema.extend({ name: commonNameSchema }).parse({ ...fields, name: flags.name });
    const inputs = namesFor(flags.name, count).map((name) => tokenCreateSchema.parse({ ...fields, name }));
    await askSmallQuota(context, flags.quota, quotaFormat(services.options), flags);
    const work = async () => {
      const tokens: Token[] = [];
      for (const input of inputs) tokens.push(await services.tokens.create(systemActor, input, { userId: owner.id }));
      return tokens;
    };
    if (flags.dryRun) return rehearse(context, work);
    for (const token of await work()) {
      const key = `sk-${token.key}`;
      output.say(speak('token.created', { id: token.id, name: token.name }));
      // The key alone goes to standard output, so that a script can keep it.
      output.record({ ...token, key }, key);
      output.say(speak('token.keyOnce', { id: token.id }));
    }
  });

  const update = noun.command('update').description(speak('help.tokenUpdate'));
  example(update, context, "token update ci --quota '$20' --expires 30d", "token update 3 4 --unlimited --models ''");
  addSelection(update, context).option('--name <text>', speak('flag.name'));
  addFields(update, context).action(async (words: string[], flags: UpdateFlags, command: Command) => {
    const app = await context.app();
    const { tokens, options } = app.services;
    const fields = { ...fieldsOf(flags, options.get('QuotaPerUnit')), ...(flags.name && { name: flags.name }) };
    const found = await findTokens(app, await namesFrom(context, words, command), flags.user);
    if (Object.keys(fields).length === 0) throw usage(command, speak('usage.nothingToChange'));
    await askSmallQuota(context, flags.quota, quotaFormat(options), flags);
    const work = async ({ id }: Token) => {
      const token = await tokens.update(systemActor, tokenUpdateSchema.parse({ ...fields, id }));
      const record = withShownKey(context, token);
      return { record, message: speak('token.updated', { id, name: token.name }) };
    };
    await recordEach(context, found, work, { dryRun: flags.dryRun });
  });
}

function addFields(command: Command, { speak }: Context, isNew = false): Command {
  const expires = speak('flag.expires');
  return command
    .option('--quota <quota>', speak(isNew ? 'flag.quotaOfNew' : 'flag.quota'))
    .addOption(command.createOption('--unlimited', speak('flag.unlimited')).conflicts('quota'))
    .option('--expires <when>', isNew ? speak('flag.withDefault', { text: expires, value: 'never' }) : expires)
    .option('--models <names>', speak('flag.tokenModels'))
    .option('--allow-ips <list>', speak('flag.allowIps'))
    .option('--group <name>', speak('flag.tokenGroup'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'));
}

/** Flags that were given, under the names of the API. */
function fieldsOf({ quota, unlimited, expires, models, allowIps, group }: FieldFlags, quotaPerUnit: number) {
  return {
    ...(quota !== undefined && { remain_quota: parseQuota(quota, quotaPerUnit), unlimited_quota: false }),
    ...(unlimited && { unlimited_quota: true }),
    ...(expires !== undefined && { expired_time: parseExpiry(expires, nowSeconds()) }),
    ...(models !== undefined && { model_limits_enabled: models.trim() !== '', model_limits: models }),
    ...(allowIps !== undefined && { allow_ips: allowIps }),
    ...(group !== undefined && { group }),
  };
}

/** The first keeps the name as it is, the others get characters behind it, as in the console. */
function namesFor(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? name : `${name}-${randomAlphanumerics(nameTailLength)}`,
  );
}
