import { isJsonObject, type JsonObject } from '../lib/json-value.ts';
import type { TokenCounter } from './count-tokens.ts';
import pricing from './default-pricing.json' with { type: 'json' };

export type PromptKind = 'chat' | 'completion' | 'embedding' | 'geminiEmbedding' | 'moderation' | 'rerank' | 'speech';

/** What a prompt consists of: texts for the tokeniser, and tokens whose number is known without it. */
interface Gathered {
  texts: string[];
  tokens: number;
}

/** A sound in the prompt, however long. */
export const audioPartTokens = 100;

/**
 * Prompt tokens of a parsed OpenAI body by the relay's rules (relay reference, 7). Tools and tool calls are all counted. Pictures
 * and files are never fetched: a fixed number stands for each.
 */
export async function countPrompt(
  body: JsonObject,
  kind: PromptKind,
  counter: TokenCounter,
  model: string,
): Promise<number> {
  const { texts, tokens } = gather(body, kind, model);
  return tokens + (await counter.count(texts, model));
}

function gather(body: JsonObject, kind: PromptKind, model: string): Gathered {
  switch (kind) {
    case 'chat':
      return gatherChat(body, model);
    case 'completion':
      return gatherAll([gatherInput(body.prompt, model), gatherInput(body.suffix, model)]);
    case 'embedding':
    case 'moderation':
      return gatherInput(body.input, model);
    case 'geminiEmbedding':
      return gatherAll([body, ...listOf(body.requests).filter(isJsonObject)].map(gatherContent));
    case 'rerank':
      return gatherAll([gatherInput(body.query, model), gatherInput(body.documents, model)]);
    case 'speech':
      // The tts models are sold by the character.
      return model.startsWith('tts')
        ? { texts: [], tokens: [...textOf(body.input)].length }
        : gatherInput(body.input, model);
  }
}

function gatherChat(body: JsonObject, model: string): Gathered {
  const isFirstTurbo = model === 'gpt-3.5-turbo-0301';
  const perMessage = isFirstTurbo ? 4 : 3;
  const perName = isFirstTurbo ? -1 : 1;
  const messages = listOf(body.messages).filter(isJsonObject);
  const responseStart = 3;
  return gatherAll([
    { texts: [], tokens: responseStart + messages.length * perMessage },
    ...messages.map((message) => gatherMessage(message, model, perName)),
    gatherTools([...listOf(body.tools), ...listOf(body.functions)].filter(isJsonObject)),
  ]);
}

function gatherMessage(message: JsonObject, model: string, perName: number): Gathered {
  const isNamedText = typeof message.content === 'string' && typeof message.name === 'string';
  const calls = [...listOf(message.tool_calls).filter(isJsonObject), { function: message.function_call }];
  return gatherAll([
    { texts: [textOf(message.role)], tokens: 0 },
    gatherInput(message.content, model),
    isNamedText ? { texts: [textOf(message.name)], tokens: perName } : nothing,
    ...calls.map(gatherCall),
  ]);
}

function gatherCall(call: JsonObject): Gathered {
  const called = isJsonObject(call.function) ? call.function : call.custom;
  if (!isJsonObject(called)) return nothing;
  return { texts: [textOf(called.name), textOf(called.arguments), textOf(called.input)], tokens: 0 };
}

function gatherTools(tools: JsonObject[]): Gathered {
  if (tools.length === 0) return nothing;
  const texts = tools.map((tool) => {
    // `functions`, the older field, has the same members one level higher.
    const declared = [tool.function, tool.custom].find(isJsonObject) ?? tool;
    return textOf(declared.name) + textOf(declared.description) + jsonOf(declared.parameters ?? declared.format);
  });
  return { texts, tokens: 8 };
}

/** Text, a list of texts, token numbers, lists of these, or content parts: every shape the API takes as input. */
function gatherInput(input: unknown, model: string): Gathered {
  if (typeof input === 'string') return { texts: [input], tokens: 0 };
  if (typeof input === 'number') return { texts: [], tokens: 1 };
  if (isJsonObject(input)) return gatherPart(input, model);
  if (!Array.isArray(input)) return nothing;
  if (input.every((item) => typeof item === 'number')) return { texts: [], tokens: input.length };
  // One level of lists is what the API takes; deeper ones count nothing, so that no input can exhaust the stack.
  return gatherAll(
    input.map((item) =>
      Array.isArray(item)
        ? { texts: item.map(textOf), tokens: item.filter((entry) => typeof entry === 'number').length }
        : gatherInput(item, model),
    ),
  );
}

/** Google's `content`, its bare parts, or a text. */
function gatherContent({ content }: JsonObject): Gathered {
  if (typeof content === 'string') return { texts: [content], tokens: 0 };
  const parts = listOf(isJsonObject(content) ? content.parts : content).filter(isJsonObject);
  return { texts: parts.map((part) => textOf(part.text)), tokens: 0 };
}

function gatherPart(part: JsonObject, model: string): Gathered {
  switch (part.type) {
    case 'image_url':
      return {
        texts: [],
        tokens: pictureTokens(model, isJsonObject(part.image_url) ? part.image_url.detail : undefined),
      };
    case 'file':
      return { texts: [], tokens: pictureTokens(model) };
    case 'input_audio':
      return { texts: [], tokens: audioPartTokens };
    default:
      return { texts: [textOf(part.text) + textOf(part.refusal)], tokens: 0 };
  }
}

/** Pictures are never fetched or measured: a fixed number stands for each. */
export function pictureTokens(model: string, detail?: unknown): number {
  const { low_detail, not_measured, not_measured_by_model, glm_4v } = pricing.image_tokens;
  if (model.startsWith('glm-4v')) return glm_4v;
  if (detail === 'low') return low_detail;
  return model.startsWith('gpt-4o-mini') ? not_measured_by_model['gpt-4o-mini'] : not_measured;
}

const nothing: Gathered = { texts: [], tokens: 0 };

function gatherAll(parts: Gathered[]): Gathered {
  return {
    texts: parts.flatMap((part) => part.texts).filter((text) => text !== ''),
    tokens: parts.reduce((sum, part) => sum + part.tokens, 0),
  };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function jsonOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}
