import { countOf, type JsonObject, recordOf } from '../../lib/json-value.ts';

/**
 * In OpenAI's words. What is billed counts: the other figures include the prompt template, which is not billed. Cached tokens are a
 * part of what is billed, unless there are more of them.
 */
export function mapUsage(usage: unknown): JsonObject | undefined {
  const { billed_units, tokens, cached_tokens } = recordOf(usage);
  const billed = recordOf(billed_units);
  const counted = recordOf(tokens);
  const prompt = countOf(billed.input_tokens) ?? countOf(counted.input_tokens);
  const completion = countOf(billed.output_tokens) ?? countOf(counted.output_tokens);
  if (prompt === undefined || completion === undefined) return undefined;
  const cached = countOf(cached_tokens) ?? 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached > 0 && cached <= prompt && { prompt_tokens_details: { cached_tokens: cached } }),
  };
}
