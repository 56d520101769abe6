import { recordOf } from '../../lib/json-value.ts';
import type { Ability } from '../../schemas/model-fact.ts';
import {
  countOf,
  createSourceModels,
  dayOf,
  flagged,
  modalitiesOf,
  type SourceFields,
  type SourceModels,
} from './source-model.ts';

/** Vendors that sell models of their own; where one of them has a model, its price is the list price. */
const makers = [
  ...['openai', 'anthropic', 'google', 'mistral', 'deepseek', 'xai', 'cohere', 'moonshotai', 'zai', 'zhipuai'],
  ...['alibaba', 'minimax', 'perplexity', 'upstage', 'llama', 'inception', 'morph', 'v0', 'xiaomi', 'stepfun'],
];

/**
 * Providers with their models; prices are per million tokens. A model that several resell is listed under its own name only at its
 * maker's price; at the others' as `provider/model`.
 */
export function readModelsDev(document: Record<string, unknown>): SourceModels {
  const { add, result } = createSourceModels();
  const named = new Set<string>();
  const providers = Object.entries(document).map(([id, provider]) => ({
    id,
    models: recordOf(recordOf(provider).models),
  }));
  const rank = ({ id }: { id: string }) => (makers.includes(id) ? makers.indexOf(id) : makers.length);
  for (const { id: provider, models } of providers.sort((a, b) => rank(a) - rank(b))) {
    for (const [key, value] of Object.entries(models)) {
      const isMaker = makers.includes(provider);
      if (isMaker && named.has(key)) continue;
      if (isMaker) named.add(key);
      add({ model: isMaker ? key : `${provider}/${key}`, ...entryOf(recordOf(value)) });
    }
  }
  return result();
}

const abilityFlags: [name: string, ability: Ability][] = [
  ['tool_call', 'tools'],
  ['reasoning', 'reasoning'],
  ['structured_output', 'structured_output'],
];

function entryOf(entry: Record<string, unknown>) {
  const cost = recordOf(entry.cost);
  const limit = recordOf(entry.limit);
  const modalities = recordOf(entry.modalities);
  const long = recordOf(cost.context_over_200k);
  const fields: SourceFields = {
    input: ['cost.input', cost.input],
    output: ['cost.output', cost.output],
    cached: ['cost.cache_read', cost.cache_read],
    cache_write: ['cost.cache_write', cost.cache_write],
  };
  return {
    fields,
    isWithoutOutput: limit.output === 0 || /embed|rerank/i.test(String(entry.id ?? entry.name)),
    longPrompt:
      long.input === undefined && long.output === undefined
        ? undefined
        : {
            above: 200_000,
            input: ['cost.context_over_200k.input', long.input] as [string, unknown],
            output: ['cost.context_over_200k.output', long.output] as [string, unknown],
            cached: ['cost.context_over_200k.cache_read', long.cache_read] as [string, unknown],
          },
    facts: {
      context_window: countOf(limit.context),
      max_output: countOf(limit.output),
      input_modalities: modalitiesOf(modalities.input),
      output_modalities: modalitiesOf(modalities.output),
      abilities: flagged(abilityFlags, (name) => entry[name] === true),
      released_on: dayOf(entry.release_date),
      retires_on: dayOf(entry.retirement_date),
      is_deprecated: entry.status === 'deprecated',
    },
  };
}
