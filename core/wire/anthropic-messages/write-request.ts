import { createHash } from 'node:crypto';
import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type { ChatRequest } from '../../canonical/chat-request.ts';
import { type ClientField, clientField } from '../../canonical/client-field.ts';
import { extraFields } from '../../canonical/extra-field.ts';
import { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { ToolNames } from '../../canonical/tool-name.ts';
import { toolNamesOf } from '../../canonical/tool-names-of.ts';
import { dropUnsaidFields } from '../../canonical/unsaid.ts';
import { type JsonObject, recordOf } from '../../lib/json-value.ts';
import type { Steps } from '../../lib/steps.ts';
import { limitCacheMarks, writeMark } from './cache-mark.ts';
import { modelRule } from './model-rule.ts';
import { betaField, protocolName } from './protocol-name.ts';
import { applyThinkingSuffix } from './thinking-suffix.ts';
import { writeOutput } from './write-output.ts';
import { writeSampling } from './write-sampling.ts';
import { writeThinking } from './write-thinking.ts';
import { forcesTool, writeToolChoice, writeTools } from './write-tool.ts';
import { writeTurns } from './write-turn.ts';

/** Older models take no longer names. */
const nameRule = { letter: /[a-zA-Z0-9_-]/, name: /^[a-zA-Z0-9_-]+$/, maximum: 64 };

/** A neutral call as Anthropic's Messages (Anthropic sheet, section 4). Bedrock and Vertex take the same body, but for the model. */
export function* writeAnthropicRequest(asked: ChatRequest, askedContext: WriteContext): Steps<WrittenRequest> {
  const { request, context } = applyThinkingSuffix(asked, askedContext);
  const losses = new Losses();
  const rule = modelRule(context.model);
  refuse(request);
  const names = new ToolNames(nameRule, yield* toolNamesOf(request));
  const output = writeOutput(request, rule, losses);
  const { tools, customTools } = yield* writeTools(request, { names, losses, rule, searches: canSearch(context) });
  const offered = output.tool ? [output.tool] : tools;
  const isForced = output.tool !== undefined || (forcesTool(request) && rule.forcedTool !== 'no');
  const thinking = writeThinking(request, { rule, losses, isForced, maxTokens: maxTokensOf(request, context) });
  const isThinking = thinking.kind !== 'off';
  const choice = writeToolChoice(request, { names, losses, rule, hasTools: tools.length > 0, isThinking });
  const { messages, system } = yield* writeTurns(request, { names, losses, rule, isThinking });
  const body: JsonObject = {
    ...writeExtras(request, losses),
    model: context.model,
    max_tokens: clampTokens(thinking.maxTokens, rule.maxOutput, request, losses),
    ...writeSystem([...system, ...output.instructions]),
    messages,
    ...(request.stream && { stream: true }),
    ...(offered.length > 0 && { tools: offered }),
    ...(output.tool ? { tool_choice: { type: 'tool', name: output.tool.name } } : choice),
    ...thinking.fields,
    ...writeOutputConfig(request, thinking.effort, output.format),
    ...writeSampling(request, { rule, losses, thinking: thinking.kind }),
    ...(yield* writeHints(request, losses)),
  };
  yield* limitCacheMarks(body, request, losses);
  return {
    body,
    losses: losses.list,
    ...(names.changed.size > 0 && { toolNames: names.changed }),
    ...(customTools.size > 0 && { customTools }),
    ...(output.tool && { responseTool: output.tool.name }),
  };
}

/** Claude can, but not in every cloud; of other vendors' models behind this protocol nothing is known. */
function canSearch({ model, searchesWeb = true }: WriteContext): boolean {
  return searchesWeb && model.includes('claude-');
}

function refuse({ origin, sampling, logprobs, output, previousResponseId }: ChatRequest): void {
  const impossible = (field: ClientField) => notPossible(clientField(origin, field), protocolName);
  if ((sampling.choices ?? 1) > 1) throw impossible('choices');
  if (logprobs) throw impossible('logprobs');
  if (output.modalities?.some((modality) => modality.toLowerCase() !== 'text')) throw impossible('modalities');
  if (previousResponseId !== undefined) throw impossible('previousResponseId');
}

/** Anthropic insists on a bound; 0 asks for none. */
function maxTokensOf({ maxOutput }: ChatRequest, { defaultMaxOutput }: WriteContext): number {
  return maxOutput || defaultMaxOutput;
}

function clampTokens(tokens: number, maximum: number, { origin, maxOutput }: ChatRequest, losses: Losses): number {
  if ((maxOutput ?? 0) > maximum) losses.emulate(clientField(origin, 'maxOutput'));
  return Math.min(tokens, maximum);
}

function writeSystem(blocks: JsonObject[]): JsonObject {
  return blocks.length === 0 ? {} : { system: blocks };
}

function writeOutputConfig(
  { origin, extras }: ChatRequest,
  effort: string | undefined,
  format: JsonObject | undefined,
): JsonObject {
  const config = {
    ...(origin === protocolName && recordOf(extras.output_config)),
    ...(effort !== undefined && { effort }),
    ...(format && { format }),
  };
  return Object.keys(config).length > 0 ? { output_config: config } : {};
}

const ownUnsaid = ['metadata', 'store', 'verbosity', 'audio'] as const;
/** OpenAI's tiers in Anthropic's words. */
const tierNames: Record<string, string> = { auto: 'auto', default: 'standard_only' };

function* writeHints(request: ChatRequest, losses: Losses): Steps<JsonObject> {
  const { origin, userId, serviceTier, cache } = request;
  const isOwn = origin === protocolName;
  const drop = (field: ClientField) => losses.drop(clientField(origin, field));
  yield* dropUnsaidFields(request, isOwn ? ownUnsaid : [...ownUnsaid, 'citations'], losses);
  if (cache?.key !== undefined) drop('cacheKey');
  const tier = isOwn ? serviceTier : serviceTier && tierNames[serviceTier];
  if (serviceTier !== undefined && tier === undefined) drop('serviceTier');
  const hashed = userId === undefined || isOwn ? userId : createHash('sha256').update(userId).digest('hex');
  return {
    ...(hashed !== undefined && { metadata: { user_id: hashed } }),
    ...(tier !== undefined && { service_tier: tier }),
    ...(cache?.automatic && { cache_control: writeMark(cache.automatic) }),
  };
}

function writeExtras({ origin, extras }: ChatRequest, losses: Losses): JsonObject {
  if (origin === protocolName) {
    // Goes out as a header, or where a cloud has its own place for it.
    const { [betaField]: _beta, ...members } = extras;
    return members;
  }
  for (const field of extraFields(extras)) losses.drop(field);
  return {};
}
