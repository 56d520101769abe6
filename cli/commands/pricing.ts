import type { Command } from 'commander';
import { systemActor } from '../../core/schemas/actor.ts';
import { pagingSchema } from '../../core/schemas/paging.ts';
import { type ModelPrice, type PriceSet, priceSetSchema } from '../../core/schemas/pricing.ts';
import type { Context } from '../context.ts';
import { rehearse } from '../flag/rehearsal.ts';
import { example, forEach, namesFrom, usage } from '../flag/selection.ts';
import { rowsOfList } from '../flag/value.ts';
import type { Column } from '../output.ts';
import { plainPrice } from '../print/price-figure.ts';
import { addGet } from './pricing/get.ts';
import { addHistory } from './pricing/history.ts';
import { addOffer } from './pricing/offer.ts';
import { addRehearse } from './pricing/rehearse.ts';
import { addSync } from './pricing/sync.ts';

interface ListFlags {
  model?: string;
  unpriced?: boolean;
  own?: boolean;
  page?: string;
  pageSize?: string;
}

interface SetFlags {
  ratio?: string;
  completionRatio?: string;
  cacheRatio?: string;
  createCacheRatio?: string;
  input?: string;
  output?: string;
  cached?: string;
  cacheWrite?: string;
  price?: string;
  dryRun?: boolean;
}

interface RemoveFlags {
  dryRun?: boolean;
  yes?: boolean;
}

const figure = (value: number | null) => value ?? '-';
const price = (value: number | null) => (value === null ? '-' : plainPrice(value));

