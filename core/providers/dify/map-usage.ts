import { countOf, type JsonObject, recordOf } from '../../lib/json-value.ts';

/** As OpenAI has it. Apps that call no model, and some that do, report zeros: then the relay counts. */
export function mapUsage(metadata: unknown): JsonObject | undefined {
  const { prompt_tokens, completion_tokens, total_tokens } = recordOf(recordOf(metadata).usage);
  return countOf(total_tokens) ? { prompt_tokens, completion_tokens, total_tokens } : undefined;
}
