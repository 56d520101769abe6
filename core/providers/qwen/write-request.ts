import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest } from '../../canonical/chat-request.ts';
import { clientField } from '../../canonical/client-field.ts';
import { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { dropUnsaidFields } from '../../canonical/unsaid.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { type JsonObject, recordsOf } from '../../lib/json-value.ts';
import type { Steps } from '../../lib/steps.ts';
import { writeOpenAiChatRequest } from '../../wire/openai-chat/write-request.ts';
import { qwenLabel, searchingModel } from './address.ts';
import { writeMessage } from './write-message.ts';

const largestTopP = 0.9999;
const largestTemperature = 1.99;
const unsaid = [
  ...(['logitBias', 'frequencyPenalty', 'userId', 'serviceTier', 'store', 'metadata', 'cacheKey'] as const),
  ...(['automaticCache', 'verbosity', 'audio', 'speaker'] as const),
];

/** A neutral call in DashScope's native form: the conversation is the input, everything else a parameter. */
export function* writeQwenRequest(request: ChatRequest, context: WriteContext): Steps<WrittenRequest> {
  const { origin, sampling, stream } = request;
  const losses = new Losses();
  refuse(request);
  yield* dropUnsaidFields(request, unsaid, losses);
  const searching = searchingModel(context.model);
  const model = searching ?? context.model;
  const { body, losses: others, ...changes } = yield* writeOpenAiChatRequest(sayable(request), { ...context, model });
  const { messages, model: _model, stream: _stream, stream_options: _options, ...parameters } = body;
  return {
    ...changes,
    losses: [...losses.list, ...others],
    body: {
      model,
      input: { messages: recordsOf(messages).map((message) => writeMessage(message, model, origin)) },
      parameters: definedFields({
        ...writeThinking(request, model),
        ...parameters,
        max_completion_tokens: undefined,
        max_tokens: request.maxOutput,
        temperature: atMost(sampling.temperature, largestTemperature),
        top_p: atMost(sampling.topP || undefined, largestTopP),
        top_k: sampling.topK,
        ...(searching !== undefined && { enable_search: true }),
        ...(stream && { incremental_output: true }),
        result_format: 'message',
      }),
    },
  };
}

function refuse({ origin, sampling, output, previousResponseId }: ChatRequest): void {
  if ((sampling.choices ?? 1) > 1) throw notPossible(clientField(origin, 'choices'), qwenLabel);
  if (previousResponseId !== undefined) throw notPossible(clientField(origin, 'previousResponseId'), qwenLabel);
  if (output.modalities?.some((modality) => modality.toLowerCase() !== 'text'))
    throw notPossible(clientField(origin, 'modalities'), qwenLabel);
}

/** Without what is written here, or has been named as lost. */
function sayable(request: ChatRequest): ChatRequest {
  const { topK: _k, logitBias: _bias, frequencyPenalty: _penalty, ...sampling } = request.sampling;
  const { verbosity: _verbosity, audio: _audio, modalities: _modalities, ...output } = request.output;
  return {
    ...request,
    sampling,
    output,
    reasoning: undefined,
    cache: undefined,
    userId: undefined,
    serviceTier: undefined,
    metadata: undefined,
    store: undefined,
    messages: request.messages.map(({ name: _name, ...message }) => message),
  };
}

/** A switch and a budget are all it knows of effort. The open models refuse to think for a whole response. */
function writeThinking({ reasoning, stream }: ChatRequest, model: string): JsonObject {
  if (!reasoning || reasoning.mode === 'auto')
    return !stream && /^qwen3-\d+b/.test(model) ? { enable_thinking: false } : {};
  if (reasoning.mode === 'off') return { enable_thinking: false };
  return definedFields({ enable_thinking: true, thinking_budget: reasoning.budget || undefined });
}

function atMost(value: number | undefined, maximum: number): number | undefined {
  return value === undefined ? undefined : Math.min(value, maximum);
}
