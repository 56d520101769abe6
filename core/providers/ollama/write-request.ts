import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest, ReasoningWish } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import { effortOf } from '../../canonical/effort.ts';
import { emptyChatRequest } from '../../canonical/empty-request.ts';
import { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { describeSchema } from '../../canonical/schema-description.ts';
import { dropUnsaidFields } from '../../canonical/unsaid.ts';
import { type JsonObject, recordsOf } from '../../lib/json-value.ts';
import type { Steps } from '../../lib/steps.ts';
import { writeOpenAiChatRequest } from '../../wire/openai-chat/write-request.ts';
import { typeFacts } from '../type-fact.ts';
import { writeOllamaMessages } from './write-message.ts';

export const { label } = typeFacts(4);

const unsaid = [
  ...(['logitBias', 'parallelTools', 'cacheKey', 'automaticCache', 'userId', 'serviceTier'] as const),
  ...(['store', 'metadata', 'verbosity', 'audio', 'speaker', 'toolStrict'] as const),
];

/** A neutral call for `/api/chat`. Messages and tools are OpenAI's with other member names. */
export function* writeOllamaRequest(request: ChatRequest, context: WriteContext): Steps<WrittenRequest> {
  const losses = new Losses();
  const { origin, sampling, output } = request;
  const refuse = (what: string) => notPossible(what, label);
  if ((sampling.choices ?? 1) > 1) throw refuse(clientField(origin, 'choices'));
  if (request.previousResponseId !== undefined) throw refuse(clientField(origin, 'previousResponseId'));
  if (output.modalities?.some((name) => name.toLowerCase() !== 'text')) throw refuse(clientField(origin, 'modalities'));
  yield* dropUnsaidFields(request, unsaid, losses);
  for (const field of Object.keys(request.extras)) losses.drop(field);
  const { body, ...written } = yield* writeOpenAiChatRequest(contentOf(request), context);
  for (const { field, kind } of written.losses) kind === 'dropped' ? losses.drop(field) : losses.emulate(field);
  return {
    ...written,
    losses: losses.list,
    body: {
      model: context.model,
      messages: yield* writeOllamaMessages(recordsOf(body.messages), (what) =>
        refuse(`${clientField(origin, 'messages')}: ${what}`),
      ),
      ...writeTools(request, body, losses),
      stream: request.stream,
      ...writeFormat(output),
      ...writeThink(request, context.model, losses),
      ...(request.logprobs && { logprobs: true, top_logprobs: request.logprobs.top }),
      options: writeOptions(request),
    },
  };
}

/** What is written as OpenAI has it: the conversation and the tools. */
function contentOf(request: ChatRequest): ChatRequest {
  const { origin, model, stream, instructions, messages, tools, toolChoice } = request;
  return { ...emptyChatRequest(origin, model), stream, instructions, messages, tools, toolChoice };
}

/** The model chooses by itself: it can only be kept from tools by not being told of them. */
function writeTools({ origin, toolChoice }: ChatRequest, { tools }: JsonObject, losses: Losses): JsonObject {
  if (!Array.isArray(tools) || toolChoice?.mode === 'none') return {};
  const isForced = toolChoice?.mode === 'allowed' ? toolChoice.required : (toolChoice?.mode ?? 'auto') !== 'auto';
  if (isForced) losses.drop(clientField(origin, 'toolChoice'));
  return { tools };
}

function writeFormat(output: ChatRequest['output']): JsonObject {
  if (output.kind === 'text') return {};
  return { format: output.kind === 'json' ? 'json' : describeSchema(output) };
}

/** gpt-oss knows levels alone, the others on and off. */
function writeThink({ origin, reasoning }: ChatRequest, model: string, losses: Losses): JsonObject {
  if (!reasoning) return {};
  const isLevelled = model.includes('gpt-oss');
  if (reasoning.mode === 'off') {
    if (!isLevelled) return { think: false };
    losses.drop(clientField(origin, 'reasoning'));
    return {};
  }
  const effort = effortOf(reasoning);
  if (!effort) return {};
  const level = levels[effort];
  if (!isLevelled || level !== effort || isBudget(reasoning)) losses.emulate(clientField(origin, 'reasoning'));
  return { think: isLevelled ? level : true };
}

const levels = { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' };

function isBudget({ mode }: ReasoningWish): boolean {
  return mode === 'budget';
}

function writeOptions({ sampling, maxOutput, stop }: ChatRequest): JsonObject {
  const { temperature, topP, topK, seed, presencePenalty, frequencyPenalty } = sampling;
  const options = {
    temperature,
    top_p: topP,
    top_k: topK,
    seed,
    num_predict: maxOutput,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
    stop: stop.length > 0 ? stop : undefined,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
