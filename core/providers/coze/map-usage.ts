import { countOf, type JsonObject, recordOf } from '../../lib/json-value.ts';

/** As OpenAI has it. */
export function mapUsage(given: unknown): JsonObject | undefined {
  const { input_count: prompt, output_count: completion, token_count: total } = recordOf(given);
  return countOf(total) ? { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } : undefined;
}
