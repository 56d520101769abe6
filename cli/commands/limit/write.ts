import type { Command } from 'commander';
import { systemActor } from '../../../core/schemas/actor.ts';
import {
  type Limit,
  type LimitMeasure,
  type LimitPeriod,
  limitCreateSchema,
  limitUpdateSchema,
  periodsOf,
} from '../../../core/schemas/limit.ts';
import type { Context } from '../../context.ts';
import { limitAmountFrom } from '../../flag/limit-amount.ts';
import { example, namesFrom, recordEach, usage } from '../../flag/selection.ts';
import { askSmallQuota } from '../../flag/small-quota.ts';
import { limitRule, limitSubject } from '../../print/limit.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { findLimits } from './read.ts';
import { addSubject, type SubjectFlags, subjectFrom } from './subject.ts';

interface CreateFlags extends SubjectFlags {
  per?: LimitPeriod;
  disabled?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  budget?: string;
  [flag: string]: string | boolean | undefined;
}

interface UpdateFlags {
  amount?: string;
  dryRun?: boolean;
  yes?: boolean;
}

interface RuleFlag {
  name: string;
  measure: LimitMeasure;
  /** Undefined where --per says it. */
  period: LimitPeriod | undefined;
}

const rates = ['requests', 'tokens', 'input_tokens', 'output_tokens'] as const;

const ruleFlags: RuleFlag[] = [
  ...rates.flatMap((measure) =>
    periodsOf(measure).map((period) => ({ name: `${measure.replace('_', '-')}-per-${period}`, measure, period })),
  ),
  { name: 'concurrency', measure: 'concurrency', period: '' },
  { name: 'budget', measure: 'budget', period: undefined },
];

export function addWrite(noun: Command, context: Context): void {
  const { speak } = context;
  const create = noun.command('create').description(speak('help.limitCreate'));
  example(
    create,
    context,
    'limit create --token ci --requests-per-minute 60 --concurrency 5',
    "limit create --user alice --budget '$20' --per month",
    "limit create --each token --budget '$5' --per day",
  );
  addSubject(create, context);
  for (const { name, measure, period } of ruleFlags) {
    if (measure === 'budget') create.option('--budget <quota>', speak('flag.limitBudget'));
    else if (measure === 'concurrency') create.option('--concurrency <number>', speak('flag.limitConcurrency'));
    else create.option(`--${name} <amount>`, speak(`flag.limit.${measure}`, { period: wordOf(context, period) }));
  }
  create
    .addOption(create.createOption('--per <period>', speak('flag.limitPer')).choices([...periodsOf('budget')]))
    .option('--disabled', speak('flag.limitDisabled'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (flags: CreateFlags, command: Command) => {
      const { services } = await context.app();
      const rules = rulesFrom(context, flags, command, services.options.get('QuotaPerUnit'));
      const subject = await subjectFrom(context, flags, command);
      const inputs = rules.map((rule) => limitCreateSchema.parse({ ...subject, ...rule, enabled: !flags.disabled }));
      await askSmallQuota(context, flags.budget, quotaFormat(services.options), flags);
      const work = async (input: (typeof inputs)[number]) => {
        const limit = await services.limits.create(systemActor, input);
        return { record: limit, message: speak('limit.created', { id: limit.id, limit: sentenceOf(limit) }) };
      };
      const sentenceOf = (limit: Limit) =>
        `${limitSubject(limit)}: ${limitRule(limit, quotaFormat(services.options), speak)}`;
      await recordEach(context, inputs, work, { dryRun: flags.dryRun });
    });

  const update = noun.command('update').description(speak('help.limitUpdate'));
  example(update, context, "limit update 3 --amount '$30'", 'limit update 4 5 --amount 120');
  update
    .argument('<ids...>', speak('argument.limits'))
    .requiredOption('--amount <amount>', speak('flag.limitAmount'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], { amount = '', dryRun, yes }: UpdateFlags, command: Command) => {
      const { limits, options } = (await context.app()).services;
      const found = await findLimits(context, await namesFrom(context, words, command));
      const hasBudget = found.some(({ measure }) => measure === 'budget');
      await askSmallQuota(context, hasBudget ? amount : undefined, quotaFormat(options), { dryRun, yes });
      const work = async ({ id, measure }: Limit) => {
        const value = limitAmountFrom(measure, amount, options.get('QuotaPerUnit'), '--amount');
        const limit = await limits.update(systemActor, limitUpdateSchema.parse({ id, amount: value }));
        const rule = limitRule(limit, quotaFormat(options), speak);
        return {
          record: limit,
          message: speak('limit.updated', { id, limit: `${limitSubject(limit)}: ${rule}` }),
        };
      };
      await recordEach(context, found, work, { dryRun });
    });
}

/** What is limited, by the flags that are given: a limit each. */
function rulesFrom({ speak }: Context, flags: CreateFlags, command: Command, quotaPerUnit: number) {
  const given = ruleFlags.flatMap((rule) => {
    const text = flags[camelCased(rule.name)];
    return typeof text === 'string' ? [{ ...rule, text }] : [];
  });
  if (given.length === 0) {
    const names = ruleFlags.filter(({ period }) => period !== 'hour').map(({ name }) => `--${name}`);
    throw usage(command, speak('usage.limitNothing', { flags: names.join(', ') }));
  }
  const hasBudget = given.some(({ measure }) => measure === 'budget');
  if (hasBudget && flags.per === undefined)
    throw usage(command, speak('usage.missingOption', { name: '--per <period>' }));
  if (!hasBudget && flags.per !== undefined) throw usage(command, speak('usage.limitPer'));
  return given.map(({ name, measure, period = flags.per, text }) => ({
    measure,
    period,
    amount: limitAmountFrom(measure, text, quotaPerUnit, `--${name}`),
  }));
}

function wordOf({ speak }: Context, period: LimitPeriod | undefined): string {
  return period ? speak(`limit.period.${period}`) : '';
}

const camelCased = (name: string) => name.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
