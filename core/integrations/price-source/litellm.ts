import { recordOf } from '../../lib/json-value.ts';
import type { Ability, Modality } from '../../schemas/model-fact.ts';
import {
  countOf,
  createSourceModels,
  dayOf,
  flagged,
  modalitiesOf,
  perToken,
  type SourceField,
  type SourceModels,
} from './source-model.ts';

/** An object of models by name; prices are per token. */
export function readLitellm(document: Record<string, unknown>): SourceModels {
  const { add, result } = createSourceModels();
  for (const [model, value] of Object.entries(document)) {
    // The entry that explains the others.
    if (model === 'sample_spec') continue;
    const entry = recordOf(value);
    const field = (name: string): SourceField => [name, entry[name], perToken];
    add({
      model,
      fields: {
        input: field('input_cost_per_token'),
        output: field('output_cost_per_token'),
        cached: field('cache_read_input_token_cost'),
        cache_write: field('cache_creation_input_token_cost'),
      },
      isWithoutOutput: ['embedding', 'rerank', 'moderation'].includes(String(entry.mode)),
      longPrompt: longPromptOf(entry, field),
      facts: {
        context_window: countOf(entry.max_input_tokens) || countOf(entry.max_tokens),
        max_output: countOf(entry.max_output_tokens),
        input_modalities: inputsOf(entry),
        output_modalities: modalitiesOf(entry.supported_output_modalities),
        abilities: flagged(abilityFlags, (name) => entry[name] === true),
        retires_on: dayOf(entry.deprecation_date),
      },
    });
  }
  return result();
}

const stepName = /^input_cost_per_token_above_(\d+)k_tokens$/;

/** Names end in the number of thousands: `_above_200k_tokens`. Of several steps the first counts. */
function longPromptOf(entry: Record<string, unknown>, field: (name: string) => SourceField) {
  const steps = Object.keys(entry).flatMap((name) => stepName.exec(name)?.[1] ?? []);
  const first = steps.map(Number).sort((a, b) => a - b)[0];
  if (first === undefined) return undefined;
  const end = `_above_${first}k_tokens`;
  return {
    above: first * 1000,
    input: field(`input_cost_per_token${end}`),
    output: field(`output_cost_per_token${end}`),
    cached: field(`cache_read_input_token_cost${end}`),
  };
}

const inputFlags: [name: string, modality: Modality][] = [
  ['supports_vision', 'image'],
  ['supports_audio_input', 'audio'],
  ['supports_video_input', 'video'],
  ['supports_pdf_input', 'pdf'],
];

const abilityFlags: [name: string, ability: Ability][] = [
  ['supports_function_calling', 'tools'],
  ['supports_reasoning', 'reasoning'],
  ['supports_response_schema', 'structured_output'],
];

function inputsOf(entry: Record<string, unknown>): Modality[] {
  const listed = modalitiesOf(entry.supported_modalities);
  if (listed.length > 0) return listed;
  const inputs = flagged(inputFlags, (name) => entry[name] === true);
  return inputs.length > 0 ? ['text', ...inputs] : [];
}
