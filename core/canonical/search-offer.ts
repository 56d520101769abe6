import type { ChatRequest, Tool } from './chat-request.ts';
import { hostedToolField } from './client-field.ts';
import type { Loss } from './loss.ts';

/**
 * Without web search, where the upstream has none beside other tools. Among them it is an offer that a model can do without, as Codex
 * makes it with every call; alone, or named by `tool_choice`, it is what the client wants, and stays.
 */
export function withoutSearchOffer(request: ChatRequest, canSearch: boolean): { request: ChatRequest; losses: Loss[] } {
  const { origin, tools, toolChoice } = request;
  const isOffer = (tool: Tool) =>
    origin === 'openai-responses' &&
    tool.kind === 'hosted' &&
    tool.type.startsWith('web_search') &&
    !(toolChoice?.mode === 'named' && toolChoice.name === tool.type) &&
    // Only OpenAI has pages of its own to search instead of the web.
    !(canSearch && tool.raw.external_web_access !== false);
  const kept = tools.filter((tool) => !isOffer(tool));
  if (kept.length === tools.length || kept.every(({ kind }) => kind === 'hosted')) return { request, losses: [] };
  const dropped = tools.flatMap((tool) => (tool.kind === 'hosted' && isOffer(tool) ? [tool.type] : []));
  return {
    request: { ...request, tools: kept },
    losses: dropped.map((type) => ({ field: hostedToolField(origin, type), kind: 'dropped' })),
  };
}