const columns: Column<ModelPrice>[] = [
  { title: 'MODEL', value: ({ model }) => model, keep: true },
  { title: 'RATIO', value: ({ ratio }) => figure(ratio), right: true },
  { title: 'COMPLETION', value: ({ completion_ratio }) => figure(completion_ratio), right: true },
  { title: 'CACHE', extra: true, value: ({ cache_ratio }) => figure(cache_ratio), right: true },
  { title: 'IN $/1M', value: ({ input }) => price(input), right: true },
  { title: 'OUT $/1M', value: ({ output }) => price(output), right: true },
  { title: 'CACHED $/1M', extra: true, value: ({ cached }) => price(cached), right: true },
  { title: '$/CALL', value: ({ price }) => figure(price), right: true },
  {
    title: 'SOURCE',
    whole: true,
    value: ({ source }) => source,
    color: ({ source }) => (source === 'none' ? 'red' : undefined),
  },
  { title: 'CONTEXT', extra: true, value: ({ context_window }) => context_window || '-', right: true },
  { title: 'RETIRES', extra: true, value: ({ retires_on }) => retires_on || '-' },
  { title: 'GROUPS', extra: true, value: ({ groups }) => groups.join(',') },
];

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;

  const list = noun.command('list').description(speak('help.pricingList'));
  example(list, context, 'pricing list --unpriced', 'pricing list --model gpt-4o');
  list
    .option('--model <name>', speak('flag.priceModel'))
    .option('--unpriced', speak('flag.unpriced'))
    .option('--own', speak('flag.ownPrices'))
    .option('--page <number>', speak('flag.page'))
    .option('--page-size <number>', speak('flag.pageSize'), String(rowsOfList))
    .action(async ({ model, unpriced, own, page, pageSize }: ListFlags) => {
      const { services } = await context.app();
      const all = await services.priceSettings.list(systemActor);
      const found = all.filter(
        (price) =>
          (model === undefined || price.model.toLowerCase().includes(model.toLowerCase())) &&
          (!unpriced || price.source === 'none' || price.source === 'selfUse') &&
          (!own || price.source === 'operator'),
      );
      // A model that no channel serves is asked for by its whole name.
      if (model !== undefined && found.length === 0 && !unpriced && !own)
        found.push(await services.priceSettings.get(systemActor, model));
      const paging = pagingSchema.parse({ page, page_size: pageSize });
      const start = (paging.page - 1) * paging.page_size;
      const items = found.slice(start, start + paging.page_size);
      await output.list({ items, ...paging, total: found.length }, columns);
    });

  const set = noun.command('set').description(speak('help.pricingSet'));
  example(
    set,
    context,
    "pricing set gpt-4o --input '$2.5' --output '$10' --cached '$1.25'",
    'pricing set gpt-4o gpt-4o-2024-11-20 --ratio 1.25 --completion-ratio 4',
    "pricing set dall-e-3 --price '$0.04'",
  );
  set
    .argument('<models...>', speak('argument.models'))
    .option('--ratio <factor>', speak('flag.ratio'))
    .option('--completion-ratio <factor>', speak('flag.completionRatio'))
    .option('--cache-ratio <factor>', speak('flag.cacheRatio'))
    .option('--create-cache-ratio <factor>', speak('flag.createCacheRatio'))
    .option('--input <dollars>', speak('flag.inputDollars'))
    .option('--output <dollars>', speak('flag.outputDollars'))
    .option('--cached <dollars>', speak('flag.cachedDollars'))
    .option('--cache-write <dollars>', speak('flag.cacheWriteDollars'))
    .option('--price <dollars>', speak('flag.priceDollars'))
    .option('--dry-run', speak('flag.dryRun'))
    .action(async (words: string[], { dryRun, ...flags }: SetFlags, self: Command) => {
      if (Object.keys(flags).length === 0) throw usage(self, speak('usage.nothingToChange'));
      const inputs = (await namesFrom(context, words, self)).map((model) => readInput(model, flags));
      const { services } = await context.app();
      const work = async (input: PriceSet) => {
        const { price, changed } = await services.priceSettings.set(systemActor, input);
        return { message: sentence(context, price, changed.length > 0), data: price };
      };
      const [only] = inputs;
      if (dryRun || inputs.length > 1 || !only) return forEach(context, inputs, work, { dryRun });
      const { message, data } = await work(only);
      output.record(data, message);
    });

  const remove = noun.command('remove').description(speak('help.pricingRemove'));
  example(remove, context, 'pricing remove gpt-4o');
  remove
    .argument('<models...>', speak('argument.models'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async (words: string[], { dryRun, yes }: RemoveFlags, self: Command) => {
      const models = await namesFrom(context, words, self);
      const { services } = await context.app();
      const work = () => services.priceSettings.remove(systemActor, models);
      if (dryRun) return rehearse(context, work);
      const details = { models: models.join(', ') };
      await context.confirm(speak('pricing.askRemove', details), yes);
      const changed = await work();
      output.done(speak(changed.length > 0 ? 'pricing.removed' : 'pricing.noneOwn', details), { models, changed });
    });

  noun
    .command('reset')
    .description(speak('help.pricingReset'))
    .option('--dry-run', speak('flag.dryRun'))
    .option('-y, --yes', speak('flag.yes'))
    .action(async ({ dryRun, yes }: RemoveFlags) => {
      const work = async () => (await context.app()).services.priceSettings.reset(systemActor);
      if (dryRun) return rehearse(context, work);
      await context.confirmWord(speak('pricing.askReset'), 'reset', yes);
      const keys = await work();
      output.done(speak('pricing.reset', { keys: keys.join(', ') || '-' }), { keys });
    });

  addGet(noun, context);
  addSync(noun, context);
  addOffer(noun, context);
  addHistory(noun, context);
  addRehearse(noun, context);
}

function readInput(model: string, flags: SetFlags): PriceSet {
  const { completionRatio, cacheRatio, createCacheRatio, cacheWrite, ...same } = flags;
  return priceSetSchema.parse({
    ...same,
    model,
    completion_ratio: completionRatio,
    cache_ratio: cacheRatio,
    create_cache_ratio: createCacheRatio,
    cache_write: cacheWrite,
  });
}

function sentence({ speak }: Context, price: ModelPrice, isChanged: boolean): string {
  const { model, input, output, cached } = price;
  const dollars = (value: number | null) => (value === null ? '-' : `$${value}`);
  const figures = { model, input: dollars(input), output: dollars(output), cached: dollars(cached) };
  const text =
    price.price === null
      ? speak('pricing.byTokens', figures)
      : speak('pricing.byCall', { model, price: dollars(price.price) });
  return isChanged ? text : speak('pricing.unchanged', { text });
}
