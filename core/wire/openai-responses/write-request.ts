import { createHash } from 'node:crypto';
import type { WriteContext, WrittenRequest } from '../../canonical/chat-codec.ts';
import type {
  ChatProtocol,
  ChatRequest,
  HostedTool,
  OutputFormat,
  ReasoningWish,
  Tool,
  ToolChoice,
} from '../../canonical/chat-request.ts';
import { type ClientField, clientField, hostedToolField } from '../../canonical/client-field.ts';
import { extraFields } from '../../canonical/extra-field.ts';
import { instructionTexts, otherInstructions } from '../../canonical/instruction.ts';
import { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { ToolNames } from '../../canonical/tool-name.ts';
import { toolNamesOf } from '../../canonical/tool-names-of.ts';
import { dropUnsaidFields } from '../../canonical/unsaid.ts';
import { unsaidOptions, webSearchOf } from '../../canonical/web-search.ts';
import { recordOf } from '../../lib/json-value.ts';
import { flatMapInSteps, type Steps } from '../../lib/steps.ts';
import { writeItems } from './write-input-item.ts';

/** What OpenAI takes in a tool's name. */
const nameRule = { letter: /[a-zA-Z0-9_-]/, name: /^[a-zA-Z0-9_-]+$/, maximum: 64 };

/** A neutral call as a Responses call that stores nothing (OpenAI sheet, sections 5 and 12). */
export function* writeResponsesRequest(request: ChatRequest, { model }: WriteContext): Steps<WrittenRequest> {
  const losses = new Losses();
  refuse(request);
  yield* dropUnsaid(request, losses);
  const { sampling, maxOutput, output, reasoning, toolChoice, parallelTools, cache } = request;
  const isOwn = request.origin === 'openai-responses';
  const names = new ToolNames(nameRule, yield* toolNamesOf(request));
  const said = instructionTexts(request).join('\n\n');
  const items = yield* writeItems(request, { names, losses });
  // A call without input is refused: who has nothing but instructions says them there.
  const isAlone = items.length === 0 && said !== '';
  const input = isAlone ? [{ role: 'developer', content: [{ type: 'input_text', text: said }] }] : items;
  const instructions = isAlone ? '' : said;
  const tools = yield* flatMapInSteps(request.tools, (tool) => writeTool(tool, request, { names, losses }));
  const body = {
    ...(isOwn && request.extras),
    model,
    input,
    stream: request.stream,
    // It could not be fetched: the client does not know the upstream's ids.
    store: false,
    include: [
      ...new Set([
        'reasoning.encrypted_content',
        ...(request.logprobs ? ['message.output_text.logprobs'] : []),
        ...ownIncludes(request),
      ]),
    ],
    ...(instructions && { instructions }),
    ...(maxOutput !== undefined && { max_output_tokens: maxOutput }),
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(sampling.topP !== undefined && { top_p: sampling.topP }),
    ...(request.logprobs && request.logprobs.top > 0 && { top_logprobs: request.logprobs.top }),
    ...(tools.length > 0 && { tools, ...writeChoice(toolChoice, request, names) }),
    ...writeSearchLimit(request),
    ...(tools.length > 0 && parallelTools !== undefined && { parallel_tool_calls: parallelTools }),
    ...writeText(output),
    ...(reasoning && { reasoning: { ...(isOwn && recordOf(request.extras.reasoning)), ...writeReasoning(reasoning) } }),
    ...(cache?.key !== undefined && { prompt_cache_key: cache.key }),
    ...(request.userId !== undefined && { safety_identifier: safeIdentifier(request) }),
    ...writeTier(request, losses),
    ...(request.metadata && (isOwn || request.origin === 'openai-chat') && { metadata: request.metadata }),
  };
  return { body, losses: losses.list, ...(names.changed.size > 0 && { toolNames: names.changed }) };
}

function refuse({ origin, sampling, previousResponseId, output }: ChatRequest): void {
  const impossible = (field: ClientField) => notPossible(clientField(origin, field), 'openai-responses');
  if ((sampling.choices ?? 1) > 1) throw impossible('choices');
  if (output.modalities?.some((modality) => modality.toLowerCase() !== 'text')) throw impossible('modalities');
  if (previousResponseId !== undefined) throw impossible('previousResponseId');
}

const unsaid = ['store', 'audio', 'speaker', 'documentContext', 'documentCitations', 'cacheMark'] as const;
const unknownFields = ['topK', 'seed', 'frequencyPenalty', 'presencePenalty', 'logitBias'] as const;

function* dropUnsaid(request: ChatRequest, losses: Losses): Steps<void> {
  const { origin, stop, sampling, cache, metadata, extras } = request;
  const drop = (field: ClientField) => losses.drop(clientField(origin, field));
  if (stop.length > 0) drop('stop');
  for (const field of unknownFields) if (sampling[field] !== undefined) drop(field);
  if (cache?.automatic !== undefined) drop('automaticCache');
  if (request.reasoning?.mode === 'budget') losses.emulate(clientField(origin, 'reasoning'));
  if (metadata && origin !== 'openai-chat' && origin !== 'openai-responses') drop('metadata');
  if (otherInstructions(request).length > 0) drop('instructions');
  yield* dropUnsaidFields(request, origin === 'openai-responses' ? unsaid : [...unsaid, 'citations'], losses);
  if (origin !== 'openai-responses') for (const field of extraFields(extras)) losses.drop(field);
}

/** What the response is to contain beside the default. */
function ownIncludes({ origin, extras }: ChatRequest): string[] {
  const { include } = extras;
  return origin === 'openai-responses' && Array.isArray(include)
    ? include.filter((one) => typeof one === 'string')
    : [];
}

interface ToolWriting {
  names: ToolNames;
  losses: Losses;
}

function writeTool(tool: Tool, { origin }: ChatRequest, { names, losses }: ToolWriting): Record<string, unknown>[] {
  if (tool.kind === 'hosted') {
    return [origin === 'openai-responses' ? tool.raw : searchTool(tool, origin, losses)];
  }
  const description = tool.description === undefined ? {} : { description: tool.description };
  if (tool.kind === 'custom') {
    return [
      {
        type: 'custom',
        name: names.write(tool.name),
        ...description,
        ...(tool.grammar !== undefined && { format: tool.grammar }),
      },
    ];
  }
  if (origin !== 'openai-responses') for (const field of Object.keys(tool.extras ?? {})) losses.drop(`tools.${field}`);
  if (tool.cache) losses.drop(clientField(origin, 'toolCache'));
  return [
    {
      type: 'function',
      ...(origin === 'openai-responses' && tool.extras),
      name: names.write(tool.name),
      ...description,
      parameters: tool.schema ?? { type: 'object', properties: {} },
      // Left out it means strict here, and not strict everywhere else.
      strict: tool.strict ?? false,
    },
  ];
}

const searchType = 'web_search';

/** Searching the web has a tool at other vendors, too; the others run at their own vendor alone. */
function searchTool(tool: HostedTool, origin: ChatProtocol, losses: Losses): Record<string, unknown> {
  const field = hostedToolField(origin, tool.type);
  const search = webSearchOf(tool, origin);
  if (!search) throw notPossible(field, 'openai-responses');
  const { place, contextSize, allowedDomains, maxUses } = search;
  for (const option of unsaidOptions(search, origin, ['place', 'contextSize', 'allowedDomains', 'maxUses']))
    losses.drop(`${field}.${option}`);
  if (maxUses !== undefined) losses.emulate(`${field}.max_uses`);
  return {
    type: searchType,
    ...(contextSize !== undefined && { search_context_size: contextSize }),
    ...(allowedDomains && { filters: { allowed_domains: allowedDomains } }),
    ...(place && { user_location: { type: 'approximate', ...place } }),
  };
}

/** A bound of one tool's uses; here there is one for all the tools that OpenAI runs, of which this one is the only one. */
function writeSearchLimit({ tools, origin }: ChatRequest): Record<string, unknown> {
  if (origin === 'openai-responses') return {};
  const [limit] = tools.flatMap((tool) => (tool.kind === 'hosted' ? (webSearchOf(tool, origin)?.maxUses ?? []) : []));
  return limit === undefined ? {} : { max_tool_calls: limit };
}

function writeChoice(
  choice: ToolChoice | undefined,
  { tools, origin }: ChatRequest,
  names: ToolNames,
): Record<string, unknown> {
  if (choice === undefined) return {};
  const custom = new Set(tools.flatMap((tool) => (tool.kind === 'custom' ? [tool.name] : [])));
  const hosted = new Map(tools.flatMap((tool) => (tool.kind === 'hosted' ? hostedNames(tool, origin) : [])));
  const typed = (name: string) => {
    const type = hosted.get(name);
    if (type !== undefined) return { type };
    return { type: custom.has(name) ? 'custom' : 'function', name: names.write(name) };
  };
  if (choice.mode === 'named') return { tool_choice: typed(choice.name) };
  if (choice.mode !== 'allowed') return { tool_choice: choice.mode };
  const mode = choice.required ? 'required' : 'auto';
  return { tool_choice: { type: 'allowed_tools', mode, tools: choice.names.map(typed) } };
}

/** By which names a client chooses a tool that OpenAI runs, and the type that OpenAI knows it by. */
function hostedNames({ type, raw }: HostedTool, origin: ChatProtocol): [name: string, type: string][] {
  const known = origin === 'openai-responses' ? type : searchType;
  return [type, ...(typeof raw.name === 'string' ? [raw.name] : [])].map((name) => [name, known]);
}

function writeText(output: OutputFormat): Record<string, unknown> {
  const verbosity = output.verbosity === undefined ? {} : { verbosity: output.verbosity };
  if (output.kind === 'text') return output.verbosity === undefined ? {} : { text: verbosity };
  if (output.kind === 'json') return { text: { format: { type: 'json_object' }, ...verbosity } };
  const { name, schema, strict = false, description } = output as Extract<OutputFormat, { kind: 'schema' }>;
  const format = { type: 'json_schema', name, schema, strict, ...(description !== undefined && { description }) };
  return { text: { format, ...verbosity } };
}

/** Up to here a budget means this effort (conversion matrix, section 5). */
const budgets: readonly [number, string][] = [
  [2048, 'low'],
  [8192, 'medium'],
];

function writeReasoning({ mode, effort, budget, visible }: ReasoningWish): Record<string, unknown> {
  const level = mode === 'off' ? 'none' : (effort ?? (budget === undefined ? undefined : effortFor(budget)));
  return {
    ...(level !== undefined && { effort: level }),
    ...(visible !== undefined && visible !== 'none' && { summary: visible === 'full' ? 'detailed' : 'auto' }),
  };
}

function effortFor(budget: number): string {
  return budgets.find(([max]) => budget <= max)?.[1] ?? 'high';
}

/** Another protocol's user id may be anything, an address too: only its hash leaves. */
function safeIdentifier({ userId = '', origin }: ChatRequest): string {
  const isOpenAi = origin === 'openai-chat' || origin === 'openai-responses';
  return isOpenAi && userId.length <= 64 ? userId : createHash('sha256').update(userId).digest('hex');
}

function writeTier({ serviceTier, origin }: ChatRequest, losses: Losses): Record<string, unknown> {
  if (serviceTier === undefined) return {};
  if (origin === 'openai-chat' || origin === 'openai-responses') return { service_tier: serviceTier };
  if (serviceTier === 'auto') return { service_tier: 'auto' };
  losses.drop(clientField(origin, 'serviceTier'));
  return {};
}
