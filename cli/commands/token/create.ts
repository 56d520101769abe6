import type { Command } from 'commander';
import { parseQuota } from '../../../core/billing/parse-quota.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { nowSeconds } from '../../../core/lib/clock.ts';
import { randomAlphanumerics } from '../../../core/lib/random-key.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import { tokenCreateSchema } from '../../../core/schemas/token.ts';
import type { Context } from '../../context.ts';
import { parseExpiry, wholeNumber } from '../../flag-value.ts';
import { example } from '../../selection.ts';

interface Flags {
  name: string;
  user: string;
  quota?: string;
  expires?: string;
  models?: string;
  allowIps?: string;
  group?: string;
  count: string;
  dryRun?: boolean;
}

const mostAtOnce = 100;

export function addCreate(noun: Command, context: Context): void {
  const { output, speak } = context;
  const command = noun
    .command('create')
    .description(speak('help.tokenCreate'))
    .requiredOption('--name <text>', speak('flag.name'))
    .option('--user <user>', speak('flag.user'), 'root')
    .option('--quota <quota>', speak('flag.quota'))
    .option('--expires <when>', speak('flag.expires'))
    .option('--models <names>', speak('flag.models'))
    .option('--allow-ips <list>', speak('flag.allowIps'))
    .option('--group <name>', speak('flag.tokenGroup'))
    .option('--count <number>', speak('flag.count'), '1')
    .option('--dry-run', speak('flag.dryRun'))
    .action(async (flags: Flags) => {
      const count = wholeNumber(flags.count);
      if (!(count >= 1 && count <= mostAtOnce))
        throw new AppError('input.invalid', { reason: `--count: 1 to ${mostAtOnce}` });
      const { services } = await context.app();
      const owner = await services.users.find(systemActor, flags.user);
      const quotaPerUnit = services.options.get('QuotaPerUnit');
      const inputs = namesOf(flags.name, count).map((name) => readInput({ ...flags, name }, quotaPerUnit));
      if (flags.dryRun) return output.done(speak('token.wouldCreate', { count }));
      for (const input of inputs) {
        const token = await services.tokens.create(systemActor, input, { userId: owner.id });
        const key = `sk-${token.key}`;
        output.say(speak('token.created', { id: token.id, name: token.name }));
        // The key alone goes to standard output, so that a script can keep it.
        output.record({ ...token, key }, key);
        output.say(speak('token.keyOnce', { id: token.id }));
      }
    });
  example(command, context, "token create --name ci --user alice --quota '$10' --expires 30d --models gpt-4o-mini");
}

function readInput({ name, quota, expires, models, allowIps, group }: Flags, quotaPerUnit: number) {
  return tokenCreateSchema.parse({
    name,
    expired_time: expires === undefined ? undefined : parseExpiry(expires, nowSeconds()),
    remain_quota: quota === undefined ? 0 : parseQuota(quota, quotaPerUnit),
    unlimited_quota: quota === undefined,
    model_limits_enabled: models !== undefined,
    model_limits: models,
    allow_ips: allowIps,
    group,
  });
}

/** The first keeps the name as it is, the others get six characters behind it, as in the console. */
function namesOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? name : `${name}-${randomAlphanumerics(6)}`));
}
