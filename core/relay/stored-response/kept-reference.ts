import { isJsonObject, type JsonObject, recordOf, recordsOf, textOf } from '../../lib/json-value.ts';
import { notOffered } from '../../wire/request-field.ts';
import type { RelayBody } from '../call.ts';

/** What may stand for something that an upstream keeps; escaped letters may hide each of them. */
const marks = [
  '"item_reference"',
  '"image_generation_call"',
  'file_id',
  'vector_store_ids',
  '"container',
  '\\u00',
  'cachedContent',
  'cached_content',
  'fileUri',
  'file_uri',
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
  for (const { type } of recordsOf(tools)) if (textOf(type).startsWith('advisor_')) throw notOffered('tools: advisor');
  const { id, skills } = recordOf(container);
  if (typeof container === 'string' || typeof id === 'string') throw notOffered('container');
  // Those of the account that pays upstream; Anthropic's own are for all.
  if (recordsOf(skills).some(({ type }) => type === 'custom')) throw notOffered('container.skills');
  for (const { content } of recordsOf(messages)) refuseClaudeBlocks(content);
}

function refuseClaudeBlocks(content: unknown): void {
  for (const block of recordsOf(content)) {
    refuseFile(block);
    refuseFile(recordOf(block.source));
    for (const part of recordsOf(block.content)) refuseFile(recordOf(part.source));
  }
}

function refuseGeminiFiles(call: JsonObject): void {
  const cache = call.cachedContent ?? call.cached_content;
  if (cache !== undefined && cache !== null) throw notOffered('cachedContent');
  for (const { parts } of recordsOf(call.contents)) {
    for (const part of recordsOf(parts)) {
      const file = recordOf(part.fileData ?? part.file_data);
      if (uploaded.test(textOf(file.fileUri ?? file.file_uri))) throw notOffered('fileUri');
    }
  }
}

/** A file that was uploaded to the account whose key the channel has; any other address is fetched without a key. */
const uploaded = /^https:\/\/generativelanguage\.googleapis\.com\/|^files\//i;

/**
 * Ids of items of earlier responses that a Responses call goes on from. Throws AppError for what no customer of ours can own, as there
 * is no way to upload it here: to the upstream all of them are one, and one's files would be another's to read.
 */
export function readReferences({ input, tools }: JsonObject): string[] {
  for (const tool of recordsOf(tools)) refuseTool(tool);
  const items = recordsOf(input);
  for (const item of items) for (const part of partsOf(item)) refuseFile(part);
  return items.filter(isReference).map(({ id }) => textOf(id));
}

function isReference({ type, result }: JsonObject): boolean {
  return type === 'item_reference' || (type === 'image_generation_call' && typeof result !== 'string');
}

function partsOf({ content, output }: JsonObject): JsonObject[] {
  return [...recordsOf(content), ...recordsOf(output)];
}

function refuseFile({ file_id: id }: JsonObject): void {
  if (typeof id === 'string') throw notOffered('file_id');
}

function refuseTool({ container, vector_store_ids: stores, input_image_mask: mask, environment }: JsonObject): void {
  if (Array.isArray(stores) && stores.length > 0) throw notOffered('vector_store_ids');
  if (typeof container === 'string') throw notOffered('container');
  if (recordOf(environment).container_id !== undefined) throw notOffered('container_id');
  const { file_ids: files } = recordOf(container);
  if (Array.isArray(files) && files.length > 0) throw notOffered('file_ids');
  if (isJsonObject(mask)) refuseFile(mask);
}
