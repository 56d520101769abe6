import type { Usage } from '../../canonical/usage.ts';
import { isJsonObject } from '../../lib/json-value.ts';
import { readResponseUsage } from '../openai-chat/usage.ts';

/** Models that draw write nothing but picture tokens; the details are often left out. */
export function readImageUsage(response: unknown): Usage | undefined {
  const usage = readResponseUsage(response);
  if (!usage || usage.imageOutput !== undefined) return usage;
  const hasDetails =
    isJsonObject(response) && isJsonObject(response.usage) && isJsonObject(response.usage.output_tokens_details);
  return hasDetails ? usage : { ...usage, imageOutput: usage.completion };
}
