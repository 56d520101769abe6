import { recordOf, recordsOf } from '../../lib/json-value.ts';
import { modelRule } from '../../wire/anthropic-messages/model-rule.ts';
import { readThinkingSuffix } from '../../wire/anthropic-messages/thinking-suffix.ts';
import type { UpstreamCall } from '../adapter.ts';
import type { BodyEdits } from '../body-edit.ts';

interface ThinkingEditing {
  defaultMaxOutput: number;
  share: number;
}

/**
 * Makes a client's own Messages call think as a model named `...-thinking` does, and returns the model's real name. What the client
 * says of its thinking itself stands.
 */
export function editThinking(
  edits: BodyEdits,
  call: UpstreamCall,
  { defaultMaxOutput, share }: ThinkingEditing,
): string {
  const given = call.fields.value('max_tokens');
  const output = typeof given === 'number' && given > 0 ? given : defaultMaxOutput;
  const thinking = readThinkingSuffix(call.model, output, share);
  if (!thinking) return call.model;
  const { model, maxOutput, budget } = thinking;
  if (cannotThink(call, model, budget)) return model;
  const { hidesThinking } = modelRule(model);
  if (maxOutput !== given) edits.set('max_tokens', maxOutput);
  edits.set('thinking', {
    ...(budget === undefined ? { type: 'adaptive' } : { type: 'enabled', budget_tokens: budget }),
    ...(hidesThinking && { display: 'summarized' }),
  });
  // While it thinks, a model accepts only the default sampling.
  for (const field of ['temperature', 'top_p', 'top_k']) edits.drop(field);
  return model;
}

function cannotThink({ fields, body }: UpstreamCall, model: string, budget: number | undefined): boolean {
  const rule = modelRule(model);
  if (fields.has('thinking') || rule.thinking === 'none') return true;
  const { type } = recordOf(fields.value('tool_choice'));
  if ((type === 'any' || type === 'tool') && rule.forcedTool === 'notWhileThinking') return true;
  return budget !== undefined && hasLostThinking(body?.messages);
}

/** With a budget the model expects its own thinking before the tool calls whose results it gets. */
function hasLostThinking(messages: unknown): boolean {
  const turns = recordsOf(messages);
  const last = turns.findLastIndex(({ role }) => role === 'assistant');
  const kinds = new Set(recordsOf(turns[last]?.content).map(({ type }) => type));
  const isToolLoop = kinds.has('tool_use') && last < turns.length - 1;
  return isToolLoop && !kinds.has('thinking') && !kinds.has('redacted_thinking');
}
