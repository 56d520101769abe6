import { isJsonObject, type JsonObject } from '../../lib/json-value.ts';

/** Text of a content list: Mistral and FastGPT answer in parts where OpenAI has a string. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  let text = '';
  if (Array.isArray(content)) {
    for (const part of content) if (isJsonObject(part)) text += textOf(part.text);
  }
  return text;
}

/** Thinking parts of a content list (Mistral). */
export function reasoningText(content: unknown): string {
  let text = '';
  if (!Array.isArray(content)) return text;
  for (const part of content) {
    if (isJsonObject(part) && part.type === 'thinking') text += contentText(part.thinking);
  }
  return text;
}

/** All the reasoning of a message or delta, wherever its vendor puts it. */
export function thoughtOf({ content, reasoning_content, reasoning }: JsonObject): string {
  return reasoningText(content) + separateReasoning({ reasoning_content, reasoning });
}

/** Reasoning that stands beside the content: DeepSeek's name for it and OpenRouter's. */
export function separateReasoning({ reasoning_content, reasoning }: JsonObject): string {
  return contentText(reasoning_content || reasoning);
}

/** FastGPT nests once more: `{ text: { content } }`. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return isJsonObject(value) && typeof value.content === 'string' ? value.content : '';
}
