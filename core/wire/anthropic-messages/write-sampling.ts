import type { ChatRequest } from '../../canonical/chat-request.ts';
import { type ClientField, clientField } from '../../canonical/client-field.ts';
import type { Losses } from '../../canonical/loss.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import type { ModelRule } from './model-rule.ts';
import type { ThinkingKind } from './write-thinking.ts';

interface SamplingWriting {
  rule: ModelRule;
  losses: Losses;
  thinking: ThinkingKind;
}

const unknownFields = ['seed', 'frequencyPenalty', 'presencePenalty', 'logitBias'] as const;
/** While it thinks, a model takes no smaller one. */
const minThinkingTopP = 0.95;

/** `temperature`, `top_p`, `top_k` and `stop_sequences`, as far as the model and its thinking let them through. */
export function writeSampling(request: ChatRequest, { rule, losses, thinking }: SamplingWriting): JsonObject {
  const { origin, sampling, stop } = request;
  const drop = (field: ClientField) => losses.drop(clientField(origin, field));
  for (const field of unknownFields) if (sampling[field] !== undefined) drop(field);
  const stops = stop.filter((text) => text.trim() !== '');
  if (stops.length < stop.length) drop('stop');
  const isThinking = thinking !== 'off';
  let { temperature, topP, topK } = sampling;
  if (temperature !== undefined && (rule.sampling === 'none' || (isThinking && temperature !== 1))) {
    drop('temperature');
    temperature = undefined;
  }
  const isTooNarrow = isThinking && topP !== undefined && topP < minThinkingTopP;
  const isSecond = rule.sampling === 'oneOfTwo' && temperature !== undefined;
  if (topP !== undefined && (rule.sampling === 'none' || isTooNarrow || isSecond)) {
    drop('topP');
    topP = undefined;
  }
  if (topK !== undefined && (rule.sampling === 'none' || isThinking)) {
    drop('topK');
    topK = undefined;
  }
  if (temperature !== undefined && temperature > 1) losses.emulate(clientField(origin, 'temperature'));
  return {
    ...(temperature !== undefined && { temperature: Math.min(temperature, 1) }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
    ...(stops.length > 0 && { stop_sequences: stops }),
  };
}
