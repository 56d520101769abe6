import { recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import type { Ability } from '../../schemas/model-fact.ts';
import {
  countOf,
  createSourceModels,
  dayOf,
  dayOfSeconds,
  flagged,
  modalitiesOf,
  perToken,
  type SourceModels,
} from './source-model.ts';

const abilityParameters: [name: string, ability: Ability][] = [
  ['tools', 'tools'],
  ['reasoning', 'reasoning'],
  ['structured_outputs', 'structured_output'],
];

/** A list of models; prices are per token, as text. */
export function readOpenrouter(data: unknown): SourceModels {
  const { add, result } = createSourceModels();
  for (const entry of recordsOf(data)) {
    const prices = recordOf(entry.pricing);
    const { input_modalities, output_modalities } = recordOf(entry.architecture);
    const parameters: unknown[] = Array.isArray(entry.supported_parameters) ? entry.supported_parameters : [];
    const outputs = modalitiesOf(output_modalities);
    add({
      model: textOf(entry.id),
      fields: {
        input: ['pricing.prompt', prices.prompt, perToken],
        output: ['pricing.completion', prices.completion, perToken],
        cached: ['pricing.input_cache_read', prices.input_cache_read, perToken],
        cache_write: ['pricing.input_cache_write', prices.input_cache_write, perToken],
      },
      isWithoutOutput: Array.isArray(output_modalities) && !outputs.includes('text'),
      facts: {
        context_window: countOf(entry.context_length),
        max_output: countOf(recordOf(entry.top_provider).max_completion_tokens),
        input_modalities: modalitiesOf(input_modalities),
        output_modalities: outputs,
        abilities: flagged(abilityParameters, (name) => parameters.includes(name)),
        released_on: dayOfSeconds(entry.created),
        retires_on: dayOf(entry.expiration_date),
      },
    });
  }
  return result();
}
