import { recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { abilities } from '../../schemas/model-fact.ts';
import {
  countOf,
  createSourceModels,
  dayOf,
  modalitiesOf,
  type SourceFields,
  type SourceModels,
} from './source-model.ts';

/** Ratio 1 is two US dollars per million tokens, there and here. */
const dollarsPerRatio = 2;

/** The list of the price page: `model_ratio` or, with `quota_type` 1, `model_price`. */
export function readPriceList(data: unknown): SourceModels {
  const { add, result } = createSourceModels();
  for (const entry of recordsOf(data)) {
    // A model without a price is shown at the ratio it would be served at.
    if (entry.price_source === 'none') continue;
    add({
      model: textOf(entry.model_name),
      fields:
        entry.quota_type === 1 ? { call: ['model_price', entry.model_price] } : ratioFields((name) => entry[name]),
      facts: {
        context_window: countOf(entry.context_window),
        max_output: countOf(entry.max_output),
        input_modalities: modalitiesOf(entry.input_modalities),
        output_modalities: modalitiesOf(entry.output_modalities),
        abilities: abilities.filter((one) => Array.isArray(entry.abilities) && entry.abilities.includes(one)),
        released_on: dayOf(entry.released_on),
        retires_on: dayOf(entry.retires_on),
      },
    });
  }
  return result();
}

/** The maps of the ratio export: one object of models for each figure. */
export function readRatioConfig(maps: Record<string, unknown>): SourceModels {
  const { add, result } = createSourceModels();
  const prices = recordOf(maps.model_price);
  for (const model of Object.keys(prices)) add({ model, fields: { call: ['model_price', prices[model]] } });
  for (const model of Object.keys(recordOf(maps.model_ratio))) {
    if (Object.hasOwn(prices, model)) continue;
    const figure = (name: string) => {
      const map = recordOf(maps[name]);
      return Object.hasOwn(map, model) ? map[model] : undefined;
    };
    add({ model, fields: ratioFields(figure) });
  }
  return result();
}

/** Every ratio but the first is a multiple of the input price. */
function ratioFields(figure: (name: string) => unknown): SourceFields {
  const ratio = Number(figure('model_ratio'));
  const factor = Number.isFinite(ratio) && ratio > 0 ? ratio * dollarsPerRatio : 1;
  return {
    input: ['model_ratio', figure('model_ratio'), dollarsPerRatio],
    output: ['completion_ratio', figure('completion_ratio'), factor],
    cached: ['cache_ratio', figure('cache_ratio'), factor],
    cache_write: ['create_cache_ratio', figure('create_cache_ratio'), factor],
  };
}
