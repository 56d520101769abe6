import { z } from 'zod';

export const modalities = ['text', 'image', 'audio', 'video', 'pdf'] as const;
export type Modality = (typeof modalities)[number];

/** What a model can do besides reading and writing. */
export const abilities = ['tools', 'reasoning', 'structured_output'] as const;
export type Ability = (typeof abilities)[number];

const modalityList = z.array(z.enum(modalities));

/** What price lists say about a model besides its price; 0, '' or an empty list where they do not say it. */
export const modelFactsFields = {
  /** Tokens of prompt and completion together. */
  context_window: z.number(),
  max_output: z.number(),
  input_modalities: modalityList,
  output_modalities: modalityList,
  abilities: z.array(z.enum(abilities)),
  /** The day it came out, as YYYY-MM-DD. */
  released_on: z.string(),
  /** The day the vendor switches it off, as YYYY-MM-DD. */
  retires_on: z.string(),
  /** The vendor advises against it, with or without a day. */
  is_deprecated: z.boolean(),
};
export const modelFactsSchema = z.object(modelFactsFields);
export type ModelFacts = z.output<typeof modelFactsSchema>;

export const noFacts: ModelFacts = {
  context_window: 0,
  max_output: 0,
  input_modalities: [],
  output_modalities: [],
  abilities: [],
  released_on: '',
  retires_on: '',
  is_deprecated: false,
};

/** The facts of the first list, and for what it does not say those of the second. */
export function mergeFacts(first: ModelFacts, second: ModelFacts): ModelFacts {
  const hasModalities = first.input_modalities.length > 0;
  return {
    context_window: first.context_window || second.context_window,
    max_output: first.max_output || second.max_output,
    // Both lists of modalities come from one source.
    input_modalities: hasModalities ? first.input_modalities : second.input_modalities,
    output_modalities: hasModalities ? first.output_modalities : second.output_modalities,
    abilities: first.abilities.length > 0 ? first.abilities : second.abilities,
    released_on: first.released_on || second.released_on,
    retires_on: first.retires_on || second.retires_on,
    is_deprecated: first.is_deprecated || second.is_deprecated,
  };
}
