import type { ExplanationView } from '../../core/schemas/explain.ts';
import type { Sentence, Speak } from '../text.ts';
import { rowLines } from './hanging.ts';

type Price = NonNullable<ExplanationView['price']>;

const sources: Record<Price['source'], Sentence> = {
  operator: 'explain.source.operator',
  builtin: 'explain.source.builtin',
  list: 'explain.source.list',
  selfUse: 'explain.source.selfUse',
};

export function priceLines(price: Price, speak: Speak, width: number): string[] {
  const { per_million, quota_per_unit, hold } = price;
  const dollars = `$${Number((hold / quota_per_unit).toPrecision(6))}`;
  const held = { quota: hold, dollars, prompt: price.prompt_tokens, completion: price.completion_tokens };
  const rows: [label: string, text: string][] = [
    [speak('explain.rates'), rateText(price, speak)],
    ...(per_million
      ? [[speak('explain.perMillion'), speak('explain.dollars', withSign(per_million))] as [string, string]]
      : []),
    [speak('explain.held'), speak('explain.hold', held)],
  ];
  return [speak('explain.price'), ...rowLines(rows, width)];
}

function rateText(price: Price, speak: Speak): string {
  const source = speak(sources[price.source]);
  if (price.kind === 'price')
    return speak('explain.fixed', { price: `$${price.model_price}`, group: price.group_ratio, source });
  const { model_ratio: ratio, group_ratio: group, completion_ratio: completion, cache_ratio: cached } = price;
  return speak('explain.ratio', { ratio, group, completion, cached, source });
}

function withSign(amounts: Record<string, number>): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, `$${amount}`]));
}
