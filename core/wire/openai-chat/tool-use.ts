import { type ServerTool, type ServerToolUse, withTool } from '../../canonical/usage.ts';
import { countOf, isJsonObject, type JsonObject, recordOf } from '../../lib/json-value.ts';

/** Members of xAI's `server_side_tool_usage_details`; what it does not charge for by use is left out. */
const xaiTools: readonly [member: string, tool: ServerTool][] = [
  ['web_search_calls', 'web_search'],
  ['x_search_calls', 'x_search'],
  ['code_interpreter_calls', 'code_interpreter'],
  ['file_search_calls', 'file_search'],
  ['document_search_calls', 'file_search'],
];

/** Searches of Perplexity cost by how much of what they find is read. */
const contextTools: Readonly<Record<string, ServerTool>> = {
  low: 'search_low',
  medium: 'search_medium',
  high: 'search_high',
};

/** Dollars for a response of its Pro Search. Usage does not tell it in other words: it may have been left to the vendor to choose. */
const proFees: Readonly<Record<string, number>> = { low: 0.014, medium: 0.018, high: 0.022 };

/**
 * What a usage object in OpenAI's form says of tools that the upstream ran: as resellers of Claude write it, as xAI does, and as
 * Perplexity does. `isReasoningApart`: reasoning is not among the completion tokens.
 */
export function readToolUse(usage: JsonObject, isReasoningApart: boolean): ServerToolUse | undefined {
  const claude = readClaudeUse(usage);
  const xai = readXaiUse(usage);
  const perplexity = readPerplexityUse(usage, isReasoningApart);
  // Every response passes here, and hardly any counts tools.
  return claude || xai || perplexity ? { ...claude, ...xai, ...perplexity } : undefined;
}

/** The same object again, for the parts that only one vendor counts. */
export function writeToolUse(uses: ServerToolUse = {}): Record<string, unknown> {
  const { web_search, x_search, search_source, search_query, citation_token, reasoning_token } = uses;
  const context = Object.keys(contextTools).find((size) => uses[contextTools[size] as ServerTool]);
  return {
    ...(web_search && { server_tool_use: { web_search_requests: web_search } }),
    ...(x_search && { server_side_tool_usage_details: { x_search_calls: x_search } }),
    ...(search_source && { num_sources_used: search_source }),
    ...(context && { search_context_size: context }),
    ...(search_query && { num_search_queries: search_query }),
    ...(citation_token && { citation_tokens: citation_token }),
    ...(reasoning_token && { reasoning_tokens: reasoning_token }),
  };
}

/** Whether the vendor counted its tools itself, beside the items of a response. */
export function countsTools(usage: unknown): boolean {
  return isJsonObject(recordOf(usage).server_side_tool_usage_details);
}

function readClaudeUse({ server_tool_use: given }: JsonObject): ServerToolUse | undefined {
  return isJsonObject(given) ? withTool(undefined, 'web_search', believed(given.web_search_requests)) : undefined;
}

function readXaiUse(usage: JsonObject): ServerToolUse | undefined {
  let uses = withTool(undefined, 'search_source', believed(usage.num_sources_used));
  const { server_side_tool_usage_details: details } = usage;
  if (!isJsonObject(details)) return uses;
  for (const [member, tool] of xaiTools) uses = withTool(uses, tool, believed(details[member]));
  return uses;
}

function readPerplexityUse(usage: JsonObject, isReasoningApart: boolean): ServerToolUse | undefined {
  const { search_context_size: size, num_search_queries: queries, citation_tokens: citations, cost } = usage;
  if (size === undefined && queries === undefined && citations === undefined) return undefined;
  const { request_cost: fee } = recordOf(cost);
  // A response without a search has no fee, whatever the size.
  const isFree = fee === 0;
  const context = typeof size === 'string' && Object.hasOwn(contextTools, size) ? contextTools[size] : undefined;
  let uses = context && withTool(undefined, context, isFree ? 0 : 1);
  const isPro = context !== undefined && typeof fee === 'number' && fee >= (proFees[String(size)] ?? fee + 1);
  uses = withTool(uses, 'search_pro', isPro ? 1 : 0);
  uses = withTool(uses, 'search_query', believed(queries));
  uses = withTool(uses, 'citation_token', believed(citations));
  return withTool(uses, 'reasoning_token', isReasoningApart ? believed(usage.reasoning_tokens) : 0);
}

/** As with tokens, a count beyond this is not believed. */
const maxCount = 10_000_000;

function believed(given: unknown): number {
  return believedCount(given) ?? 0;
}

/** Undefined when it is no count, or none that is believed. */
export function believedCount(given: unknown): number | undefined {
  const count = countOf(given);
  return count !== undefined && count <= maxCount ? count : undefined;
}
