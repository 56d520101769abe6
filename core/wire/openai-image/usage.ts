import type { Usage } from '../../canonical/usage.ts';
import { isRecord } from '../../lib/json-value.ts';
import { readAnswerUsage } from '../openai-chat/usage.ts';

/** Models that draw write nothing but picture tokens; the details are often left out. */
export function readImageUsage(answer: unknown): Usage | undefined {
  const usage = readAnswerUsage(answer);
  if (!usage || usage.imageOutput !== undefined) return usage;
  const hasDetails = isRecord(answer) && isRecord(answer.usage) && isRecord(answer.usage.output_tokens_details);
  return hasDetails ? usage : { ...usage, imageOutput: usage.completion };
}
