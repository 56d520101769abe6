import { type ServerTool, type ServerToolUse, type Usage, withTool } from '../../canonical/usage.ts';
import { isJsonObject, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { believedCount, countsTools } from '../openai-chat/tool-use.ts';
import { readServiceTier, readUsageObject } from '../openai-chat/usage.ts';

/**
 * Collects what a response is billed for: tokens and tier are in its last event, uses of hosted tools are its items, which some
 * upstreams repeat there and some do not.
 */
export class ResponseUsage {
  readonly #items = new Map<string, JsonObject>();

  /** An item that is complete; `key` is the same however often it is told. */
  note(item: JsonObject, key: string): void {
    if (isToolItem(item)) this.#items.set(key, item);
  }

  /** Undefined when the response tells no tokens. */
  read(response: JsonObject): Usage | undefined {
    const usage = isJsonObject(response.usage) ? readUsageObject(response.usage, { hasCompletion: true }) : undefined;
    if (!usage) return undefined;
    const counted = countUses([...this.#items.values()], searchToolOf(response));
    // What the vendor counts itself is what it charges for.
    const given = countsTools(response.usage) ? { ...counted, ...usage.serverTools } : (counted ?? usage.serverTools);
    const uses = withSearches(given, searchToolOf(response), response);
    const tier = readServiceTier(response.service_tier);
    return { ...usage, ...(uses && { serverTools: uses }), ...(tier && { serviceTiers: [tier] }) };
  }
}

/** OpenAI counts the searches that it charges for, and leaves out those that cost nothing. */
function withSearches(
  uses: ServerToolUse | undefined,
  tool: ServerTool,
  { tool_usage: told }: JsonObject,
): ServerToolUse | undefined {
  const count = believedCount(recordOf(recordOf(told).web_search).num_requests);
  if (count === undefined) return uses;
  const { [tool]: _counted, ...others } = uses ?? {};
  return withTool(Object.keys(others).length > 0 ? others : undefined, tool, count);
}

function isToolItem({ type }: JsonObject): boolean {
  return typeof type === 'string' && /^(web_search|file_search|code_interpreter|image_generation)_call$/.test(type);
}

function countUses(items: JsonObject[], searchTool: ServerTool): ServerToolUse | undefined {
  const containers = new Set<string>();
  let uses: ServerToolUse | undefined;
  for (const item of items) {
    // A tool that failed is not billed.
    if (item.status === 'failed') continue;
    if (item.type === 'web_search_call' && isSearch(item)) uses = withTool(uses, searchTool, 1);
    if (item.type === 'file_search_call') uses = withTool(uses, 'file_search', 1);
    if (item.type === 'image_generation_call') uses = withTool(uses, pictureToolOf(item), 1);
    if (item.type === 'code_interpreter_call') containers.add(textOf(item.container_id));
  }
  // A container is paid once, however often it is used.
  return withTool(uses, 'code_interpreter', containers.size);
}

/** Reading a page that a search found costs nothing more. */
function isSearch(item: JsonObject): boolean {
  const action = textOf(recordOf(item.action).type);
  return action === '' || action === 'search';
}

/** The older tool has its higher price with models that do not reason; with the others both cost the same. */
function searchToolOf({ tools, model }: JsonObject): ServerTool {
  const isOlder = recordsOf(tools).some(({ type }) => textOf(type).startsWith('web_search_preview'));
  return isOlder && /^gpt-4/.test(textOf(model)) ? 'web_search_preview' : 'web_search';
}

const fineQualities: readonly unknown[] = ['high', 'xhigh', 'max'];

/** An item that does not tell its quality had the middle one; those above the finest that has a price are paid as that one. */
function pictureToolOf({ quality, size }: JsonObject): ServerTool {
  const level = quality === 'low' ? quality : fineQualities.includes(quality) ? 'high' : 'medium';
  const isWide = typeof size === 'string' && /^\d+x\d+$/.test(size) && size !== '1024x1024';
  return isWide ? `image_${level}_wide` : `image_${level}`;
}
