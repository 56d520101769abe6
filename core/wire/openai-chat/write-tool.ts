import type { ChatRequest, Tool, ToolChoice } from '../../canonical/chat-request.ts';
import { clientField, hostedToolField } from '../../canonical/client-field.ts';
import type { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { customToolDescription, customToolSchema } from '../../canonical/tool-arguments.ts';
import type { ToolNames } from '../../canonical/tool-name.ts';
import type { JsonObject } from '../../lib/json-value.ts';
import { flatMapInSteps, type Steps } from '../../lib/steps.ts';

export interface WrittenTools {
  tools: JsonObject;
  /** Names, as written, of custom tools that became functions. */
  customTools: Set<string>;
}

/** `tools`, `tool_choice` and `parallel_tool_calls`. */
export function* writeTools(request: ChatRequest, names: ToolNames, losses: Losses): Steps<WrittenTools> {
  const { origin, toolChoice, parallelTools } = request;
  const customTools = new Set<string>();
  const offered = allowedTools(request, losses);
  const tools = yield* flatMapInSteps(offered, (tool) => writeTool(tool, request, { names, losses, customTools }));
  const hosted = origin === 'openai-chat' ? webSearchOptions(offered) : {};
  if (tools.length === 0) return { tools: hosted, customTools };
  return {
    tools: {
      tools,
      ...writeChoice(toolChoice, names),
      ...(parallelTools !== undefined && { parallel_tool_calls: parallelTools }),
      ...hosted,
    },
    customTools,
  };
}

/** Vendors know no list of allowed tools: the others are left out of the definitions. */
function allowedTools({ origin, tools, toolChoice }: ChatRequest, losses: Losses): Tool[] {
  if (toolChoice?.mode !== 'allowed') return tools;
  losses.emulate(clientField(origin, 'toolChoice'));
  const allowed = new Set(toolChoice.names);
  return tools.filter((tool) => tool.kind === 'hosted' || allowed.has(tool.name));
}

interface ToolWriting {
  names: ToolNames;
  losses: Losses;
  customTools: Set<string>;
}

function writeTool(tool: Tool, { origin }: ChatRequest, { names, losses, customTools }: ToolWriting): JsonObject[] {
  if (tool.kind === 'hosted') {
    if (origin === 'openai-chat') return [];
    throw notPossible(hostedToolField(origin, tool.type), 'openai-chat');
  }
  const name = names.write(tool.name);
  if (tool.kind === 'custom') {
    // Only OpenAI itself knows custom tools; the others get a function with one text.
    losses.emulate(clientField(origin, 'toolGrammar'));
    customTools.add(name);
    const description = customToolDescription(tool.description, tool.grammar);
    return [{ type: 'function', function: { name, description, parameters: customToolSchema } }];
  }
  if (tool.cache) losses.drop(clientField(origin, 'toolCache'));
  const { description, schema, strict, extras = {} } = tool;
  for (const field of Object.keys(extras)) losses.drop(`tools.${field}`);
  return [
    {
      type: 'function',
      function: {
        name,
        ...(description !== undefined && { description }),
        ...(schema && { parameters: schema }),
        ...(strict !== undefined && { strict }),
      },
    },
  ];
}

function writeChoice(choice: ToolChoice | undefined, names: ToolNames): JsonObject {
  if (!choice) return {};
  if (choice.mode === 'named')
    return { tool_choice: { type: 'function', function: { name: names.write(choice.name) } } };
  if (choice.mode === 'allowed') return { tool_choice: choice.required ? 'required' : 'auto' };
  return { tool_choice: choice.mode };
}

function webSearchOptions(tools: readonly Tool[]): JsonObject {
  const search = tools.find((tool) => tool.kind === 'hosted' && tool.type === 'web_search');
  return search?.kind === 'hosted' ? { web_search_options: search.raw } : {};
}
