import type { Command } from 'commander';
import { AppError } from '../../../core/errors/app-error.ts';
import { systemActor } from '../../../core/schemas/actor.ts';
import {
  type Limit,
  limitListSchema,
  limitMeasures,
  limitSortFields,
  limitSubjectKinds,
} from '../../../core/schemas/limit.ts';
import { coded } from '../../../core/text/coded.ts';
import type { Context } from '../../context.ts';
import { example, namesFrom, usage } from '../../flag/selection.ts';
import { rowsOfList, wholeNumber } from '../../flag/value.ts';
import { limitColumns, limitUse, nameOf } from '../../print/limit.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { type SubjectFlags, subjectFrom } from './subject.ts';

interface ListFlags extends SubjectFlags {
  kind?: string;
  measure?: string;
  withDefaults?: boolean;
  sort?: string;
  page?: string;
  pageSize?: string;
}

const subjects = ['token', 'user', 'group', 'model'] as const;

export function addRead(noun: Command, context: Context): void {
  const { output, speak } = context;
  const list = noun.command('list').description(speak('help.limitList'));
  example(
    list,
    context,
    'limit list',
    'limit list --user alice --with-defaults',
    'limit list --kind token --measure budget --json',
  );
  list
    .option('--token <token>', speak('flag.limitToken'))
    .option('--user <user>', speak('flag.limitUser'))
    .option('--group <group>', speak('flag.limitGroup'))
    .option('--model <model>', speak('flag.limitModel'))
    .option('--with-defaults', speak('flag.limitWithDefaults'))
    .addOption(list.createOption('--kind <kind>', speak('flag.limitKind')).choices([...limitSubjectKinds]))
    .addOption(list.createOption('--measure <measure>', speak('flag.limitMeasure')).choices([...limitMeasures]))
    .option('--sort <field>', speak('flag.sort', { fields: limitSortFields.join(', ') }))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'), String(rowsOfList))
    .action(async ({ kind, measure, withDefaults, sort, page, pageSize, ...named }: ListFlags, self: Command) => {
      const isNamed = subjects.some((name) => named[name] !== undefined);
      if (isNamed && kind !== undefined) {
        throw usage(self, speak('usage.oneOf', { flags: '--token, --user, --group, --model, --kind' }));
      }
      if (withDefaults && !isNamed) {
        throw usage(self, speak('usage.limitWithDefaults', { flags: '--token, --user, --group, --model' }));
      }
      const query = { measure, sort, page, page_size: pageSize };
      limitListSchema.parse(query);
      const of = isNamed ? await subjectFrom(context, named, self) : { subject_kind: kind };
      const { services } = await context.app();
      const { subject_kind, ...rest } = { ...query, ...of };
      const filter = withDefaults ? { applies_to: subject_kind } : { subject_kind };
      const found = await services.limits.list(systemActor, limitListSchema.parse({ ...rest, ...filter }));
      await output.list(found, limitColumns(quotaFormat(services.options)));
    });

  const get = noun.command('get').description(speak('help.limitGet'));
  example(get, context, 'limit get 3');
  get
    .argument('<ids...>', speak('argument.limits'))
    .action(async (words: string[], _flags: unknown, command: Command) => {
      const { options } = (await context.app()).services;
      const format = quotaFormat(options);
      const usageText = (limit: Limit) =>
        limit.usage.map((use) => `${nameOf(use)}: ${limitUse(limit, use, format, speak)}`).join(speak('limit.also'));
      for (const limit of await findLimits(context, await namesFrom(context, words, command))) {
        output.details(output.json ? limit : { ...limit, usage: usageText(limit) });
      }
    });
}

/** By id; all that are named, or none of them. */
export async function findLimits({ app }: Context, words: string[]): Promise<Limit[]> {
  const { limits } = (await app()).services;
  const found: Limit[] = [];
  for (const word of words) {
    const id = wholeNumber(word);
    if (!(id > 0)) {
      throw new AppError('object.notFound', { what: coded('noun.limit'), id: word.slice(0, 64), noun: 'limit' });
    }
    found.push(await limits.get(systemActor, id));
  }
  return found;
}
