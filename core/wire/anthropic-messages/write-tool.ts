import type { ChatProtocol, ChatRequest, HostedTool, Tool, ToolChoice } from '../../canonical/chat-request.ts';
import { clientField, hostedToolField } from '../../canonical/client-field.ts';
import type { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { customToolDescription, customToolSchema } from '../../canonical/tool-arguments.ts';
import type { ToolNames } from '../../canonical/tool-name.ts';
import { unsaidOptions, webSearchOf } from '../../canonical/web-search.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { flatMapInSteps, mapInSteps, type Steps } from '../../lib/steps.ts';
import { markOf } from './cache-mark.ts';
import type { ModelRule } from './model-rule.ts';
import { protocolName } from './protocol-name.ts';
import { hasEndlessReference } from './reference-cycle.ts';
import { toStrictSchema } from './strict-schema.ts';

interface ToolWriting {
  names: ToolNames;
  losses: Losses;
  rule: ModelRule;
  /** Whether the upstream can search the web. */
  searches: boolean;
}

export interface AnthropicTools {
  tools: JsonObject[];
  /** Names, as written, of custom tools that became functions. */
  customTools: Set<string>;
}

export function* writeTools(request: ChatRequest, writing: ToolWriting): Steps<AnthropicTools> {
  const { origin, toolChoice } = request;
  const { losses } = writing;
  const customTools = new Set<string>();
  let offered = request.tools;
  if (toolChoice?.mode === 'allowed') {
    // Anthropic knows no list of allowed tools: the others are left out of the definitions.
    losses.emulate(clientField(origin, 'toolChoice'));
    const allowed = new Set(toolChoice.names);
    offered = offered.filter((tool) => tool.kind === 'hosted' || allowed.has(tool.name));
  }
  if (offered.length === 0) return { tools: yield* earlierTools(request, writing), customTools };
  const tools = yield* mapInSteps(offered, (tool) => writeTool(tool, request, writing, customTools));
  return { tools, customTools };
}

function writeTool(tool: Tool, request: ChatRequest, writing: ToolWriting, customTools: Set<string>): JsonObject {
  const { origin } = request;
  const { names, losses, rule } = writing;
  if (tool.kind === 'hosted') {
    return origin === protocolName ? tool.raw : searchTool(tool, origin, writing);
  }
  const name = names.write(tool.name);
  if (tool.kind === 'custom') {
    losses.emulate(clientField(origin, 'toolGrammar'));
    customTools.add(name);
    const description = customToolDescription(tool.description, tool.grammar);
    return { name, ...(description !== '' && { description }), input_schema: customToolSchema };
  }
  const { description, schema, extras = {} } = tool;
  const isOwn = origin === protocolName;
  if (!isOwn) for (const field of Object.keys(extras)) losses.drop(`tools.${field}`);
  const given = { type: 'object', ...(schema ?? { properties: {} }) };
  const canBeStrict = rule.structuredOutput && (isOwn || !tool.strict || !hasEndlessReference(given));
  const strict = canBeStrict ? tool.strict : undefined;
  if (tool.strict && !canBeStrict) losses.drop(clientField(origin, 'toolStrict'));
  const fitted = strict && !isOwn ? toStrictSchema(given) : undefined;
  if (fitted?.hasChanged) losses.emulate(clientField(origin, 'toolSchema'));
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: fitted?.schema ?? given,
    ...(strict !== undefined && { strict }),
    ...(isOwn && extras),
    ...markOf(tool),
  };
}

/** The name that Anthropic wants for it. */
const searchName = 'web_search';

/** Searching the web has a tool at other vendors, too; the others run at their own vendor alone. */
function searchTool(tool: HostedTool, origin: ChatProtocol, { losses, searches }: ToolWriting): JsonObject {
  const field = hostedToolField(origin, tool.type);
  const search = searches ? webSearchOf(tool, origin) : undefined;
  if (!search) throw notPossible(field, protocolName);
  const { place, allowedDomains, blockedDomains } = search;
  for (const option of unsaidOptions(search, origin, ['place', 'allowedDomains', 'blockedDomains']))
    losses.drop(`${field}.${option}`);
  return {
    // Of all its versions the one that every model and Vertex AI know.
    type: 'web_search_20250305',
    name: searchName,
    ...(allowedDomains && { allowed_domains: allowedDomains }),
    ...(blockedDomains && { blocked_domains: blockedDomains }),
    ...(place && { user_location: { type: 'approximate', ...place } }),
  };
}

/** A conversation with tool calls in it is refused without definitions, so the tools it has used are named. */
function* earlierTools({ messages, origin }: ChatRequest, { names, losses }: ToolWriting): Steps<JsonObject[]> {
  const called = yield* flatMapInSteps(messages, ({ parts }) =>
    parts.flatMap((part) => (part.kind === 'toolCall' ? [part.name] : [])),
  );
  const used = new Set(called);
  if (used.size > 0) losses.emulate(clientField(origin, 'tools'));
  return yield* mapInSteps([...used], (name) => ({
    name: names.write(name),
    input_schema: { type: 'object', properties: {} },
  }));
}

export function forcesTool({ toolChoice, tools }: ChatRequest): boolean {
  if (!toolChoice || tools.length === 0) return false;
  return (
    toolChoice.mode === 'required' ||
    toolChoice.mode === 'named' ||
    (toolChoice.mode === 'allowed' && toolChoice.required)
  );
}

interface ChoiceWriting extends Omit<ToolWriting, 'searches'> {
  hasTools: boolean;
  isThinking: boolean;
}

/** `tool_choice`, which also says whether calls may come side by side. */
export function writeToolChoice(request: ChatRequest, writing: ChoiceWriting): JsonObject {
  if (!writing.hasTools) return {};
  const { toolChoice, parallelTools, origin, tools } = request;
  // Definitions that only explain the conversation are not for use.
  if (tools.length === 0) return { tool_choice: { type: 'none' } };
  const choice = typeOf(toolChoice, request, writing);
  const cannotForce =
    writing.rule.forcedTool === 'no' || (writing.rule.forcedTool === 'notWhileThinking' && writing.isThinking);
  const isRefused = cannotForce && (choice?.type === 'any' || choice?.type === 'tool');
  if (isRefused) writing.losses.emulate(clientField(origin, 'toolChoice'));
  const written = isRefused ? { type: 'auto' } : choice;
  const isSingle = parallelTools === false && written?.type !== 'none';
  if (!written && !isSingle) return {};
  return { tool_choice: { ...(written ?? { type: 'auto' }), ...(isSingle && { disable_parallel_tool_use: true }) } };
}

function typeOf(
  choice: ToolChoice | undefined,
  { origin, tools }: ChatRequest,
  { names }: ChoiceWriting,
): { type: string; name?: string } | undefined {
  switch (choice?.mode) {
    case undefined:
      return undefined;
    case 'named': {
      const isSearch = tools.some((tool) => tool.kind === 'hosted' && tool.type === choice.name);
      return { type: 'tool', name: isSearch && origin !== protocolName ? searchName : names.write(choice.name) };
    }
    case 'allowed':
      return { type: choice.required ? 'any' : 'auto' };
    case 'required':
      return { type: 'any' };
    case 'auto':
    case 'none':
      return { type: choice.mode };
  }
}
