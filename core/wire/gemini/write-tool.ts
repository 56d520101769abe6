import type { ChatProtocol, ChatRequest, Tool, ToolChoice } from '../../canonical/chat-request.ts';
import { clientField, hostedToolField } from '../../canonical/client-field.ts';
import type { Losses } from '../../canonical/loss.ts';
import { notPossible } from '../../canonical/not-possible.ts';
import { customToolDescription, customToolSchema } from '../../canonical/tool-arguments.ts';
import type { ToolNames } from '../../canonical/tool-name.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';
import { isStep, type Steps } from '../../lib/steps.ts';
import type { GeminiModel } from './model-rule.ts';
import { toGoogleJsonSchema, toSchemaSubset } from './write-schema.ts';

export interface ToolWriting {
  origin: ChatProtocol;
  model: GeminiModel;
  names: ToolNames;
  losses: Losses;
}

/** `tools` and `toolConfig`. */
export function* writeTools(request: ChatRequest, writing: ToolWriting): Steps<Record<string, unknown>> {
  const declarations: Record<string, unknown>[] = [];
  const hosted: Record<string, unknown>[] = [];
  for (const [index, tool] of request.tools.entries()) {
    if (isStep(index)) yield;
    if (tool.kind !== 'hosted') declarations.push(declare(tool, writing));
    else if (!isSwitchedOff(request)) hosted.push(hostedTool(tool, writing));
  }
  const tools = [...(declarations.length > 0 ? [{ functionDeclarations: declarations }] : []), ...hosted];
  if (tools.length === 0) return {};
  const config = writeChoice(choiceOfFunctions(request, writing), writing);
  return { tools, ...(config && { toolConfig: { functionCallingConfig: config } }) };
}

/** Google's tool choice is about functions alone: whatever it is, the model may search. In OpenAI's chat format, no choice is about the search. */
function isSwitchedOff({ origin, toolChoice }: ChatRequest): boolean {
  return toolChoice?.mode === 'none' && origin !== 'gemini' && origin !== 'openai-chat';
}

/** Undefined where there is no function to choose. Google cannot be told that it must use one of its own tools. */
function choiceOfFunctions(
  { origin, tools, toolChoice }: ChatRequest,
  { losses }: ToolWriting,
): ToolChoice | undefined {
  const functions = tools.filter((tool) => tool.kind !== 'hosted');
  const isOfOthers =
    toolChoice?.mode === 'named' && functions.every(({ name }) => name !== toolChoice.name)
      ? tools.length > functions.length
      : functions.length === 0;
  if (!isOfOthers) return toolChoice;
  if (toolChoice?.mode === 'named' || toolChoice?.mode === 'required') losses.drop(clientField(origin, 'toolChoice'));
  return undefined;
}

function declare(
  tool: Exclude<Tool, { kind: 'hosted' }>,
  { origin, model, names, losses }: ToolWriting,
): Record<string, unknown> {
  const name = names.write(tool.name);
  if (tool.kind === 'custom') {
    losses.emulate(clientField(origin, 'toolGrammar'));
    const description = customToolDescription(tool.description, tool.grammar);
    return { name, ...(description && { description }), ...parametersOf({ ...customToolSchema }, model) };
  }
  if (tool.cache) losses.drop(clientField(origin, 'toolCache'));
  const isOwn = origin === 'gemini';
  if (!isOwn) for (const field of Object.keys(tool.extras ?? {})) losses.drop(`tools.${field}`);
  const description = tool.description ? { description: tool.description } : {};
  const onDrop = (keyword: string) => losses.drop(`${clientField(origin, 'toolSchema')}.${keyword}`);
  return {
    name,
    ...description,
    ...(tool.schema ? parametersOf(tool.schema, model, onDrop) : {}),
    ...(isOwn && tool.extras),
  };
}

/** A function without arguments has no schema: an object without members is refused. */
function parametersOf(
  schema: JsonObject,
  { hasJsonSchema }: GeminiModel,
  onDrop?: (keyword: string) => void,
): Record<string, unknown> {
  const isEmpty = isJsonObject(schema.properties)
    ? Object.keys(schema.properties).length === 0
    : schema.$ref === undefined;
  if (isEmpty && schema.anyOf === undefined && schema.oneOf === undefined && schema.allOf === undefined) return {};
  return hasJsonSchema
    ? { parametersJsonSchema: toGoogleJsonSchema(schema, onDrop) }
    : { parameters: toSchemaSubset(schema, onDrop) };
}

/** Searching the web has a tool on both sides; the others run at their own vendor. */
function hostedTool(
  { type, raw }: Extract<Tool, { kind: 'hosted' }>,
  { origin, losses }: ToolWriting,
): Record<string, unknown> {
  if (origin === 'gemini') return raw;
  const field = hostedToolField(origin, type);
  if (!/^web_search/.test(type)) throw notPossible(field, 'gemini');
  // Where to search and how much cannot be said.
  const options = Object.keys(raw).filter((key) => !toolNaming.has(key) && raw[key] !== null);
  for (const key of options) losses.drop(`${field}.${key}`);
  return { googleSearch: {} };
}

/** What says which tool it is. */
const toolNaming: ReadonlySet<string> = new Set(['type', 'name']);

function writeChoice(choice: ToolChoice | undefined, { names }: ToolWriting): Record<string, unknown> | undefined {
  if (choice === undefined) return undefined;
  if (choice.mode === 'named') return { mode: 'ANY', allowedFunctionNames: [names.write(choice.name)] };
  if (choice.mode === 'allowed') {
    const allowedFunctionNames = choice.names.map((name) => names.write(name));
    // A choice among some that may also be none is only known as VALIDATED.
    return { mode: choice.required ? 'ANY' : 'VALIDATED', allowedFunctionNames };
  }
  return { mode: { auto: 'AUTO', none: 'NONE', required: 'ANY' }[choice.mode] };
}
