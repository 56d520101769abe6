import { isJsonObject, type JsonObject, recordsOf, textOf } from '../../lib/json-value.ts';

/** What a message or a delta says, whichever members its vendor uses for it. */
export interface Members {
  reasoning: string;
  text: string;
  refusal: string;
  /** Tool calls in OpenAI's shape; the single function call of older models is one of them. */
  calls: readonly unknown[];
}

const noCalls: readonly unknown[] = [];

/** The one reader of messages and deltas: metering, strict formatting and conversion all begin here. */
export function readMembers(message: JsonObject): Members {
  const { content, refusal } = message;
  return {
    reasoning: (separateReasoning(message) || detailText(message.reasoning_details)) + reasoningText(content),
    text: contentText(content),
    refusal: contentText(refusal),
    calls: callsOf(message),
  };
}

/** Everything a model wrote in a message or delta, for counting: text, reasoning, refusal, speech, names and arguments of tools. */
export function memberTexts(message: JsonObject): string[] {
  const { text, reasoning, refusal, calls } = readMembers(message);
  const texts = [text, reasoning, refusal];
  if (isJsonObject(message.audio)) texts.push(contentText(message.audio.transcript));
  for (const call of calls) if (isJsonObject(call)) texts.push(callText(call.function), callText(call.custom));
  return texts.filter((one) => one !== '');
}

/** Text of a content list: Mistral and FastGPT send parts where OpenAI has a string. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  let text = '';
  if (Array.isArray(content)) for (const part of content) if (isJsonObject(part)) text += partText(part.text);
  return text;
}

/** Thinking parts of a content list (Mistral). */
export function reasoningText(content: unknown): string {
  let text = '';
  if (!Array.isArray(content)) return text;
  for (const part of content) if (isJsonObject(part) && part.type === 'thinking') text += contentText(part.thinking);
  return text;
}

/** Reasoning that is beside the content: DeepSeek's name for it and OpenRouter's. */
export function separateReasoning({ reasoning_content, reasoning }: JsonObject): string {
  return contentText(reasoning_content || reasoning);
}

/** Reasoning of vendors that only send it in OpenRouter's list. */
function detailText(details: unknown): string {
  if (details === undefined) return '';
  return recordsOf(details)
    .map((detail) => textOf(detail.text) || textOf(detail.summary))
    .join('');
}

function callsOf({ tool_calls, function_call }: JsonObject): readonly unknown[] {
  if (Array.isArray(tool_calls) && tool_calls.length > 0) return tool_calls;
  return isJsonObject(function_call) ? [{ index: 0, function: function_call }] : noCalls;
}

/** Name and arguments of a call, as far as this event carries them. Some vendors send arguments as an object; its JSON counts. */
function callText(call: unknown): string {
  if (!isJsonObject(call)) return '';
  const words = call.arguments ?? call.input;
  return textOf(call.name) + (typeof words === 'object' && words !== null ? JSON.stringify(words) : textOf(words));
}

/** FastGPT nests once more: `{ text: { content } }`. */
function partText(value: unknown): string {
  return isJsonObject(value) ? textOf(value.content) : textOf(value);
}
