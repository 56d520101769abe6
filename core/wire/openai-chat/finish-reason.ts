import type { FinishReason } from '../../canonical/chat-event.ts';

interface ReasonMeaning {
  reason: FinishReason;
  /** OpenAI's own word for it. */
  own: string;
}

/** OpenAI's own reasons and those of the vendors that copy it. */
const meanings: Readonly<Record<string, ReasonMeaning>> = {
  stop: { reason: 'stop', own: 'stop' },
  length: { reason: 'length', own: 'length' },
  max_tokens: { reason: 'length', own: 'length' },
  max_output: { reason: 'length', own: 'length' },
  model_length: { reason: 'length', own: 'length' },
  model_context_window_exceeded: { reason: 'length', own: 'length' },
  tool_calls: { reason: 'tool', own: 'tool_calls' },
  tool_use: { reason: 'tool', own: 'tool_calls' },
  function_call: { reason: 'tool', own: 'function_call' },
  content_filter: { reason: 'filter', own: 'content_filter' },
  sensitive: { reason: 'filter', own: 'content_filter' },
  refusal: { reason: 'filter', own: 'stop' },
  pause_turn: { reason: 'pause', own: 'stop' },
};
/** What any other word of a vendor counts as. */
const otherMeaning: ReasonMeaning = { reason: 'stop', own: 'stop' };

/** Reasons that say the upstream gave up half way: the text is not a whole response, whatever came before. */
const brokenReasons: ReadonlySet<unknown> = new Set(['error', 'network_error', 'insufficient_system_resource']);

export function isBrokenReason(reason: unknown): boolean {
  return brokenReasons.has(reason);
}

/** Some vendors write an empty text, or the word, where OpenAI has null. */
export function isFinishReason(reason: unknown): reason is string {
  return typeof reason === 'string' && reason !== '' && reason !== 'null';
}

/**
 * Undefined while the choice goes on, also where that is an empty text. A stop after tool calls is what the calls are waiting
 * for; a length or a filter stays what it is, because the calls may be cut off.
 */
export function mapFinishReason(given: unknown, calledTools: boolean): FinishReason | undefined {
  if (!isFinishReason(given)) return undefined;
  const { reason } = meaningOf(given);
  return reason === 'stop' && calledTools ? 'tool' : reason;
}

/** The same as the word that OpenAI has for it; null while the choice goes on. */
export function ownFinishReason(given: unknown, calledTools: boolean): string | null {
  if (!isFinishReason(given)) return null;
  const { own } = meaningOf(given);
  return own === 'stop' && calledTools ? 'tool_calls' : own;
}

function meaningOf(given: string): ReasonMeaning {
  return (Object.hasOwn(meanings, given) ? meanings[given] : undefined) ?? otherMeaning;
}
