import type { JsonObject } from '../../lib/json-value.ts';
import type { UpstreamCall } from '../adapter.ts';
import type { BodyEdits } from '../body-edit.ts';
import { defineCompatibleProvider } from '../compatible.ts';
import { mapMessages } from '../message-fix.ts';
import { typeFacts } from '../type-fact.ts';
import { newerHints } from '../vendor-field.ts';
import { shortenToolIds } from './tool-id.ts';

/** Every other field gets a 422. */
const chatFields: ReadonlySet<string> = new Set(
  (
    'model messages temperature top_p max_tokens stream stream_options stop random_seed metadata response_format tools tool_choice ' +
    'presence_penalty frequency_penalty n prediction parallel_tool_calls reasoning_effort prompt_mode guardrails ' +
    'prompt_cache_key service_tier safe_prompt'
  ).split(' '),
);

export const mistral = defineCompatibleProvider({
  ...typeFacts(42),
  protocols: ['openai-chat', 'openai-embedding', 'openai-transcription'],
  // For bodies too large to be looked through; the others keep nothing but the fields above.
  unsupported: [...newerHints, 'user', 'logit_bias', 'modalities'],
  refused: ['logprobs'],
  adjust: adjustMistral,
  messages: { rewrite: (messages) => addMissingTurns(shortenToolIds(messages)) },
  errors: [{ status: [403], kind: 'dead' }],
  // Text and thinking in lists, and arguments that are objects.
  mendsResponses: true,
});

function adjustMistral(edits: BodyEdits, { protocol, fields, body }: UpstreamCall): string | undefined {
  if (protocol === 'openai-embedding') edits.rename('dimensions', 'output_dimension');
  if (protocol !== 'openai-chat') return undefined;
  for (const field of Object.keys(body ?? {})) if (!chatFields.has(field)) edits.drop(field);
  edits.rename('seed', 'random_seed');
  if (fields.value('tool_choice') === 'required') edits.set('tool_choice', 'any');
  const temperature = fields.value('temperature');
  if (typeof temperature === 'number' && temperature > 1.5) edits.set('temperature', 1.5);
  // Greedy sampling takes no other value.
  const topP = fields.value('top_p');
  if (temperature === 0 && typeof topP === 'number' && topP !== 1) edits.set('top_p', 1);
  return undefined;
}

/** An assistant turn needs content, and a tool's result needs an assistant turn before the user speaks again. */
function addMissingTurns(messages: JsonObject[]): JsonObject[] {
  const filled = mapMessages(messages, (message) => {
    const needsContent = message.role === 'assistant' && (message.content === null || message.content === undefined);
    return needsContent ? { ...message, content: '' } : message;
  });
  const isGap = (index: number) => filled[index]?.role === 'user' && filled[index - 1]?.role === 'tool';
  if (!filled.some((_message, index) => isGap(index))) return filled;
  return filled.flatMap((message, index) =>
    isGap(index) ? [{ role: 'assistant', content: 'Understood.' }, message] : [message],
  );
}
