import type { FinishReason } from '../../canonical/chat-event.ts';

/** OpenAI's own reasons and those of the vendors that copy it; whatever else a vendor says is a stop. */
const reasons: Record<string, FinishReason> = {
  stop: 'stop',
  length: 'length',
  max_tokens: 'length',
  max_output: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  tool_calls: 'tool',
  tool_use: 'tool',
  function_call: 'tool',
  content_filter: 'filter',
  sensitive: 'filter',
  refusal: 'filter',
  pause_turn: 'pause',
};

/** Some vendors write an empty text, or the word, where OpenAI has null. */
export function isFinishReason(reason: unknown): reason is string {
  return typeof reason === 'string' && reason !== '' && reason !== 'null';
}

/**
 * Undefined while the choice goes on, also where that is an empty text. A stop after tool calls is what the calls are waiting
 * for; a length or a filter stays what it is, because the calls may be cut off.
 */
export function mapFinishReason(reason: unknown, calledTools: boolean): FinishReason | undefined {
  if (!isFinishReason(reason)) return undefined;
  const mapped = (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? 'stop';
  return mapped === 'stop' && calledTools ? 'tool' : mapped;
}
