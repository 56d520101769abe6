import { isJsonObject } from '../../lib/json-value.ts';
import { contentText, reasoningText, separateReasoning } from './content.ts';
import { callText } from './read-event.ts';

/** Everything a model wrote in a whole answer: content, reasoning, refusals, tool names and arguments of all choices. */
export function readChatText(response: unknown): string[] {
  if (!isJsonObject(response) || !Array.isArray(response.choices)) return [];
  const texts: string[] = [];
  for (const choice of response.choices) {
    const message = isJsonObject(choice) ? (choice.message ?? choice.delta) : undefined;
    if (isJsonObject(message)) collect(message, texts);
  }
  return texts.filter((text) => text !== '');
}

function collect(message: Record<string, unknown>, texts: string[]): void {
  const { content, refusal, tool_calls, function_call, audio } = message;
  texts.push(contentText(content), reasoningText(content), separateReasoning(message));
  texts.push(contentText(refusal), callText(function_call));
  if (isJsonObject(audio)) texts.push(contentText(audio.transcript));
  if (!Array.isArray(tool_calls)) return;
  for (const call of tool_calls) if (isJsonObject(call)) texts.push(callText(call.function), callText(call.custom));
}
