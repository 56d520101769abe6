import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest } from '../../canonical/chat-request.ts';
import { type ClientField, clientField, hostedToolField } from '../../canonical/client-field.ts';
import { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { dropUnsaidFields } from '../../canonical/unsaid.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { isJsonObject, type JsonObject, recordOf, recordsOf } from '../../lib/json-value.ts';
import type { Steps } from '../../lib/steps.ts';
import { writeOpenAiChatRequest } from '../../wire/openai-chat/write-request.ts';
import { cohereLabel } from './label.ts';
import { writeMessage } from './write-message.ts';

const maxStops = 5;
/** What this vendor has and OpenAI has not: clients of OpenAI's SDK send it beside the rest. */
const ownFields = ['documents', 'citation_options', 'safety_mode', 'priority', 'raw_prompting'];
const unsaid = [
  ...(['logitBias', 'parallelTools', 'userId', 'serviceTier', 'store', 'metadata', 'cacheKey'] as const),
  ...(['automaticCache', 'verbosity', 'audio', 'speaker'] as const),
];

/** Models that think before they respond, or may be told to. */
export function thinks(model: string): boolean {
  return /reasoning|thinking|command-a-plus/.test(model);
}

/** A neutral call as `/v2/chat`: OpenAI's form, with other names for most of it. */
export function* writeCohereRequest(request: ChatRequest, context: WriteContext): Steps<WrittenRequest> {
  const { origin, stop, stream } = request;
  const losses = new Losses();
  const drop = (field: ClientField) => losses.drop(clientField(origin, field));
  refuse(request);
  yield* dropUnsaidFields(request, unsaid, losses);
  if (stop.length > maxStops) drop('stop');
  if ((request.logprobs?.top ?? 0) > 0) drop('logprobs');
  const { body: written, losses: others, ...changes } = yield* writeOpenAiChatRequest(sayable(request), context);
  const tools = recordsOf(written.tools);
  const body = definedFields({
    ...ownMembers(request, losses),
    model: context.model,
    messages: recordsOf(written.messages).map((message) => writeMessage(message, origin)),
    stream,
    max_tokens: request.maxOutput,
    stop_sequences: stop.length > 0 ? stop.slice(0, maxStops) : undefined,
    ...writeSampling(request),
    thinking: writeThinking(request, context.model, losses),
    ...writeTools(tools, written.tool_choice),
    response_format: tools.length > 0 ? droppedFormat(request, losses) : writeFormat(request),
  });
  return { ...changes, body, losses: [...losses.list, ...others] };
}

/** Its ranges are narrower than OpenAI's. */
function writeSampling({ sampling, logprobs }: ChatRequest): JsonObject {
  return {
    temperature: sampling.temperature,
    p: within(sampling.topP, 0.01, 0.99),
    k: within(sampling.topK, 0, 500),
    seed: sampling.seed,
    frequency_penalty: within(sampling.frequencyPenalty, 0, 1),
    presence_penalty: within(sampling.presencePenalty, 0, 1),
    logprobs: logprobs ? true : undefined,
  };
}

function refuse({ origin, tools, sampling, output, previousResponseId }: ChatRequest): void {
  if (previousResponseId !== undefined) throw notPossible(clientField(origin, 'previousResponseId'), cohereLabel);
  const hosted = tools.find((tool) => tool.kind === 'hosted');
  if (hosted) throw notPossible(hostedToolField(origin, hosted.type), cohereLabel);
  if ((sampling.choices ?? 1) > 1) throw notPossible(clientField(origin, 'choices'), cohereLabel);
  if (output.modalities?.some((modality) => modality.toLowerCase() !== 'text'))
    throw notPossible(clientField(origin, 'modalities'), cohereLabel);
}

/** Without what is written here, or has been named as lost. */
function sayable(request: ChatRequest): ChatRequest {
  const { kind } = request.output;
  return {
    ...request,
    sampling: {},
    stop: [],
    logprobs: undefined,
    parallelTools: undefined,
    reasoning: undefined,
    output: kind === 'json' ? { kind } : { kind: 'text' },
    cache: undefined,
    userId: undefined,
    serviceTier: undefined,
    metadata: undefined,
    store: undefined,
    messages: request.messages.map(({ name: _name, ...message }) => message),
    extras: {},
  };
}

function ownMembers({ origin, extras }: ChatRequest, losses: Losses): JsonObject {
  const isOwn = (field: string) => origin === 'openai-chat' && ownFields.includes(field);
  const entries = Object.entries(extras);
  for (const [field] of entries) if (!isOwn(field)) losses.drop(field);
  return Object.fromEntries(entries.filter(([field]) => isOwn(field)));
}

function within(value: number | undefined, minimum: number, maximum: number): number | undefined {
  return value === undefined ? undefined : Math.min(Math.max(value, minimum), maximum);
}

/** Budgets are all it knows of effort. */
function writeThinking({ origin, reasoning }: ChatRequest, model: string, losses: Losses): JsonObject | undefined {
  if (!reasoning || reasoning.mode === 'auto') return undefined;
  if (!thinks(model)) {
    if (reasoning.mode !== 'off') losses.drop(clientField(origin, 'reasoning'));
    return undefined;
  }
  if (reasoning.mode === 'off') return { type: 'disabled' };
  if (reasoning.mode === 'effort') losses.emulate(clientField(origin, 'reasoning'));
  return definedFields({ type: 'enabled', token_budget: reasoning.budget || undefined });
}

/** A tool that must be called is the only one there is. */
function writeTools(tools: JsonObject[], choice: unknown): JsonObject {
  if (tools.length === 0) return {};
  const named = isJsonObject(choice) ? recordOf(choice.function).name : undefined;
  const offered = tools
    .map((tool) => recordOf(tool.function))
    .filter(({ name }) => named === undefined || name === named);
  const isStrict = offered.every(({ strict }) => strict === true);
  const mode = named === undefined ? choice : 'required';
  return {
    tools: offered.map(({ strict: _strict, ...declared }) => ({
      type: 'function',
      function: { parameters: { type: 'object', properties: {} }, ...declared },
    })),
    ...(isStrict && { strict_tools: true }),
    ...((mode === 'required' || mode === 'none') && { tool_choice: mode.toUpperCase() }),
  };
}

function writeFormat({ output }: ChatRequest): JsonObject | undefined {
  if (output.kind === 'text') return undefined;
  return { type: 'json_object', ...(output.kind === 'schema' && { json_schema: output.schema }) };
}

/** Beside tools it is refused. */
function droppedFormat({ origin, output }: ChatRequest, losses: Losses): undefined {
  if (output.kind !== 'text') losses.drop(clientField(origin, 'output'));
}
