import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest } from '../../canonical/chat-request.ts';
import { type ClientField, clientField } from '../../canonical/client-field.ts';
import { extraFields } from '../../canonical/extra-field.ts';
import { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { hashedIdentifier } from '../../canonical/safe-identifier.ts';
import { ToolNames } from '../../canonical/tool-name.ts';
import { toolNamesOf } from '../../canonical/tool-names-of.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { isStep, type Steps } from '../../lib/steps.ts';
import { writeEffort } from './effort.ts';
import { writeMessages } from './write-message.ts';
import { writeOutput } from './write-output.ts';
import { writeTools } from './write-tool.ts';

/** OpenAI takes no more. */
const maxStops = 4;
const nameRule = { letter: /[a-zA-Z0-9_-]/, name: /^[a-zA-Z0-9_-]+$/, maximum: 64 };

/** A neutral call as chat.completions; how vendors differ from OpenAI is the adapter's business. */
export function* writeOpenAiChatRequest(request: ChatRequest, context: WriteContext): Steps<WrittenRequest> {
  const losses = new Losses();
  const { model } = context;
  refuse(request);
  const names = new ToolNames(nameRule, yield* toolNamesOf(request));
  const { tools, customTools } = yield* writeTools(request, names, losses);
  const body: JsonObject = {
    ...writeExtras(request, losses),
    model,
    messages: yield* writeMessages(request, { ...context, names, losses }),
    ...(request.stream && { stream: true, stream_options: { include_usage: true } }),
    ...writeSampling(request, losses),
    ...tools,
    ...writeOutput(request),
    ...writeEffort(request, model, losses),
    ...writeHints(request, losses),
  };
  yield* appendJsonWord(request, body, losses);
  return {
    body,
    losses: losses.list,
    ...(names.changed.size > 0 && { toolNames: names.changed }),
    ...(customTools.size > 0 && { customTools }),
  };
}

function refuse({ origin, previousResponseId, output }: ChatRequest): void {
  if (previousResponseId !== undefined) throw notPossible(clientField(origin, 'previousResponseId'), 'openai-chat');
  const foreign = output.modalities?.find((modality) => !['text', 'audio'].includes(modality.toLowerCase()));
  if (foreign !== undefined) throw notPossible(`${clientField(origin, 'modalities')}: ${foreign}`, 'openai-chat');
}

function writeSampling({ origin, sampling, maxOutput, stop, logprobs }: ChatRequest, losses: Losses): JsonObject {
  // No field of OpenAI's own: a client of this protocol means a vendor that knows it.
  const topK = origin === 'openai-chat' ? sampling.topK : undefined;
  if (sampling.topK !== topK) losses.drop(clientField(origin, 'topK'));
  if (stop.length > maxStops) losses.drop(clientField(origin, 'stop'));
  const { temperature, topP, seed, frequencyPenalty, presencePenalty, logitBias, choices } = sampling;
  return {
    ...(maxOutput !== undefined && { max_completion_tokens: maxOutput }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
    ...(seed !== undefined && { seed }),
    ...(frequencyPenalty !== undefined && { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty !== undefined && { presence_penalty: presencePenalty }),
    ...(logitBias && { logit_bias: logitBias }),
    ...(choices !== undefined && { n: choices }),
    ...(stop.length > 0 && { stop: stop.slice(0, maxStops) }),
    ...(logprobs && { logprobs: true, top_logprobs: logprobs.top }),
  };
}

function writeHints(request: ChatRequest, losses: Losses): JsonObject {
  const { origin, cache, userId, metadata, store, serviceTier } = request;
  const isOpenAi = origin === 'openai-chat' || origin === 'openai-responses';
  const drop = (field: ClientField) => losses.drop(clientField(origin, field));
  if (cache?.automatic) drop('automaticCache');
  if (metadata && !isOpenAi) drop('metadata');
  // Kept where the client could fetch it again: at the protocol's own upstream.
  if (store && origin !== 'openai-chat') drop('store');
  const tier = isOpenAi ? serviceTier : serviceTier && tierNames[serviceTier];
  if (serviceTier !== undefined && tier === undefined) drop('serviceTier');
  return {
    ...(cache?.key !== undefined && { prompt_cache_key: cache.key }),
    ...(userId !== undefined && { safety_identifier: safeIdentifier(userId, isOpenAi) }),
    ...(metadata && isOpenAi && { metadata }),
    ...(store !== undefined && origin === 'openai-chat' && { store }),
    ...(tier !== undefined && { service_tier: tier }),
  };
}

/** Anthropic's tiers in OpenAI's words. */
const tierNames: Record<string, string> = { auto: 'auto', standard_only: 'default' };

/** OpenAI takes 64 characters. */
function safeIdentifier(userId: string, isOpenAi: boolean): string {
  return isOpenAi && userId.length <= 64 ? userId : hashedIdentifier(userId);
}

function writeExtras({ origin, extras }: ChatRequest, losses: Losses): JsonObject {
  if (origin === 'openai-chat') return extras;
  for (const field of extraFields(extras)) losses.drop(field);
  return {};
}

/** OpenAI refuses JSON mode when nothing in the messages says JSON. */
function* appendJsonWord({ origin, output }: ChatRequest, body: JsonObject, losses: Losses): Steps<void> {
  if (output.kind !== 'json' || !Array.isArray(body.messages)) return;
  for (const [index, message] of body.messages.entries()) {
    if (isStep(index)) yield;
    if (/json/i.test(JSON.stringify(message))) return;
  }
  body.messages = [{ role: 'system', content: 'Answer with one JSON object.' }, ...body.messages];
  losses.emulate(clientField(origin, 'output'));
}
