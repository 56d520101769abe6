import { countOf, type JsonObject } from '../../lib/json-value.ts';

/** As OpenAI writes it. Older versions leave the prompt out when they had it in their cache: then the relay counts. */
export function mapUsage({ prompt_eval_count: prompt, eval_count: completion }: JsonObject): JsonObject | undefined {
  if (!countOf(prompt)) return undefined;
  return { prompt_tokens: prompt, completion_tokens: countOf(completion) ?? 0 };
}
