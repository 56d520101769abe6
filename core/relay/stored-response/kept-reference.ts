import { isJsonObject, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { toolsIn } from '../../wire/openai-responses/tools-in.ts';
import { notOffered } from '../../wire/request-field.ts';
import type { RelayBody } from '../call.ts';

/** What may stand for something that an upstream keeps; escaped letters may hide each of them. */
const marks = [
  '"item_reference"',
  '"image_generation_call"',
  'file_id',
  'vector_store_ids',
  'skill_id',
  'tunnel_id',
  '"svg"',
  '"container',
  '\\u00',
  'cachedContent',
  'cached_content',
  'fileUri',
  'file_uri',
  'fileSearch',
  'file_search',
  'generationOutputConfig',
  'generation_output_config',
  '"retrieval"',
  '"advisor_',
];

/** The parsed body, undefined when nothing in it can refer to what an upstream keeps. */
export async function referringBody(body: RelayBody, json: JsonObject | undefined): Promise<JsonObject | undefined> {
  if (json) return json;
  return (await body.mentions(marks)) ? ((await body.json()) ?? undefined) : undefined;
}

/** Where a call of a protocol names files, containers and caches of the upstream's account. */
const refusals: Partial<Record<string, (call: JsonObject) => void>> = {
  'openai-chat': refuseChatFiles,
  'anthropic-messages': refuseClaudeFiles,
  gemini: refuseGeminiFiles,
  'gemini-embedding': refuseEmbeddedFiles,
};

/** Throws AppError for what an upstream keeps and no customer of ours can own. A promise only for long bodies. */
export function refuseKept(
  protocol: string,
  body: RelayBody,
  json: JsonObject | undefined,
): Promise<undefined> | undefined {
  const refuse = refusals[protocol];
  if (!refuse) return undefined;
  if (!json) return refuseInLongBody(refuse, body);
  refuse(json);
  return undefined;
}

async function refuseInLongBody(refuse: (call: JsonObject) => void, body: RelayBody): Promise<undefined> {
  const referring = await referringBody(body, undefined);
  if (referring) refuse(referring);
}

function refuseChatFiles({ messages }: JsonObject): void {
  for (const { content } of recordsOf(messages)) for (const { file } of recordsOf(content)) refuseFile(recordOf(file));
}

function refuseClaudeFiles({ container, messages, tools }: JsonObject): void {
  // It asks a model of its own, which is neither paid nor one the key may use.
  const offered = [...recordsOf(tools), ...addedTools(messages)];
  if (offered.some(({ type }) => textOf(type).startsWith('advisor_'))) throw notOffered('tools: advisor');
  const { id, skills } = recordOf(container);
  if (typeof container === 'string' || typeof id === 'string') throw notOffered('container');
  // Those of the account that pays upstream; Anthropic's own are for all.
  if (recordsOf(skills).some(({ type }) => type === 'custom')) throw notOffered('container.skills');
  for (const { content } of recordsOf(messages)) refuseClaudeBlocks(content);
}

/** A message of the system may define tools too, from there on. */
function addedTools(messages: unknown): JsonObject[] {
  const blocks = recordsOf(messages).flatMap(({ content }) => recordsOf(content));
  return blocks.map(({ tool }) => recordOf(recordOf(tool).definition));
}

/** Results of tools are made of blocks, and so are documents. */
function refuseClaudeBlocks(content: unknown): void {
  for (const block of recordsOf(content)) {
    const source = recordOf(block.source);
    refuseFile(block);
    refuseFile(source);
    refuseClaudeBlocks(source.content);
    refuseClaudeBlocks(block.content);
  }
}

function refuseGeminiFiles(call: JsonObject): void {
  const cache = call.cachedContent ?? call.cached_content;
  if (cache !== undefined && cache !== null) throw notOffered('cachedContent');
  const settings = recordOf(call.generationConfig ?? call.generation_config);
  // A bucket that the account may write to.
  if (isJsonObject(settings.generationOutputConfig ?? settings.generation_output_config))
    throw notOffered('generationOutputConfig');
  for (const tool of recordsOf(call.tools)) refuseGeminiTool(tool);
  for (const { parts } of recordsOf(call.contents)) refuseGeminiParts(parts);
}

function refuseEmbeddedFiles({ content, requests }: JsonObject): void {
  for (const embedded of [{ content }, ...recordsOf(requests)]) refuseGeminiParts(recordOf(embedded.content).parts);
}

/** Stores and search indexes of the account whose key the channel has. */
function refuseGeminiTool({ fileSearch, file_search: spelled, retrieval }: JsonObject): void {
  if (isJsonObject(fileSearch) || isJsonObject(spelled)) throw notOffered('fileSearch');
  if (isJsonObject(retrieval)) throw notOffered('retrieval');
}

function refuseGeminiParts(parts: unknown): void {
  for (const part of recordsOf(parts)) {
    const file = recordOf(part.fileData ?? part.file_data);
    if (uploaded.test(textOf(file.fileUri ?? file.file_uri))) throw notOffered('fileUri');
    refuseGeminiParts(recordOf(part.functionResponse ?? part.function_response).parts);
  }
}

/** A file that was uploaded to the account whose key the channel has; any other address is fetched without a key. */
const uploaded = /^https:\/\/generativelanguage\.googleapis\.com\/|^files\//i;

/**
 * Ids of items of earlier responses that a Responses call goes on from. Throws AppError for what no customer of ours can own, as there
 * is no way to upload it here: to the upstream all of them are one, and one's files would be another's to read.
 */
export function readReferences(call: JsonObject): string[] {
  for (const tool of toolsIn(call)) refuseTool(tool);
  const items = recordsOf(call.input);
  for (const item of items) for (const part of partsOf(item)) refuseFile(part);
  return items.filter(isReference).map(({ id }) => textOf(id));
}

function isReference({ type, result }: JsonObject): boolean {
  return type === 'item_reference' || (type === 'image_generation_call' && typeof result !== 'string');
}

/** The output of a computer is one part. */
function partsOf({ content, output }: JsonObject): JsonObject[] {
  return [...recordsOf(content), ...recordsOf(output), recordOf(output)];
}

function refuseFile({ file_id: id }: JsonObject): void {
  if (typeof id === 'string') throw notOffered('file_id');
}

function refuseTool(tool: JsonObject): void {
  const { container, vector_store_ids: stores, input_image_mask: mask, environment, tunnel_id: tunnel } = tool;
  // A model of text writes them, which is neither paid nor one the key may use.
  if (isJsonObject(tool.svg) || tool.output_format === 'svg') throw notOffered('tools: svg');
  // It leads into the network of the account.
  if (typeof tunnel === 'string') throw notOffered('tunnel_id');
  if (Array.isArray(stores) && stores.length > 0) throw notOffered('vector_store_ids');
  if (typeof container === 'string') throw notOffered('container');
  if (recordOf(environment).container_id !== undefined) throw notOffered('container_id');
  for (const machine of [recordOf(container), recordOf(environment)]) refuseInMachine(machine);
  if (isJsonObject(mask)) refuseFile(mask);
}

/** What a container begins with. */
function refuseInMachine({ file_ids: files, skills }: JsonObject): void {
  if (Array.isArray(files) && files.length > 0) throw notOffered('file_ids');
  // Skills of OpenAI's own are for all, those of the account are not.
  const isKept = ({ skill_id: id }: JsonObject) => typeof id === 'string' && !id.startsWith('openai-');
  if (recordsOf(skills).some(isKept)) throw notOffered('skill_id');
}
