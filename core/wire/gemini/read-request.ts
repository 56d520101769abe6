import type {
  ChatRequest,
  Message,
  OutputFormat,
  Part,
  ReasoningWish,
  Sampling,
  ToolChoice,
} from '../../canonical/chat-request.ts';
import { orderToolResults } from '../../canonical/tool-order.ts';
import { isStep, type Steps } from '../../lib/steps.ts';
import type { BodyReader } from '../body-reader.ts';
import { maxTokenCount, wrong } from '../request-field.ts';
import { createContentReader, extendTurn, mediaExtraNames } from './read-content.ts';
import { toJsonSchema } from './read-schema.ts';
import { readTools } from './read-tool.ts';
import { structure, structureAt } from './structure.ts';

/** A generateContent call as a neutral one (Gemini sheet, section 2). Model and streaming are named by the path. */
export function* readGeminiRequest(
  body: Record<string, unknown>,
  { model = '', stream = false }: { model?: string; stream?: boolean } = {},
): Steps<ChatRequest> {
  const reader = structure(body, '');
  const settings = structureAt(reader, 'generationConfig') ?? structure({}, 'generationConfig');
  const contents = createContentReader();
  const messages: Message[] = [];
  const beside: Record<string, true> = {};
  for (const [index, content] of (reader.list('contents') ?? []).entries()) {
    if (isStep(index)) yield;
    const message = yield* contents.message(structure(content, `contents.${index}`));
    for (const name of mediaExtraNames(message.parts)) beside[name] = true;
    const last = messages.at(-1);
    if (message.role === 'assistant' && last?.role === 'assistant') extendTurn(last.parts, message.parts);
    else messages.push(message);
  }
  if (messages.length === 0) throw wrong('request.fieldMissing', 'contents');
  const request: ChatRequest = {
    origin: 'gemini',
    model,
    stream,
    maxOutput: settings.integer('maxOutputTokens', 1, maxTokenCount),
    sampling: readSampling(settings),
    stop: settings.texts('stopSequences') ?? [],
    logprobs: readLogprobs(settings),
    instructions: yield* readInstruction(reader),
    messages: yield* orderToolResults(messages),
    tools: yield* readTools(reader),
    toolChoice: readToolChoice(structureAt(reader, 'toolConfig')),
    parallelTools: undefined,
    output: readOutput(settings),
    reasoning: readThinking(structureAt(settings, 'thinkingConfig')),
    cache: undefined,
    userId: undefined,
    serviceTier: reader.text('serviceTier'),
    metadata: undefined,
    store: reader.boolean('store'),
    previousResponseId: undefined,
    extras: {},
  };
  const more = { ...settings.rest(), ...readOwnFormat(settings) };
  return {
    ...request,
    extras: {
      ...reader.rest(),
      ...(Object.keys(more).length > 0 && { generationConfig: more }),
      // Only their names: the members themselves are with their parts.
      ...(Object.keys(beside).length > 0 && { contents: beside }),
    },
  };
}

/** A text, a content, or the bare parts. */
function* readInstruction(reader: BodyReader): Steps<Part[]> {
  const value = reader.raw('systemInstruction');
  if (value === undefined) return [];
  if (typeof value === 'string') return [{ kind: 'text', text: value }];
  const content = Array.isArray(value) ? { parts: value } : value;
  const { parts } = yield* createContentReader().message(structure(content, 'systemInstruction'));
  return parts;
}

function readSampling(settings: BodyReader): Sampling {
  return defined({
    temperature: settings.number('temperature', 0, 2),
    topP: settings.number('topP', 0, 1),
    topK: settings.number('topK', 0, 1_000_000),
    seed: settings.integer('seed', -2_147_483_648, 2_147_483_647),
    frequencyPenalty: settings.number('frequencyPenalty', -2, 2),
    presencePenalty: settings.number('presencePenalty', -2, 2),
    choices: settings.integer('candidateCount', 1, 8),
  });
}

function defined<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

function readLogprobs(settings: BodyReader): ChatRequest['logprobs'] {
  const top = settings.integer('logprobs', 0, 20);
  return settings.boolean('responseLogprobs') ? { top: top ?? 0 } : undefined;
}

function readToolChoice(config: BodyReader | undefined): ToolChoice | undefined {
  const calling = config && structureAt(config, 'functionCallingConfig');
  const mode = calling?.text('mode')?.toUpperCase();
  if (!calling || mode === undefined || mode === 'MODE_UNSPECIFIED') return undefined;
  const names = calling.texts('allowedFunctionNames') ?? [];
  if (mode === 'NONE') return { mode: 'none' };
  if (mode !== 'ANY') return names.length > 0 ? { mode: 'allowed', names, required: false } : { mode: 'auto' };
  const [name] = names;
  if (name === undefined) return { mode: 'required' };
  return names.length === 1 ? { mode: 'named', name } : { mode: 'allowed', names, required: true };
}

function readOutput(settings: BodyReader): OutputFormat {
  const modalities = settings.texts('responseModalities')?.map((name) => name.toLowerCase());
  const shared = modalities ? { modalities } : {};
  const strict = settings.plain('responseJsonSchema');
  const subset = settings.plain('responseSchema');
  if (settings.text('responseMimeType') !== 'application/json') return { ...shared, kind: 'text' };
  const schema = strict ?? (subset && toJsonSchema(subset));
  return schema ? { ...shared, kind: 'schema', name: 'answer', schema } : { ...shared, kind: 'json' };
}

const commonFormats: readonly unknown[] = [undefined, 'application/json', 'text/plain'];

/** One of several words (`text/x.enum`): a form of response that no other protocol has. */
function readOwnFormat(settings: BodyReader): Record<string, unknown> {
  const { responseMimeType, responseSchema, responseJsonSchema } = settings.whole();
  if (commonFormats.includes(responseMimeType ?? undefined)) return {};
  const format = { responseMimeType, responseSchema, responseJsonSchema };
  return Object.fromEntries(Object.entries(format).filter(([, value]) => value !== undefined));
}

/** -1 leaves the amount to the model, 0 turns thinking off. */
function readThinking(config: BodyReader | undefined): ReasoningWish | undefined {
  if (!config) return undefined;
  const visible = config.boolean('includeThoughts') ? ('summary' as const) : ('none' as const);
  const budget = config.integer('thinkingBudget', -1, maxTokenCount);
  const level = config.text('thinkingLevel')?.toLowerCase();
  if (level !== undefined && level !== 'thinking_level_unspecified') return { mode: 'effort', effort: level, visible };
  if (budget === undefined || budget === -1) return { mode: 'auto', visible };
  return budget === 0 ? { mode: 'off', visible } : { mode: 'budget', budget, visible };
}
