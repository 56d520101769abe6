import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatProtocol, ChatRequest, OutputFormat, Tool } from '../../canonical/chat-request.ts';
import { type ClientField, clientField } from '../../canonical/client-field.ts';
import { extraFields } from '../../canonical/extra-field.ts';
import { instructionTexts, otherInstructions } from '../../canonical/instruction.ts';
import { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { describeSchema } from '../../canonical/schema-description.ts';
import { ToolNames } from '../../canonical/tool-name.ts';
import { dropUnsaidFields } from '../../canonical/unsaid.ts';
import { type JsonObject, recordOf } from '../../lib/json-value.ts';
import type { Steps } from '../../lib/steps.ts';
import { type GeminiModel, geminiModel, writeThinking } from './model-rule.ts';
import { writeSafetySettings } from './safety.ts';
import { writeContents } from './write-content.ts';
import { toGoogleJsonSchema, toSchemaSubset } from './write-schema.ts';
import { writeTools } from './write-tool.ts';

/** What Google takes in a function's name; 64 characters fit every version of the API. */
const nameRule = { letter: /[A-Za-z0-9_.:-]/, name: /^[A-Za-z_][A-Za-z0-9_.:-]*$/, maximum: 64 };
const maxStops = 5;

/** A neutral call as a generateContent call (Gemini sheet, section 3). The model is in the address. */
export function* writeGeminiRequest(
  request: ChatRequest,
  { model: name, safety }: WriteContext,
): Steps<WrittenRequest> {
  const losses = new Losses();
  const model = geminiModel(name);
  const names = new ToolNames(nameRule, toolNames(request.tools));
  const functions = request.tools.filter((tool) => tool.kind !== 'hosted');
  const custom = functions.filter(({ kind }) => kind === 'custom').map((tool) => names.write(tool.name));
  yield* dropUnsaid(request, losses);
  const { body: format, note } = writeFormat(request, functions.length > 0, model, losses);
  const instruction = [...instructionTexts(request), ...(note === undefined ? [] : [note])];
  const body = {
    ...writeOwn(request),
    contents: yield* writeContents(request, { origin: request.origin, model, names, losses }),
    ...(instruction.length > 0 && { systemInstruction: { parts: instruction.map((text) => ({ text })) } }),
    ...(yield* writeTools(request, { origin: request.origin, model, names, losses })),
    generationConfig: { ...writeSettings(request, model, losses), ...format },
    ...writeSafety(request, safety),
  };
  return { body, losses: losses.list, toolNames: names.changed, customTools: new Set(custom) };
}

/** What only this protocol knows. */
function writeOwn({ origin, extras, serviceTier, store }: ChatRequest): JsonObject {
  if (origin !== 'gemini') return {};
  const { generationConfig: _settings, safetySettings: _safety, contents: _beside, ...members } = extras;
  return {
    ...members,
    ...(serviceTier !== undefined && { serviceTier }),
    ...(store !== undefined && { store }),
  };
}

function toolNames(tools: readonly Tool[]): string[] {
  return tools.flatMap((tool) => (tool.kind === 'hosted' ? [] : [tool.name]));
}

const unsaid = [
  ...(['metadata', 'verbosity', 'audio', 'speaker', 'phase', 'toolStrict', 'citations', 'cacheMark'] as const),
  ...(['documentName', 'documentTitle', 'documentContext', 'documentCitations'] as const),
];

function* dropUnsaid(request: ChatRequest, losses: Losses): Steps<void> {
  const { sampling, parallelTools, userId, cache, serviceTier, store, origin, extras } = request;
  const drop = (field: ClientField) => losses.drop(clientField(origin, field));
  yield* dropUnsaidFields(request, unsaid, losses);
  if (otherInstructions(request).length > 0) drop('instructions');
  if (sampling.logitBias !== undefined) drop('logitBias');
  if (parallelTools === false) drop('parallelTools');
  if (userId !== undefined) drop('userId');
  if (cache !== undefined) drop(cache.key === undefined ? 'automaticCache' : 'cacheKey');
  if (serviceTier !== undefined && origin !== 'gemini') drop('serviceTier');
  if (store && origin !== 'gemini') drop('store');
  if (origin !== 'gemini') for (const field of extraFields(extras)) losses.drop(field);
  if (request.previousResponseId !== undefined) throw impossible('previousResponseId', origin);
}

function writeSettings(request: ChatRequest, model: GeminiModel, losses: Losses): Record<string, unknown> {
  const { sampling, maxOutput, stop, logprobs, reasoning, output } = request;
  if (stop.length > maxStops) losses.drop(clientField(request.origin, 'stop'));
  const thinking = reasoning && writeThinking(reasoning, model);
  if (reasoning && reasoning.mode !== 'auto' && !thinking) losses.drop(clientField(request.origin, 'reasoning'));
  // These models know levels alone.
  if (model.isThird && reasoning?.mode === 'budget' && request.origin !== 'gemini')
    losses.emulate(clientField(request.origin, 'reasoning'));
  const { temperature, topP, topK, presencePenalty, frequencyPenalty, choices } = sampling;
  return withoutUndefined({
    temperature,
    topP,
    topK,
    seed: writeSeed(request, losses),
    presencePenalty,
    frequencyPenalty,
    candidateCount: choices !== undefined && choices > 1 ? choices : undefined,
    maxOutputTokens: maxOutput,
    stopSequences: stop.length > 0 ? stop.slice(0, maxStops) : undefined,
    responseLogprobs: logprobs ? true : undefined,
    logprobs: logprobs && logprobs.top > 0 ? logprobs.top : undefined,
    thinkingConfig: thinking,
    responseModalities: output.modalities?.map((name) => name.toUpperCase()),
    ...(request.origin === 'gemini' && recordOf(request.extras.generationConfig)),
  });
}

/** Google takes 32 bits of it: the same seed stays the same. */
function writeSeed({ origin, sampling: { seed } }: ChatRequest, losses: Losses): number | undefined {
  if (seed === undefined) return undefined;
  const written = seed | 0;
  if (written !== seed) losses.emulate(clientField(origin, 'seed'));
  return written;
}

/** Before Gemini 3 a schema and functions exclude each other: the schema becomes an instruction then. */
function writeFormat({ origin, output }: ChatRequest, hasFunctions: boolean, model: GeminiModel, losses: Losses) {
  if (output.kind === 'text') return { body: {} };
  const schema =
    output.kind === 'schema' ? describeSchema(output as Extract<OutputFormat, { kind: 'schema' }>) : undefined;
  const onDrop = (keyword: string) => losses.drop(`${clientField(origin, 'outputSchema')}.${keyword}`);
  if (hasFunctions && !model.isThird) {
    losses.emulate(clientField(origin, 'output'));
    const shape = schema ? ` of this JSON schema: ${JSON.stringify(schema)}` : '';
    return { body: {}, note: `Answer with nothing but one JSON value${shape}.` };
  }
  const mime = { responseMimeType: 'application/json' };
  if (!schema) return { body: mime };
  return {
    body: model.hasJsonSchema
      ? { ...mime, responseJsonSchema: toGoogleJsonSchema(schema, onDrop) }
      : { ...mime, responseSchema: toSchemaSubset(schema, onDrop) },
  };
}

function writeSafety({ origin, extras }: ChatRequest, safety: WriteContext['safety']): Record<string, unknown> {
  const own = origin === 'gemini' ? extras.safetySettings : undefined;
  if (own !== undefined) return { safetySettings: own };
  if (!safety) return {};
  return { safetySettings: writeSafetySettings(safety) };
}

function withoutUndefined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function impossible(field: ClientField, origin: ChatProtocol): Error {
  return notPossible(clientField(origin, field), 'gemini');
}
