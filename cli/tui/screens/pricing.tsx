import { systemActor } from '../../../core/schemas/actor.ts';
import type { Page } from '../../../core/schemas/paging.ts';
import type { ModelPrice } from '../../../core/schemas/pricing.ts';
import { plainPrice } from '../../print/price-figure.ts';
import type { Sentence } from '../../text.ts';
import { type Detail, Details } from '../components/details.tsx';
import { type ListColumn, type ListControl, type ListRequest, ListScreen } from '../components/list-screen.tsx';
import { type Environment, useEnvironment } from '../environment.ts';
import { useNavigation } from '../hooks/use-navigation.tsx';
import { askForRows, useShortNames } from '../hooks/use-row-actions.ts';
import { useStatus } from '../hooks/use-status.tsx';
import { PriceForm } from './pricing/form.tsx';

const filters = ['source', 'group'] as const;

/** What models cost in US dollars, before the ratios of groups. */
export function PricingScreen() {
  const environment = useEnvironment();
  const { app, speak } = environment;
  const { priceSettings } = app.services;
  const { push } = useNavigation();
  const status = useStatus();
  const shorten = useShortNames();
  const edit = (price: ModelPrice, { reload }: ListControl) => push(<PriceForm price={price} onSaved={reload} />);

  async function remove(rows: ModelPrice[], { reload, clearMarks }: ListControl): Promise<void> {
    const models = rows.map(({ model }) => model);
    const details = { models: shorten(models) };
    if (!(await askForRows(status, speak('pricing.askRemove', details), { count: models.length }))) return;
    await status.act(async () => {
      const changed = await priceSettings.remove(systemActor, models);
      clearMarks();
      reload();
      return speak(changed.length > 0 ? 'pricing.removed' : 'pricing.noneOwn', details);
    });
  }

  return (
    <ListScreen
      title={speak('tui.prices')}
      columns={columnsFor(environment)}
      load={async (request) => pageOf(await priceSettings.list(systemActor), request)}
      idOf={({ model }) => model}
      filters={filters}
      detail={({ source, groups }) =>
        ` ${speak('tui.pricing.summary', { source: speak(sourceWords[source]), groups: groups.join(', ') || '-' })}`
      }
      beside={(price) => priceDetails(price, environment)}
      details={(price) => (
        <Details
          title={speak('tui.pricing.title', { model: price.model })}
          details={priceDetails(price, environment)}
        />
      )}
      enter={{ label: speak('tui.keyEdit'), run: edit }}
      actions={[
        { key: 'E', label: speak('tui.keyEdit'), run: ([price], list) => price && edit(price, list) },
        { key: 'x', label: speak('tui.pricing.remove'), run: (rows, list) => void remove(rows, list) },
      ]}
      empty={speak('tui.pricing.empty')}
    />
  );
}

const sourceWords: Record<ModelPrice['source'], Sentence> = {
  operator: 'tui.pricing.source.operator',
  builtin: 'tui.pricing.source.builtin',
  list: 'tui.pricing.source.list',
  selfUse: 'tui.pricing.source.selfUse',
  none: 'tui.pricing.source.none',
};

/** All prices are read at once: they are made of settings that are in memory. */
function pageOf(all: ModelPrice[], { page, page_size, keyword, values }: ListRequest): Page<ModelPrice> {
  const { source, group } = values;
  const found = all.filter(
    (price) =>
      price.model.toLowerCase().includes(keyword.toLowerCase()) &&
      (source === undefined || price.source === source) &&
      (group === undefined || price.groups.includes(group)),
  );
  return { items: found.slice((page - 1) * page_size, page * page_size), page, page_size, total: found.length };
}

const digits = { minimumFractionDigits: 2, maximumFractionDigits: 12, useGrouping: false } as const;
const money = new Intl.NumberFormat('en-US', digits);

const dollars = (value: number | null) => (value === null ? '-' : `$${money.format(plainPrice(value))}`);

function columnsFor({ speak }: Environment): ListColumn<ModelPrice>[] {
  return [
    { title: speak('tui.pricing.model'), value: ({ model }) => model, keep: true },
    { title: speak('tui.pricing.input'), value: ({ input }) => dollars(input), right: true },
    { title: speak('tui.pricing.output'), value: ({ output }) => dollars(output), right: true },
    { title: speak('tui.pricing.call'), value: ({ price }) => dollars(price), right: true },
    { title: speak('tui.pricing.cached'), extra: true, value: ({ cached }) => dollars(cached), right: true },
    {
      title: speak('tui.pricing.source'),
      extra: true,
      value: ({ source }) => speak(sourceWords[source]),
      color: ({ source }) => (source === 'none' ? 'red' : undefined),
    },
    { title: speak('tui.pricing.groups'), extra: true, value: ({ groups }) => groups.join(', ') },
  ];
}

function priceDetails(price: ModelPrice, { speak }: Environment): Detail[] {
  return [
    [speak('tui.pricing.field.model'), price.model],
    [speak('tui.pricing.field.input'), dollars(price.input)],
    [speak('tui.pricing.field.output'), dollars(price.output)],
    [speak('tui.pricing.field.cached'), dollars(price.cached)],
    [speak('tui.pricing.field.call'), dollars(price.price)],
    [speak('tui.pricing.field.source'), speak(sourceWords[price.source])],
    [speak('tui.pricing.field.groups'), price.groups.join(', ')],
  ];
}
